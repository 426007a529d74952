// Shows the documentation databases, their search results as an agent sees them, and refresh progress.

import { Refusal, attempt, getJSON, isEnded, keepLast, postJSON } from "./api.js";
import { build, countOf, find, onSubmit, showFacts } from "./elements.js";

const POLL = 400; // milliseconds between progress requests
const UNITS = ["B", "kB", "MB", "GB"];
const [databases, none, form, hits, found] = find("databases", "no-databases", "docs-search", "hits", "hits-found");
const [context, answerPart] = find("docs-context", "docs-answer");
const [reader, heading, source, pageText] = find("reader", "reader-heading", "reader-source", "reader-text");
const [beginSearch, beginReading] = [keepLast(), keepLast()];

const locate = (name) => `api/databases/${encodeURIComponent(name)}`;

export async function show() {
  const { databases: rows } = await getJSON("api/databases");
  none.textContent = rows.length ? "" : "There is no database yet: create one with hookwright setup KEYWORD SOURCE.";
  databases.replaceChildren(...rows.map(showDatabase));
  const sound = rows.filter((row) => !row.error);
  form.hidden = !sound.length;
  const select = form.elements.database;
  const chosen = select.value;
  select.replaceChildren(...sound.map((row) => build("option", { value: row.name }, row.name)));
  if (sound.some((row) => row.name === chosen)) select.value = chosen;
}

function showDatabase(row) {
  const progress = build("progress", { "aria-label": `Refresh of ${row.name}`, hidden: true });
  const message = build("p", { role: "status", class: "quiet" });
  const button = build("button", { type: "button", "aria-label": `Refresh ${row.name}` }, "Refresh");
  const anyway = build("button", { type: "button", hidden: true, "aria-label": `Refresh anyway: ${row.name}` }, "Refresh anyway");
  const parts = { name: row.name, progress, message, button, anyway };
  button.addEventListener("click", () => refresh(parts, false));
  anyway.addEventListener("click", () => refresh(parts, true));
  const item = build(
    "li",
    {},
    build("div", { class: "head" }, build("b", {}, row.name), build("span", {}, row.title), button),
    row.error ? build("p", { class: "notice" }, row.error) : showFacts(listFacts(row)),
    progress,
    message,
    anyway,
  );
  showState(parts, row.refresh);
  if (row.refresh.running) queueMicrotask(() => follow(parts).catch(() => {})); // the banner reports it
  return item;
}

function listFacts(row) {
  return {
    pages: row.pages.toLocaleString("en"),
    passages: row.passages.toLocaleString("en"),
    version: row.version,
    crawled: row.age === null ? row.crawled : row.age > 0 ? `${countOf(row.age, "day")} ago` : "today",
    licence: row.license || "unknown",
    size: formatSize(row.bytes),
    engine: row.engine,
  };
}

function formatSize(bytes) {
  let [size, unit] = [bytes, 0];
  for (; size >= 1000 && unit < UNITS.length - 1; unit += 1) size /= 1000;
  return `${size.toFixed(unit > 1 ? 1 : 0)} ${UNITS[unit]}`;
}

async function refresh(parts, agree) {
  if (parts.button.getAttribute("aria-disabled") === "true") return;
  if (agree) parts.button.focus();
  parts.anyway.hidden = true;
  try {
    showState(parts, await postJSON(`${locate(parts.name)}/refresh`, { agree }));
    await follow(parts);
  } catch (error) {
    if (error instanceof Refusal) parts.message.textContent = error.message;
  }
}

// Polls the progress of a refresh until it ends or its row is removed.
async function follow(parts) {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, POLL));
    if (!parts.button.isConnected) return;
    const state = await getJSON(`${locate(parts.name)}/refresh`);
    if (!state.finished) showState(parts, state);
    if (state.running) continue;
    const focused = parts.button === document.activeElement;
    if (state.finished) await show(); // rebuilds the row, which shows the old facts until then
    if (focused) document.querySelector(`[aria-label="Refresh ${CSS.escape(parts.name)}"]`)?.focus();
    return;
  }
}

function showState({ progress, message, button, anyway }, state) {
  button.setAttribute("aria-disabled", String(state.running));
  progress.hidden = !state.running;
  if (state.total) {
    progress.max = state.total;
    progress.value = Math.min(state.done, state.total);
  } else progress.removeAttribute("value");
  const asks = !state.running && state.question;
  anyway.hidden = !asks;
  message.textContent = state.running ? formatStage(state) : asks ? `${state.question} Nothing has changed yet.` : state.message;
}

function formatStage({ stage, done, total }) {
  if (!stage) return "Starting …";
  return total ? `${stage}: ${done.toLocaleString("en")} of ${total.toLocaleString("en")}` : `${stage} …`;
}

async function search() {
  const options = beginSearch();
  const { database, query, top_k: most } = form.elements;
  const name = database.value;
  found.textContent = "Searching …";
  try {
    const body = { query: query.value, top_k: Number(most.value) };
    const answer = await postJSON(`${locate(name)}/search`, body, options);
    found.textContent = countOf(answer.hits.length, "passage");
    hits.replaceChildren(...answer.hits.map((hit) => showHit(name, hit)));
    context.textContent = answer.context;
    answerPart.hidden = false;
  } catch (error) {
    if (isEnded(error)) return;
    hits.replaceChildren();
    answerPart.hidden = true;
    found.textContent = error instanceof Refusal ? error.message : "";
  }
}

function showHit(name, hit) {
  const title = hit.headings.join(" › ") || hit.url;
  const open = build("button", { type: "button", class: "wide", onclick: () => read(name, hit) }, title);
  return build(
    "li",
    {},
    build("div", { class: "head" }, open, build("span", { class: "quiet" }, `score ${hit.score.toFixed(2)}`)),
    build("div", { class: "quiet" }, hit.url),
    build("p", {}, hit.text),
  );
}

// Finds the start and end of a passage in its page. A part of a long code block or table repeats the fence
// or header, so it is located by its first line that occurs in the page.
function findPassage(text, passage) {
  for (const part of [passage, ...passage.split("\n").filter((line) => /\w{3}/.test(line))]) {
    const start = text.indexOf(part);
    if (start >= 0) return [start, start + part.length];
  }
  return [0, 0];
}

// Shows a passage within its page.
async function read(name, hit) {
  const options = beginReading();
  const query = new URLSearchParams({ url: hit.url });
  const page = await attempt(() => getJSON(`${locate(name)}/page?${query}`, options), found).catch(() => null);
  if (!page) return;
  heading.textContent = page.title || page.url;
  source.textContent = [page.url, page.version, page.license, page.crawled && `crawled ${page.crawled}`].filter(Boolean).join(" · ");
  const [start, end] = findPassage(page.text, hit.text);
  const marked = build("mark", {}, page.text.slice(start, end));
  pageText.replaceChildren(page.before + page.text.slice(0, start), marked, page.text.slice(end));
  reader.showModal();
  pageText.focus();
  pageText.scrollTop = marked.offsetTop - pageText.offsetTop - 40;
}

onSubmit(form, search);
