// Lesson candidates that await a decision.

import { attempt, deleteRecord, getJSON, loadRecord, postJSON, request } from "./api.js";
import { showCards } from "./cards.js";
import { addRecord } from "./editor.js";
import { build, countOf, find, reveal, tell, tellRefusal, formatMoment } from "./elements.js";

const [list, status] = find("inbox-items", "inbox-status");
const REASONS = {
  said: "You asked to remember it",
  corrected: "You corrected the agent",
  denied: "Denied repeatedly",
  fixed: "It failed, then passed",
};
const ACTIONS = [
  ["a", "Approve", approve],
  ["e", "Edit", async (item) => addRecord("lessons", "", describe(item), locate(item))],
  ["d", "Drop", (item, done) => drop(item, done)],
  ["n", "Never suggest similar", (item, done) => drop(item, done, "?never=true")],
];

export async function show() {
  const answer = await attempt(() => getJSON("api/inbox"), status);
  showCards(list, answer?.items ?? [], () => ACTIONS, showItem);
  if (!answer) return;
  status.textContent = answer.items.length ? "" : "The inbox is empty. Run lesson-search capture to look for candidates in your sessions.";
}

const describe = ({ text, project, evidence }) => ({ text, project, source_file: `session:${evidence[0].session}` });
const locate = (item) => `api/inbox/${encodeURIComponent(item.id)}`;

async function approve(item, done) {
  const { id, change } = await postJSON(locate(item), {});
  done("The lesson is added.", () => undo(item, change === "added" ? id : null));
}

async function drop(item, done, query = "") {
  await request("DELETE", locate(item) + query);
  done("The candidate is dropped.", () => undo(item));
}

// Restores a candidate, and deletes the lesson that was created from it.
async function undo(item, lesson = null) {
  try {
    if (lesson) await deleteRecord(await loadRecord("lessons", lesson));
    await request("POST", `${locate(item)}/undo`);
    tell("The candidate is back.");
  } catch (error) {
    tellRefusal(error);
  }
  dispatchEvent(new CustomEvent("changed", { detail: item.id }));
}

function showItem(item) {
  const count = new Set(item.evidence.map(({ session }) => session)).size;
  const evidence = item.evidence.map(({ excerpt, time, session }) =>
    build("blockquote", {}, build("pre", {}, reveal(excerpt)), build("footer", { class: "quiet" }, `${time && formatMoment(time)} session ${session}`)),
  );
  const where = reveal(item.project || item.folder);
  return [
    build("div", { class: "head" }, build("span", { class: `chip ${item.rule}` }, REASONS[item.rule] ?? item.rule), build("span", { class: "quiet" }, `in ${countOf(count, "session")}${where && ` of ${where}`}`)),
    build("p", {}, reveal(item.text)),
    build("details", {}, build("summary", {}, "Where it comes from"), ...evidence),
  ];
}
