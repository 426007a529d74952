// Shows the lessons that an agent would get for a prompt, and the effect of the threshold.

import { attempt, getJSON, keepLast, postJSON } from "./api.js";
import { build, debounce, find, reveal, showScore, tellRefusal } from "./elements.js";

const [form, least, outcome, context, candidates] = find("try", "least-shown", "outcome", "context", "candidates");
const TOP = 3; // default maximum number of lessons per prompt
const round = (share) => `${Math.round(100 * share)} %`;
let thresholds = null;
const begin = keepLast();

export async function show() {
  if (!thresholds) {
    const [{ threshold }, { projects }] = await Promise.all([getJSON("api/health"), getJSON("api/categories")]);
    form.elements.project.append(...Object.keys(projects).map((name) => build("option", {}, name)));
    form.elements.project.parentElement.hidden = !Object.keys(projects).length;
    form.elements.least.value = threshold;
    thresholds = [];
    getJSON("api/thresholds").then((answer) => {
      ({ thresholds } = answer);
      showOutcome();
    }).catch(tellRefusal);
  }
  showOutcome();
  await explain();
}

function showOutcome() {
  const score = Number(form.elements.least.value);
  least.textContent = `${Number((100 * score).toFixed(1))} %`;
  const step = thresholds?.[Math.round(score * (thresholds.length - 1))];
  if (!step) return;
  outcome.textContent =
    `At this score, about ${round(step.answered)} of prompts with a relevant lesson get it, ${round(step.wrong)} get only a different one, ` +
    `and ${round(step.silent)} get none. Of prompts without a relevant lesson, ${round(step.injected)} get one.`;
}

async function explain() {
  const options = { ...begin(), headers: { "Hookwright-Repository": encodeURIComponent(form.elements.project.value) } };
  const prompt = form.elements.prompt.value;
  const query = new URLSearchParams({ top_k: TOP, min_score: form.elements.least.value });
  const answer = await attempt(() => postJSON(`api/explain?${query}`, { prompt }, options), context);
  if (answer) showAnswer(prompt, answer);
}

function showAnswer(prompt, answer) {
  context.textContent = reveal(answer.context) || (prompt.trim() ? explainNoContext(answer) : "");
  const rows = Object.values(answer.collections).flatMap((near) =>
    near.candidates.map((candidate, place) => ({ ...candidate, why: explainExclusion(candidate, place, near) })),
  );
  candidates.replaceChildren(
    ...rows.sort((first, second) => second.score - first.score).map((row) =>
      build(
        "li",
        { class: row.why ? "below" : null },
        build("div", { class: "head" }, showScore(row.score), build("b", {}, row.id), row.why && build("span", { class: "quiet" }, row.why)),
        build("p", {}, reveal(row.text)),
      ),
    ),
  );
}

// Returns why an agent does not get a candidate, or null if the agent gets it. `place` is the candidate's rank.
function explainExclusion(candidate, place, near) {
  if (candidate.score < near.threshold) return "below the lowest score";
  return place < near.left ? null : `not among the best ${TOP}, the most that an agent gets`;
}

function explainNoContext(answer) {
  if (answer.obstacle) return `Nothing: no search is made for such a prompt (${answer.obstacle}).`;
  return answer.embedder_is_up ? "Nothing: no lesson scores high enough." : "Nothing: the embedder is down.";
}

form.elements.least.addEventListener("input", showOutcome);
form.elements.project.addEventListener("change", explain);
form.addEventListener("input", debounce(explain, 80));
