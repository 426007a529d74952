// The dialog that shows, changes, adds and deletes a record.

import { Refusal, changeRecord, deleteRecord, isEnded, keepLast, loadRecord, postJSON, restoreRecord } from "./api.js";
import { find, onSubmit, tell, tellRefusal } from "./elements.js";

const [dialog, heading, origin, force] = find("editor", "editor-heading", "origin", "force");
const form = dialog.querySelector("form");
const notice = dialog.querySelector(".notice");
const FIELDS = { lessons: ["text", "project", "source_file"], skills: ["text", "trigger", "source"] };
const NAMES = { lessons: "lesson", skills: "skill" };
const SECRET = 409; // the API's status for a text with a secret
const CHANGED = 412;
const GONE = 404;

const begin = keepLast(); // for loading the edited record
let record = null; // the edited record; a new record has no version
let target = null; // the address to which a new record is sent
let afterwards = null; // called after saving
const changed = (id) => dispatchEvent(new CustomEvent("changed", { detail: id }));

const splitCategories = (text) => text.split(",").map((path) => path.trim()).filter(Boolean);

function warn(text) {
  notice.textContent = text;
  notice.hidden = !text;
}

function open(found, text, warning = "") {
  record = found;
  form.reset();
  warn(warning);
  force.hidden = true;
  heading.textContent = text;
  for (const part of form.querySelectorAll(".for-lessons, .for-skills"))
    part.hidden = !part.classList.contains(`for-${record.collection}`);
  fill();
  if (!dialog.open) dialog.showModal();
  form.elements.text.focus();
}

function fill() {
  for (const name of FIELDS[record.collection]) form.elements[name].value = record[name] ?? "";
  form.elements.categories.value = (record.categories ?? []).join(", ");
  form.querySelector("[value=delete]").hidden = !record.version;
  const since = record.created_at ? `, since ${record.created_at.slice(0, 10)}` : "";
  const found = record.classified ? ". Its categories were assigned automatically" : "";
  origin.textContent = record.id ? `${record.id}${since}${found}.` : "";
}

// Opens a record in the editor. A proposed `text` needs the `version` on which it is based. `warning` is shown in
// the dialog, and `then` is called after saving.
export async function editRecord(collection, id, { text, version, warning, then = null } = {}) {
  try {
    const found = await loadRecord(collection, id, begin());
    open({ ...found, version: version ?? found.version }, `Edit a ${NAMES[collection]}`, warning);
    afterwards = then;
    if (text) form.elements.text.value = text;
  } catch (error) {
    if (!isEnded(error)) tellRefusal(error);
  }
}

// Opens the editor for a new record with prefilled fields; saving sends the record to `path`.
export function addRecord(collection, category, fields = {}, path = "api/ingest") {
  begin();
  open({ ...fields, collection, categories: category ? [category] : [] }, `Add a ${NAMES[collection]}`);
  [target, afterwards] = [path, null];
}

function readForm() {
  const names = FIELDS[record.collection];
  const values = Object.fromEntries(names.map((name) => [name, form.elements[name].value]));
  return { ...values, categories: splitCategories(form.elements.categories.value) };
}

function listChanges() {
  return Object.fromEntries(
    Object.entries(readForm()).filter(([name, value]) => {
      const before = record[name] ?? "";
      return Array.isArray(value) ? value.join() !== before.join() : value !== before;
    }),
  );
}

async function save() {
  const nevertheless = form.elements.force.checked;
  if (!record.version) {
    const values = readForm();
    if (!values.categories.length) delete values.categories;
    await postJSON(target, { ...values, force: nevertheless });
    tell(`The ${NAMES[record.collection]} is added.`);
  } else {
    const changes = listChanges();
    if (Object.keys(changes).length) {
      await changeRecord(record, { ...changes, force: nevertheless });
      tell("The change is saved.");
    }
  }
  dialog.close();
  if (afterwards) await afterwards().catch(tellRefusal);
  changed(record.id);
}

async function merge() {
  const mine = readForm();
  record = await loadRecord(record.collection, record.id);
  for (const name of FIELDS[record.collection]) form.elements[name].value = mine[name];
  form.elements.categories.value = mine.categories.join(", ");
  warn(`Someone else has changed it. It now says: “${record.text}” (${record.categories.join(", ") || "no category"}). Save again to replace that with yours, delete again to delete it, or cancel.`);
}

async function remove() {
  await removeRecord(record);
  changed();
}

// Deletes a record, and offers to undo the deletion.
export async function removeRecord(gone, text = `The ${NAMES[gone.collection]} is deleted.`) {
  await deleteRecord(gone);
  dialog.close(); // before tell(), which moves the focus to the message
  tell(text, () => restoreDeleted(gone).catch(tellRefusal));
}

// Restores a deleted record.
export async function restoreDeleted(gone) {
  await restoreRecord(gone);
  tell(`The ${NAMES[gone.collection]} is back.`);
  changed(gone.id);
}

async function attempt(action) {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof Refusal)) warn("The server is not responding: nothing was saved yet.");
    else if (error.status === CHANGED) await merge();
    else if (error.status === GONE && dialog.open) {
      record = { ...record, version: null };
      target = "api/ingest";
      warn("Someone else has deleted it. Save again to add it as a new one, or cancel.");
    } else {
      warn(error.message);
      force.hidden = !(error.status === SECRET && /looks like it holds/.test(error.message));
    }
  }
}

onSubmit(form, () => attempt(save));
form.querySelector("[value=cancel]").addEventListener("click", () => dialog.close());
form.querySelector("[value=delete]").addEventListener("click", () => attempt(remove));
