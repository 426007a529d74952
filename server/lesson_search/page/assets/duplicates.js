// Pairs of lessons that say nearly the same, side by side.

import { getJSON, loadRecord } from "./api.js";
import { editRecord, removeRecord } from "./editor.js";
import { build, percent, reveal, tellRefusal } from "./elements.js";

const list = document.getElementById("pairs");
const none = document.getElementById("no-pairs");

export async function show() {
  const { pairs } = await getJSON("api/duplicates?limit=20");
  const ids = [...new Set(pairs.flatMap((pair) => [pair.first, pair.second]))];
  const loaded = await Promise.allSettled(ids.map((id) => loadRecord("lessons", id)));
  const records = loaded.filter((one) => one.value).map((one) => one.value);
  const byId = new Map(records.map((record) => [record.id, record]));
  const shown = pairs.filter((pair) => byId.has(pair.first) && byId.has(pair.second));
  list.replaceChildren(
    ...shown.map((pair) =>
      build(
        "li",
        {},
        build("span", { class: "quiet" }, `${percent(pair.cosine)} alike`),
        build("div", { class: "pair" }, showSide(byId.get(pair.first)), showSide(byId.get(pair.second))),
      ),
    ),
  );
  none.textContent = shown.length ? "" : "No two lessons say nearly the same.";
}

function showSide(record) {
  const remove = async () => {
    await removeRecord(record).catch(tellRefusal);
    dispatchEvent(new CustomEvent("changed"));
  };
  return build(
    "div",
    {},
    build("b", {}, record.id),
    build("div", { class: "quiet" }, record.categories.join(", ")),
    build("p", {}, reveal(record.text)),
    build("button", { type: "button", onclick: () => editRecord("lessons", record.id), "aria-label": `Edit ${record.id}` }, "Edit"),
    " ",
    build("button", { type: "button", onclick: remove, "aria-label": `Delete ${record.id}` }, "Delete"),
  );
}
