// Cards for decisions, made with buttons or keys.

import { build, tell, tellRefusal, undoLast } from "./elements.js";

// Shows a card for each item, and moves the focus to the next card after a decision.
// `listActions` returns the key, name and function of each action for an item. The function receives the item and
// a callback, which it calls with a message and an undo function when it is done. `showBody` returns the card's
// contents.
export function showCards(list, items, listActions, showBody) {
  list.replaceChildren(...items.map((item) => showCard(item, listActions(item), showBody(item))));
}

function showCard(item, actions, body) {
  const done = (text, undo) => {
    if (text) tell(text, undo, false);
    const next = card.nextElementSibling ?? card.previousElementSibling;
    dispatchEvent(new CustomEvent("changed", { detail: next?.dataset.id }));
  };
  const run = (action) => action(item, done).catch(tellRefusal);
  const buttons = actions.map(([key, name, action], place) => {
    const attributes = { type: "button", class: place ? null : "main", "aria-keyshortcuts": key, onclick: () => run(action) };
    return build("button", attributes, name, " ", build("kbd", { "aria-hidden": "true" }, key));
  });
  const card = build("li", { class: "card", tabindex: "0", "data-id": item.id }, ...body, build("div", { class: "actions" }, ...buttons));
  card.keys = Object.fromEntries(actions.map(([key, , action]) => [key, () => run(action)]));
  return card;
}

// A key acts on the focused card. If no card is focused, the key only focuses the first one.
document.addEventListener("keydown", (event) => {
  const cards = [...document.querySelectorAll("main > section:not([hidden]) .card")];
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (document.querySelector("dialog[open]") || event.target.matches("input, textarea, select")) return;
  const place = cards.findIndex((card) => card.contains(event.target));
  const act = cards[Math.max(place, 0)]?.keys[event.key];
  if (event.key === "u") undoLast();
  else if (act && place >= 0) act();
  else if (!cards.length) return;
  else if (act || event.key === "ArrowDown") cards[Math.min(place + 1, cards.length - 1)].focus();
  else if (event.key === "ArrowUp") cards[Math.max(place - 1, 0)].focus();
  else return;
  event.preventDefault();
});
