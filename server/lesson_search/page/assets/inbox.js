// Lesson candidates that await a decision.

import { Refusal, getJSON, postJSON, request } from "./api.js";
import { showCards } from "./cards.js";
import { addRecord } from "./editor.js";
import { build, countOf, reveal, wordMoment } from "./elements.js";

const [list, status] = ["inbox-items", "inbox-status"].map((id) => document.getElementById(id));
const REASONS = {
  said: "You asked to remember it",
  corrected: "You corrected the agent",
  denied: "Denied again and again",
  fixed: "It failed, then passed",
};
const ACTIONS = [
  ["a", "Approve", approve],
  ["e", "Edit", async (item) => addRecord("lessons", "", describe(item), () => remove(item))],
  ["d", "Drop", (item, done) => drop(item, done)],
  ["n", "Never like this", (item, done) => drop(item, done, "?never=true")],
];

export async function show() {
  try {
    const { items } = await getJSON("api/inbox");
    showCards(list, items, () => ACTIONS, showItem);
    status.textContent = items.length ? "" : "Nothing waits. lesson-search capture looks for candidates in your sessions.";
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    list.replaceChildren();
    status.textContent = error.message;
  }
}

const describe = ({ text, project, evidence }) => ({ text, project, source_file: `session:${evidence[0].session}` });
const remove = (item, query = "") => request("DELETE", `api/inbox/${encodeURIComponent(item.id)}${query}`);

async function approve(item, done) {
  await postJSON("api/ingest", describe(item));
  await remove(item);
  done("The lesson is added.");
}

async function drop(item, done, query) {
  await remove(item, query);
  done("The candidate is dropped.");
}

function showItem(item) {
  const count = new Set(item.evidence.map((one) => one.session)).size;
  const evidence = item.evidence.map(({ excerpt, time, session }) =>
    build("blockquote", {}, build("pre", {}, reveal(excerpt)), build("footer", { class: "quiet" }, `${time && wordMoment(time)} session ${session}`)),
  );
  const where = reveal(item.project || item.folder);
  return [
    build("div", { class: "head" }, build("span", { class: `chip ${item.rule}` }, REASONS[item.rule] ?? item.rule), build("span", { class: "quiet" }, `in ${countOf(count, "session")}${where && ` of ${where}`}`)),
    build("p", {}, reveal(item.text)),
    build("details", {}, build("summary", {}, "Where it comes from"), ...evidence),
  ];
}
