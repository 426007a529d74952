// Shows the installed projects, their databases and routes, and how their hooks respond to a call.

import { attempt, getJSON, keepLast, postJSON } from "./api.js";
import { build, find, onSubmit, reveal, tell } from "./elements.js";

const DOES = { deny: "denied", warn: "let through with a warning", allow: "let through" };
const [message, projects, project, heading] = find("hooks-message", "projects", "project", "project-heading");
const [form, verdict, hooksTried, records] = find("trial", "verdict", "trial-hooks", "project-records");
let chosen = null; // the name of the project that is shown
const begin = keepLast(); // for requests about a project

const locate = (name) => `api/hooks/${encodeURIComponent(name)}`;

export async function show() {
  message.textContent = "Loading …";
  const answer = await attempt(() => getJSON("api/hooks"), message);
  if (!answer) return;
  message.textContent = answer.projects.length ? "" : "No project is installed here: create one with hookwright new, and install it.";
  projects.replaceChildren(...answer.projects.map(showProject));
  const names = answer.projects.filter((row) => row.folder && !row.error).map((row) => row.project);
  if (!names.includes(chosen)) chosen = null;
  project.hidden = !chosen;
}

function showProject(row) {
  const open = row.folder && !row.error && build("button", { type: "button", "aria-label": `Show ${row.project}`, onclick: () => choose(row.project) }, "Show");
  const state = build("span", { class: "quiet" }, row.current ? "current" : "not current: run hookwright install");
  return build(
    "li",
    {},
    build("div", { class: "head" }, build("b", {}, reveal(row.project)), row.error ? null : state, open || null),
    build("div", { class: "quiet" }, row.folder),
    row.error ? build("p", { class: "notice" }, row.error) : null,
    build("div", {}, row.hooks.map((hook) => `${hook.client} ${hook.hook} (${hook.scope}): ${hook.state}`).join(" · ")),
  );
}

async function choose(name) {
  const options = begin();
  const answer = await attempt(() => getJSON(locate(name), options), message);
  if (!answer) return;
  chosen = name;
  heading.textContent = reveal(name);
  verdict.textContent = "";
  hooksTried.replaceChildren();
  const rows = answer.records.map((record) =>
    build(
      "li",
      { class: record.disabled ? "below" : null },
      build("div", { class: "head" }, build("b", {}, record.name), build("span", { class: "quiet" }, record.disabled ? `${record.kind}, disabled` : record.kind)),
      build("div", {}, record.when),
      build("p", { class: "quiet" }, record.told),
    ),
  );
  records.replaceChildren(...rows);
  project.hidden = false;
  heading.focus();
}

async function tryCall() {
  const { kind, text } = form.elements;
  const options = begin();
  verdict.textContent = "Trying …";
  hooksTried.replaceChildren();
  const answer = await attempt(() => postJSON(`${locate(chosen)}/try`, { [kind.value]: text.value }, options), verdict);
  if (!answer) return;
  const denied = answer.hooks.find((hook) => hook.does === "deny") ?? answer.hooks.find((hook) => hook.does === "warn");
  const does = DOES[denied?.does ?? "allow"];
  verdict.textContent = answer.hooks.length ? `${answer.tool} is ${does}.` : `${answer.tool} is let through: no hook handles it.`;
  hooksTried.replaceChildren(...answer.hooks.map(showTrial));
}

function showTrial(trial) {
  const words = [trial.reason, trial.context].filter(Boolean).join("\n\n");
  return build(
    "div",
    {},
    build("b", {}, `${trial.hook}: ${DOES[trial.does] ?? trial.does}`),
    ...trial.why.map((line) => build("div", { class: "quiet" }, line)),
    words ? build("pre", { tabindex: "0", "aria-label": `What the agent gets from ${trial.hook}` }, words) : null,
  );
}

onSubmit(form, () => tryCall().catch(() => tell("The server does not answer.")));
