// Deleted records, some of which can be restored.

import { getJSON } from "./api.js";
import { restoreDeleted } from "./editor.js";
import { build, countOf, find, reveal, tellRefusal, formatMoment } from "./elements.js";

const [list, none, others] = find("deletions", "no-deletions", "other-deletions");

export async function show() {
  const [{ deletions }, { records }] = await Promise.all([getJSON("api/deletions/recent"), getJSON("api/deletions")]);
  list.replaceChildren(...deletions.map(showDeletion));
  none.textContent = deletions.length ? "" : "Nothing to restore.";
  const kept = new Set(deletions.map(({ collection, record }) => `${collection} ${record.id}`));
  const gone = records.filter(({ collection, id }) => !kept.has(`${collection} ${id}`));
  others.textContent = gone.length
    ? `${countOf(gone.length, "other")} came from files; run lesson-search ingest --restore to bring them back: ${gone.map(({ id }) => id).join(", ")}`
    : "";
}

function showDeletion({ collection, deleted_at: moment, record }) {
  const restore = () => restoreDeleted({ ...record, collection }).catch(tellRefusal);
  return build(
    "li",
    {},
    build(
      "div",
      { class: "head" },
      build("b", {}, record.id),
      build("span", { class: "quiet" }, `${collection === "skills" ? "skill, " : ""}deleted ${formatMoment(moment)}`),
      build("button", { type: "button", onclick: restore, "aria-label": `Bring back ${record.id}` }, "Bring back"),
    ),
    build("p", {}, reveal(record.text)),
  );
}
