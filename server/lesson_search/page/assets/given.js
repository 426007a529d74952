// Which lessons agents were given most, and which never.

import { getJSON } from "./api.js";
import { drawBars } from "./charts.js";
import { editRecord } from "./editor.js";
import { build, countOf } from "./elements.js";

const [since, chart, most, never, neverCount] = ["since", "chart", "most", "never", "never-count"].map((id) =>
  document.getElementById(id),
);

export async function show() {
  const given = await getJSON("api/given");
  since.textContent = wordPeriod(given);
  document.getElementById("given").classList.toggle("unrecorded", !given.recorded);
  if (!given.recorded) return;
  const sum = Object.values(given.days).reduce((one, other) => one + other, 0);
  drawBars(chart, `Lessons and skills given each day: ${sum} in all`, given.days);
  most.replaceChildren(...given.most.map((one) => showRow(one.collection, one.id, countOf(one.count, "time"))));
  never.replaceChildren(...given.never.map((id) => showRow("lessons", id, "")));
  neverCount.textContent = given.never_count.toLocaleString("en");
}

function wordPeriod(given) {
  if (!given.recorded) return "Nothing is recorded. Start the server with --record lessons to see it here.";
  return given.since ? `Since ${given.since}` : "Nothing was given yet.";
}

function showRow(collection, id, count) {
  const edit = build("button", { type: "button", onclick: () => editRecord(collection, id), "aria-label": `Show ${id}` }, "Show");
  return build("li", { class: "head" }, build("b", {}, id), build("span", { class: "quiet" }, count), edit);
}
