// Builds elements. Strings are only inserted as text nodes, so that lessons are never parsed as markup.

import { Refusal } from "./api.js";

export function build(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined)
      element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export const find = (...ids) => ids.map((id) => document.getElementById(id));

// Same rule as in the API: a joiner counts as hidden unless it joins emoji or letters of Arabic, Indic or related
// scripts.
const JOINED = String.raw`[\u0600-\u109f\u1780-\u18af\u203c-\u3299\ufb50-\ufdff\ufe0f\ufe70-\ufefc\u{1f000}-\u{1faff}]`;
const HIDDEN = new RegExp(
  [
    String.raw`[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f]`,
    String.raw`[\u2800\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\u{16fe4}\u{13441}\u{13442}\u{1bca0}-\u{1bca3}]`,
    String.raw`[\u{1d159}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]`,
    String.raw`(?<![#*0-9\u00a9\u00ae\u203c-\u3299\u{1f000}-\u{1faff}])\ufe0f|(?<=[#*0-9])\ufe0f(?!\u20e3)`,
    String.raw`(?<!${JOINED})[\u200c\u200d]|[\u200c\u200d](?!${JOINED})`,
  ].join("|"),
  "gu",
);

// Returns a text with its hidden characters escaped; some would reverse the text after them.
export const reveal = (text) =>
  text.replace(HIDDEN, (hidden) => `\\u{${hidden.codePointAt(0).toString(16)}}`);

// Inserts an SVG chart that the server has drawn.
export function place(element, svg) {
  const picture = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  element.replaceChildren(document.importNode(picture, true));
}

// Calls a function instead of submitting a form.
export function onSubmit(form, act) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    act();
  });
}

// Builds a list of names and values, leaving out empty values.
export function showFacts(facts, kind = "facts") {
  const filled = Object.entries(facts).filter(([, value]) => value);
  return build("dl", { class: kind }, ...filled.map(([name, value]) => build("div", {}, build("dt", {}, name), " ", build("dd", {}, value))));
}

export const countOf = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

// Formats a time in the browser's time zone.
export const formatMoment = (text) => new Date(text).toLocaleString("sv").slice(0, 16);

export const percent = (share) => `${Math.floor(100 * share + 1e-6)} %`;

// Delays calls of a function until none has followed for some milliseconds; only the last one is made.
export function debounce(call, milliseconds) {
  let timer;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...values), milliseconds);
  };
}

const message = document.getElementById("message");
const [words, undoButton, closeButton] = message.children;
const SHOWN = 15000; // milliseconds
let timer;

// Shows a message at the bottom of the page. If `undo` is given, an undo button appears; it is
// focused unless `focus` is false.
export function tell(text, undo = null, focus = true) {
  clearTimeout(timer);
  words.textContent = text;
  undoButton.hidden = !undo;
  undoButton.onclick = () => {
    message.classList.remove("shown");
    undo?.();
  };
  message.classList.add("shown");
  if (undo && focus) undoButton.focus();
  const focused = () => message.contains(document.activeElement) || message.matches(":hover");
  const hide = () => {
    if (focused()) timer = setTimeout(hide, 1000);
    else message.classList.remove("shown");
  };
  timer = setTimeout(hide, SHOWN);
}

// Undoes the action that the message reports, if the message is still shown.
export function undoLast() {
  if (message.classList.contains("shown")) undoButton.onclick();
}

closeButton.addEventListener("click", () => message.classList.remove("shown"));

// Shows why the API refused a request; other errors are rethrown.
export function tellRefusal(error) {
  if (!(error instanceof Refusal)) throw error;
  tell(error.message);
}

const LABELS = { similarity: "meaning", words: "words", tokens: "word by word" };

// Shows the evidence for a record, strongest first; records are sorted by the sum of their evidence.
export function showEvidence(evidence, gap) {
  const parts = Object.entries(evidence).sort((first, second) => second[1] - first[1]);
  const facts = Object.fromEntries(parts.map(([name, value]) => [LABELS[name], value.toFixed(1)]));
  return showFacts({ ...facts, "ahead of the next by": gap !== null && percent(gap) }, "evidence");
}

export function showScore(score) {
  return build("span", {}, build("meter", { value: score, max: 1, "aria-label": "Score" }), ` ${percent(score)}`);
}
