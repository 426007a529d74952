// The list of lessons: filtered by category or search, with bulk actions.

import { Refusal, attempt, changeRecord, getJSON, isEnded, keepLast, loadRecord, postJSON, request } from "./api.js";
import { addRecord, editRecord } from "./editor.js";
import { build, debounce, find, onSubmit, place, reveal, showEvidence, showScore, tell, tellRefusal } from "./elements.js";

const PAGE = 50; // records per page
const [NARROW, MENU, MARGIN, SCROLLBAR] = [800, 208, 32, 15]; // pixels, as in the style sheet
const PAUSE = 15; // milliseconds between typing and the search
const [list, more, found, map, path, total] = find("list", "more", "found", "map", "path", "total");
const [filter, move, tree] = find("filter", "move", "tree");
const selected = new Set(); // ids
let category = "";
let next = null; // ID after which the next page begins
let options = {}; // for requests that fill the current list
const [beginList, beginMap] = [keepLast(), keepLast()];

const hrefOf = (path) => `#/lessons?category=${encodeURIComponent(path)}`;
const collection = () => filter.elements.collection.value;

export async function show(parameters) {
  category = parameters.get("category") ?? "";
  selected.clear();
  await Promise.all([load(), drawMap()]);
  await listCategories();
}

async function drawMap() {
  showPath();
  // Estimates the width from the window, because reading an element's width would force a layout.
  const beside = innerWidth > NARROW ? MENU + 2 * Math.min(48, innerWidth / 25) : MARGIN;
  const width = Math.max(300, Math.min(960, Math.round(innerWidth - SCROLLBAR - beside)));
  const query = new URLSearchParams({ width, height: innerWidth > NARROW ? 150 : 220 });
  if (category) query.set("below", category);
  try {
    place(map, await (await request("GET", `page/treemap?${query}`, beginMap())).text());
    if (map.querySelectorAll(".tile").length < 2) map.replaceChildren(); // a single tile is not informative
  } catch (error) {
    if (!isEnded(error)) throw error;
  } finally {
    hideMap();
  }
}

function showPath() {
  const parts = category ? category.split("/") : [];
  path.replaceChildren(build("a", { href: "#/lessons" }, "All"));
  parts.forEach((name, place) => {
    const below = parts.slice(0, place + 1).join("/");
    path.append(" / ", build("a", { href: hrefOf(below) }, name));
  });
  path.hidden = !category;
}

async function listCategories() {
  const { categories, first } = await getJSON("api/categories");
  const names = Object.keys(categories);
  document.getElementById("categories").replaceChildren(...names.map((name) => build("option", { value: name })));
  const rows = names.map((name) => {
    const parts = name.split("/");
    const link = build("a", { href: hrefOf(name), "aria-label": name }, parts.at(-1));
    return build("li", { class: `level-${Math.min(parts.length, 4)}` }, link, build("span", { class: "quiet" }, ` ${(first[name] ?? 0).toLocaleString("en")}`));
  });
  document.getElementById("all-categories").replaceChildren(...rows);
  hideTree();
}

// The map and tree only count lessons, so they are hidden for skills. They keep their space while loading.
function hideMap() {
  map.hidden = collection() === "skills" || !map.hasChildNodes();
}

function hideTree() {
  tree.hidden = collection() === "skills" || !tree.querySelector("li");
}

async function load() {
  options = beginList();
  next = null;
  const prompt = filter.elements.words.value.trim();
  await attempt(() => (prompt ? search(prompt) : browse(null)), found);
}

async function search(prompt) {
  const body = { prompt, top_k: PAGE, min_score: 0, collections: [collection()], evidence: true };
  if (category) body.categories = [category];
  const { results, query_time_ms: time } = await postJSON("api/query", body, options);
  const hits = results[collection()];
  fill(hits.map((hit, place) => [hit, place + 1 < hits.length ? hit.score - hits[place + 1].score : null]));
  more.hidden = true;
  found.textContent = hits.length ? `The ${hits.length} nearest, in ${time} ms` : await explainNoHits();
}

