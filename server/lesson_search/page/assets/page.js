// Shows the view named in the address, and updates it after changes.

import { getJSON, waitForServer } from "./api.js";
import { tellRefusal } from "./elements.js";
import * as lessons from "./lessons.js";

// Other views are imported lazily, so that the default view does not wait for them. If the default view were
// imported lazily, it would send its requests only after the browser has laid out the page.
const VIEWS = {
  lessons: async () => lessons,
  inbox: () => import("./inbox.js"),
  review: () => import("./review.js"),
  deleted: () => import("./deleted.js"),
  prompt: () => import("./prompt.js"),
  documentation: () => import("./documentation.js"),
  activity: () => import("./activity.js"),
  hooks: () => import("./hooks.js"),
};
const main = document.getElementById("main");

function readAddress() {
  const [name, query] = location.hash.replace(/^#\//, "").split("?");
  return [name in VIEWS ? name : "lessons", new URLSearchParams(query)];
}

async function showView() {
  const [name, parameters] = readAddress();
  for (const section of main.children) if (section.id !== name) section.hidden = true;
  for (const link of document.querySelectorAll("header nav a")) {
    if (link.hash === `#/${name}`) {
      link.setAttribute("aria-current", "page");
      document.title = `${link.firstChild.data.trim()} · Hookwright`;
    } else link.removeAttribute("aria-current");
  }
  try {
    const view = await VIEWS[name]().catch((error) => {
      waitForServer();
      throw error;
    });
    // Not earlier, because input would be lost before the view's listeners are attached.
    if (readAddress()[0] === name) document.getElementById(name).hidden = false;
    await view.show(parameters);
  } catch (error) {
    if (!(error instanceof TypeError)) tellRefusal(error); // no response: the banner reports it
  }
}

// Handled here because the skip link's address, #main, does not match any view.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
// Counts the items that need attention in each view; null if the server does not record them.
const COUNTS = {
  inbox: async () => (await getJSON("api/inbox")).items.length,
  review: async () => (await getJSON("api/review")).findings.length,
  activity: async () => {
    const { recorded, never_count: count } = await getJSON("api/given");
    return recorded ? count : null;
  },
};

function countAttention() {
  for (const [name, ask] of Object.entries(COUNTS))
    ask().catch(() => null).then((number) => {
      document.querySelector(`#attention [href="#/${name}"]`).hidden = number === null;
      for (const count of document.querySelectorAll(`[href="#/${name}"] .count`)) count.textContent = number ? number.toLocaleString("en") : "";
    });
}

addEventListener("hashchange", () => {
  document.getElementById("menu").hidePopover();
  showView();
  main.focus();
});
// Rebuilding the view removes the focused element, so focus the same record if it is still shown.
addEventListener("changed", async (event) => {
  await showView();
  countAttention();
  if (document.activeElement !== document.body) return;
  const rows = [...document.querySelectorAll("main > section:not([hidden]) [data-id]")];
  const same = rows.find((row) => row.dataset.id === event.detail);
  ((same?.matches(".card") ? same : same?.querySelector("button")) ?? main).focus();
});
addEventListener("reconnected", showView);
showView().then(() => {
  countAttention();
  Object.values(VIEWS).forEach((load) => load().catch(() => {}));
});
