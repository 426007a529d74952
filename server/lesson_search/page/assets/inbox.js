// Candidates for lessons that wait for a person, and the keys that decide.

import { Refusal, getJSON, postJSON, request } from "./api.js";
import { addRecord } from "./editor.js";
import { build, countOf, reveal, tell, tellRefusal } from "./elements.js";

const [list, status] = ["inbox-items", "inbox-status"].map((id) => document.getElementById(id));
const REASONS = {
  said: "you asked to remember it",
  corrected: "you corrected the agent",
  denied: "denied again and again",
  fixed: "it failed, then passed",
};
const ACTIONS = [
  ["a", "Approve", approve],
  ["e", "Edit", (item) => addRecord("lessons", "", describe(item), () => remove(item))],
  ["d", "Drop", drop],
  ["n", "Never like this", (item) => drop(item, "?never=true")],
];

export async function show() {
  try {
    const { items } = await getJSON("api/inbox");
    list.replaceChildren(...items.map(showItem));
    status.textContent = items.length
      ? countOf(items.length, "candidate")
      : "Nothing waits. lesson-search capture looks for candidates in your sessions.";
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    list.replaceChildren();
    status.textContent = error.message;
  }
}

const describe = (item) => ({ text: item.text, source_file: `session:${item.evidence[0].session}` });
const changed = () => dispatchEvent(new CustomEvent("changed"));

async function remove(item, query = "") {
  await request("DELETE", `api/inbox/${encodeURIComponent(item.id)}${query}`);
}

async function approve(item) {
  await postJSON("api/ingest", describe(item));
  await remove(item);
  tell("The lesson is added.");
  changed();
}

async function drop(item, query) {
  await remove(item, query);
  tell("The candidate is dropped.");
  changed();
}

function showItem(item) {
  const count = new Set(item.evidence.map((one) => one.session)).size;
  const run = (action) => action(item).catch(tellRefusal);
  const buttons = ACTIONS.flatMap(([key, name, action]) => [
    build("button", { type: "button", "aria-keyshortcuts": key, title: `Key: ${key}`, onclick: () => run(async () => action(item)) }, name),
    " ",
  ]);
  const row = build(
    "li",
    { tabindex: "0", "data-id": item.id, "aria-label": reveal(item.text) },
    build("p", {}, reveal(item.text)),
    build("p", { class: "quiet" }, `${REASONS[item.rule] ?? item.rule}, in ${countOf(count, "session")} · ${reveal(item.folder)}`),
    build(
      "details",
      {},
      build("summary", {}, "Evidence"),
      ...item.evidence.map((one) => build("blockquote", {}, build("pre", {}, reveal(one.excerpt)), build("footer", { class: "quiet" }, `${one.time} · ${one.session}`))),
    ),
    build("div", {}, ...buttons),
  );
  row.addEventListener("keydown", (event) => {
    if (event.target !== row || event.ctrlKey || event.metaKey || event.altKey) return;
    const found = ACTIONS.find(([key]) => key === event.key);
    if (found) run(async () => found[2](item));
    else if (event.key === "j" || event.key === "ArrowDown") row.nextElementSibling?.focus();
    else if (event.key === "k" || event.key === "ArrowUp") row.previousElementSibling?.focus();
    else return;
    event.preventDefault();
  });
  return row;
}
