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
  const names = answer.projects.filter((one) => one.folder && !one.error).map((one) => one.project);
  if (!names.includes(chosen)) chosen = null;
  project.hidden = !chosen;
}

function showProject(one) {
  const open = one.folder && !one.error && build("button", { type: "button", "aria-label": `Show ${one.project}`, onclick: () => choose(one.project) }, "Show");
  const state = build("span", { class: "quiet" }, one.current ? "current" : "not current: run hookwright install");
  return build(
    "li",
    {},
    build("div", { class: "head" }, build("b", {}, reveal(one.project)), one.error ? null : state, open || null),
    build("div", { class: "quiet" }, one.folder),
    one.error ? build("p", { class: "notice" }, one.error) : null,
    build("div", {}, one.hooks.map((hook) => `${hook.client} ${hook.hook} (${hook.scope}): ${hook.state}`).join(" · ")),
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
  const rows = answer.records.map((one) =>
    build(
      "li",
      { class: one.disabled ? "below" : null },
      build("div", { class: "head" }, build("b", {}, one.name), build("span", { class: "quiet" }, one.disabled ? `${one.kind}, disabled` : one.kind)),
      build("div", {}, one.when),
      build("p", { class: "quiet" }, one.told),
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
  const denied = answer.hooks.find((one) => one.does === "deny") ?? answer.hooks.find((one) => one.does === "warn");
  const does = DOES[denied?.does ?? "allow"];
  verdict.textContent = answer.hooks.length ? `${answer.tool} is ${does}.` : `${answer.tool} is let through: no hook handles it.`;
  hooksTried.replaceChildren(...answer.hooks.map(showTrial));
}

function showTrial(one) {
  const words = [one.reason, one.context].filter(Boolean).join("\n\n");
  return build(
    "div",
    {},
    build("b", {}, `${one.hook}: ${DOES[one.does] ?? one.does}`),
    ...one.why.map((line) => build("div", { class: "quiet" }, line)),
    words ? build("pre", { tabindex: "0", "aria-label": `What the agent gets from ${one.hook}` }, words) : null,
  );
}

onSubmit(form, () => tryCall().catch(() => tell("The server does not answer.")));
