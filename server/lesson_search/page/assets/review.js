// Lessons that need a decision: near duplicates, unhelpful ones, and outdated ones.

import { attempt, getJSON, postJSON } from "./api.js";
import { showCards } from "./cards.js";
import { editRecord, removeRecord } from "./editor.js";
import { build, find, reveal } from "./elements.js";

const [list, status] = find("findings", "no-findings");
const KINDS = { duplicate: "Near duplicates", recurring: "Does not help", outdated: "Outdated" };

export async function show() {
  status.textContent = list.children.length ? "" : "Loading …";
  const answer = await attempt(() => getJSON("api/review"), status);
  if (!answer) return;
  showCards(list, answer.findings, listActions, showFinding);
  status.textContent = answer.findings.length ? "" : "Nothing needs a decision.";
}

function listActions({ lessons }) {
  const actions = [["k", "Keep", keep], ["e", "Edit", edit], ["d", "Delete", remove]];
  if (lessons.length < 2) return actions;
  return [["k", "Keep both", keep], ["e", "Edit the first", edit], ["m", "Merge", merge], ["d", "Delete the second", remove]];
}

async function keep({ id }, done) {
  await postJSON("api/review/kept", { id });
  done("It is not shown again until it changes.");
}

const edit = ({ lessons: [{ id }] }) => editRecord("lessons", id);

// Returns the last lesson of a finding, in the version that is shown.
const findLast = ({ lessons, versions }) => ({ ...lessons.at(-1), collection: "lessons", version: versions.at(-1) });

async function merge(finding) {
  const [first, second] = finding.lessons;
  await editRecord("lessons", first.id, {
    text: `${first.text}\n\n${second.text}`,
    version: finding.versions[0],
    warning: `Saving this also deletes ${second.id}, whose text is now included here.`,
    then: () => removeRecord(findLast(finding), `Merged into ${first.id}; ${second.id} is deleted.`),
  });
}

async function remove(finding, done) {
  await removeRecord(findLast(finding));
  done();
}

function showFinding({ kind, lessons, why }) {
  return [
    build("div", { class: "head" }, build("span", { class: `chip ${kind}` }, KINDS[kind] ?? kind), build("span", { class: "quiet" }, reveal(why))),
    build("div", { class: lessons.length > 1 ? "pair" : null }, ...lessons.map(showLesson)),
  ];
}

function showLesson({ id, text, categories, project }) {
  const about = [project, ...categories].filter(Boolean).join(" · ");
  return build("div", {}, build("b", {}, id), " ", build("span", { class: "quiet" }, about), build("p", {}, reveal(text)));
}
