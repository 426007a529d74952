// Charts of the searches that hooks redirected, the calls they blocked and the lessons they gave each day.

import { attempt, getJSON, keepLast } from "./api.js";
import { editRecord } from "./editor.js";
import { build, countOf, find } from "./elements.js";

const KINDS = {
  redirects: "Searches sent to documentation",
  blocks: "Calls blocked by routes",
  lessons: "Lessons and skills given",
};
const [days, message, charts, off, unused] = find("activity-days", "activity-message", "activity-charts", "activity-off", "unused");
const begin = keepLast();

export async function show() {
  message.textContent = "Counting …";
  const answer = await attempt(() => getJSON(`api/activity?days=${days.value}`, begin()), message);
  if (!answer) return;
  const kinds = Object.keys(KINDS).map((kind) => showKind(kind, answer, answer.activities.filter((activity) => activity.kind === kind)));
  charts.replaceChildren(...kinds.filter(Boolean));
  off.replaceChildren(...explainUnrecorded(answer).map((line) => build("p", { class: "notice" }, line)));
  const { never, never_count: count } = await getJSON("api/given");
  unused.hidden = !count;
  unused.firstElementChild.lastElementChild.textContent = count.toLocaleString("en");
  unused.lastElementChild.replaceChildren(...never.map(showUnused));
  message.textContent = answer.activities.some((activity) => activity.count) ? "" : `Nothing is recorded for the last ${days.value} days.`;
}

function showUnused(id) {
  const button = build("button", { type: "button", onclick: () => editRecord("lessons", id), "aria-label": `Show ${id}` }, "Show");
  return build("li", { class: "head" }, build("b", {}, id), button);
}

function explainUnrecorded(answer) {
  const lines = [];
  if (!answer.projects) lines.push("No project is installed here: create one with hookwright new, and install it.");
  if (answer.unrecorded.length)
    lines.push(`Not recorded in ${answer.unrecorded.join(", ")}: run hookwright stats --record.`);
  if (!answer.records_lessons) lines.push("Lessons are not recorded: start the server with --record lessons.");
  return lines;
}

function showKind(kind, { first, last, projects, unrecorded }, activities) {
  if (!activities.length) return null;
  const title = (text) => build("h3", {}, KINDS[kind], " ", build("span", { class: "quiet" }, text));
  const total = activities.reduce((sum, activity) => sum + activity.count, 0);
  if (!total && unrecorded.length === projects) return title("not recorded");
  const chart = build("div", { class: "chart" });
  const every = activities.reduce((sum, activity) => addDays(sum, activity.days), {});
  const most = Math.max(1, ...activities.map((activity) => activity.count));
  const buttons = [];
  const choose = (chosen, name, counts) => {
    for (const button of buttons) button.setAttribute("aria-pressed", String(button === chosen));
    chart.replaceChildren(...drawBars(`${KINDS[kind]} each day: ${name}`, counts, first, last));
  };
  const row = (name, count, counts) => {
    const button = build("button", { type: "button", class: "wide", "aria-pressed": "false", onclick: () => choose(button, name, counts) }, name);
    buttons.push(button);
    const bar = build("meter", { value: count, max: Math.max(most, count), "aria-label": `Share of ${name}` });
    return build("li", { class: "head" }, button, count === total && counts === every ? null : bar, build("span", { class: "quiet" }, countOf(count, "time")));
  };
  const rows = [row("all", total, every)];
  rows.push(...activities.filter((activity) => activity.count).map((activity) => row(activity.record, activity.count, activity.days)));
  const never = activities.filter((activity) => !activity.count).map((activity) => activity.record);
  choose(buttons[0], "all", every);
  return build(
    "div",
    {},
    title(total.toLocaleString("en")),
    chart,
    build("ul", { class: "records" }, ...rows),
    never.length ? build("p", { class: "quiet" }, `Never: ${never.join(", ")}`) : null,
  );
}

// Draws a bar for each day, from `first` to `last`.
function drawBars(label, counts, first, last) {
  const most = Math.max(1, ...Object.values(counts));
  const bars = build("div", { class: "bars", role: "img", "aria-label": label });
  for (const day = new Date(first); day <= new Date(last); day.setUTCDate(day.getUTCDate() + 1)) {
    const name = day.toISOString().slice(0, 10);
    const bar = build("span", { title: `${name}: ${counts[name] ?? 0}` });
    bar.style.height = `${(100 * (counts[name] ?? 0)) / most}%`;
    bars.append(bar);
  }
  return [bars, build("div", { class: "scale quiet" }, ...[first, `up to ${most} a day`, last].map((text) => build("span", {}, text)))];
}

function addDays(sum, counts) {
  for (const [day, count] of Object.entries(counts)) sum[day] = (sum[day] ?? 0) + count;
  return sum;
}

days.addEventListener("change", show);
