// Charts, which the server draws.

import { isEnded, keepLast, request } from "./api.js";
import { place } from "./elements.js";

const MARGIN = 32; // pixels beside the page
const MAX_DAYS = 100; // that the server draws

// About the width that a picture has in the page, so that its texts are not scaled. To ask for that of
// an element, the browser would have to lay the page out first.
export const pictureWidth = () => Math.max(300, Math.min(960, innerWidth - MARGIN));

const begins = new WeakMap(); // what begins the request for a picture, by the element it is for

// Draws a bar for each day; of several pictures for one element the last.
export async function drawBars(element, label, counts) {
  if (!begins.has(element)) begins.set(element, keepLast());
  const options = begins.get(element)();
  const query = new URLSearchParams({ label: label.slice(0, 300), width: pictureWidth() });
  for (const [day, count] of Object.entries(counts).slice(-MAX_DAYS)) query.append("day", `${day}:${count}`);
  try {
    place(element, await (await request("GET", `page/bars?${query}`, options)).text());
  } catch (error) {
    if (!isEnded(error)) throw error;
  }
}