async function explainNoHits() {
  const { embedder } = await getJSON("api/health", options);
  return embedder === "down" ? "The embedder is down: nothing is found until it answers again." : "No matches.";
}

async function browse(after) {
  const query = new URLSearchParams({ limit: PAGE });
  if (category) query.set("category", category);
  if (after) query.set("after", after);
  const page = await getJSON(`api/${collection()}?${query}`, options);
  fill(page.records.map((record) => [record, null]), Boolean(after));
  next = page.next;
  more.hidden = !next;
  total.textContent = page.total.toLocaleString("en");
  found.textContent = page.total ? "" : explainEmpty();
}

async function loadMore() {
  if (!next) return; // already requested, or another list is loading
  const [before, after] = [list.children.length, next];
  next = null;
  try {
    await browse(after);
  } catch (error) {
    if (isEnded(error)) return;
    next = after;
    tellRefusal(error);
    return;
  }
  if (more.hidden) list.children[before]?.querySelector("input").focus(); // the focused button was hidden
}

function explainEmpty() {
  if (category) return "This category is empty.";
  return `There are no ${collection()} yet: add one here, or many with lesson-search ingest.`;
}

function fill(rows, further = false) {
  const items = rows.map(([record, gap]) => showRecord(record, gap));
  if (further) list.append(...items);
  else {
    selected.clear();
    list.replaceChildren(...items);
  }
  showSelected();
}

function showRecord(record, gap) {
  const choose = build("input", {
    type: "checkbox",
    "aria-label": `Select ${record.id}`,
    onchange: (event) => {
      if (event.target.checked) selected.add(record.id);
      else selected.delete(record.id);
      showSelected();
    },
  });
  const head = build(
    "div",
    { class: "head" },
    build("label", { class: "name" }, choose, build("b", {}, record.id)),
    record.score === undefined ? null : showScore(record.score),
    record.project ? build("span", { class: "chip" }, record.project) : null,
    build("span", { class: "quiet" }, record.categories.join(", ")),
    build("button", { type: "button", onclick: () => editRecord(collection(), record.id), "aria-label": `Edit ${record.id}` }, "Edit"),
  );
  const evidence = record.evidence ? showEvidence(record.evidence, gap) : null;
  return build("li", { "data-id": record.id }, head, build("p", {}, reveal(record.text)), evidence);
}

function showSelected() {
  move.hidden = !selected.size;
  document.getElementById("selected").textContent = `${selected.size} selected`;
}

// Changes the categories of records and reports the result. Records are skipped if they were changed meanwhile or
// the server did not respond.
async function sort(wanted, word, undo) {
  const before = new Map();
  const reasons = new Set();
  for (const [id, categories] of wanted) {
    try {
      const record = await loadRecord(collection(), id);
      await changeRecord(record, { categories });
      before.set(id, record.categories);
    } catch (error) {
      reasons.add(error instanceof Refusal ? error.message : "the server does not answer");
    }
  }
  const left = wanted.size - before.size;
  tell(`${before.size} ${word}.${left ? ` ${left} failed: ${[...reasons].join("; ")}.` : ""}`, undo && before.size ? () => undo(before) : null);
  dispatchEvent(new CustomEvent("changed"));
}

function moveSelected() {
  const category = move.elements.category.value.trim();
  const wanted = new Map([...selected].map((id) => [id, [category]]));
  return sort(wanted, `moved to ${category}`, (before) => sort(before, "moved back", null));
}

filter.elements.words.addEventListener("input", debounce(load, PAUSE));
filter.elements.collection.addEventListener("change", () => {
  const skills = collection() === "skills";
  hideMap();
  hideTree();
  document.getElementById("lessons-heading").firstChild.data = skills ? "Skills " : "Lessons ";
  document.getElementById("add").textContent = skills ? "Add a skill" : "Add a lesson";
  load();
});
document.getElementById("add").addEventListener("click", () => addRecord(collection(), category));
more.addEventListener("click", loadMore);
onSubmit(move, moveSelected);
