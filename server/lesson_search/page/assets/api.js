// Sends requests to the API; the page has no other way to read or change data.

const banner = document.getElementById("connection");
const signedOut = document.getElementById("signed-out");
const UNAUTHORIZED = 401;
const RETRY = 2000; // milliseconds
// The page's address without the user and password, because fetch rejects addresses that contain them.
const HERE = location.origin + location.pathname;

export class Refusal extends Error {
  constructor(status, reason) {
    super(reason);
    this.status = status;
  }
}

// Returns a function that aborts the previous request and returns the options for the next one, so
// that the latest request wins even if an earlier response arrives later.
export function keepLast() {
  let running = new AbortController();
  return () => {
    running.abort();
    running = new AbortController();
    return { signal: running.signal };
  };
}

export const isEnded = (error) => error.name === "AbortError";

// Returns the result of an action, or null if the API refused it, which is shown, or a later request ended it.
export async function attempt(action, where) {
  try {
    return await action();
  } catch (error) {
    if (isEnded(error)) return null;
    if (!(error instanceof Refusal)) throw error;
    where.textContent = error.message;
    return null;
  }
}

let lost = null; // a promise that resolves when the server responds again

export function waitForServer() {
  banner.hidden = false;
  lost ??= new Promise((resolve) => {
    const timer = setInterval(async () => {
      try {
        await fetch(new URL("api/health", HERE));
      } catch {
        return;
      }
      clearInterval(timer);
      lost = null;
      banner.hidden = true;
      resolve();
      dispatchEvent(new Event("reconnected"));
    }, RETRY);
  });
  return lost;
}

export async function request(method, path, { body, headers = {}, signal } = {}) {
  const options = { method, signal, headers: { ...headers } };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers["Content-Type"] = "application/json";
  }
  let response;
  try {
    response = await fetch(new URL(path, HERE), options);
  } catch (error) {
    if (!isEnded(error)) waitForServer();
    throw error;
  }
  if (response.status === UNAUTHORIZED) {
    signedOut.hidden = false;
    throw new Refusal(UNAUTHORIZED, "Not signed in.");
  }
  if (!response.ok) {
    const answer = await response.json().catch(() => ({}));
    throw new Refusal(response.status, answer.detail ?? `${path}: ${response.status}`);
  }
  return response;
}

export const getJSON = async (path, options) => (await request("GET", path, options)).json();
export const postJSON = async (path, body, options) =>
  (await request("POST", path, { ...options, body })).json();

// Encodes the ID as one path segment. Browsers resolve . and .. segments even when they are encoded, so these
// IDs are sent in the query.
const locate = (collection, id) =>
  /^\.\.?$/.test(id) ? `api/${collection}/-?id=${id}` : `api/${collection}/${encodeURIComponent(id)}`;

// Loads a record with its version; changes to the record are rejected if the version is outdated.
export async function loadRecord(collection, id, options) {
  const response = await request("GET", locate(collection, id), options);
  return { ...(await response.json()), collection, version: response.headers.get("ETag") };
}

export async function changeRecord({ collection, id, version }, changes) {
  await request("PUT", locate(collection, id), { body: changes, headers: { "If-Match": version } });
}

export async function deleteRecord({ collection, id, version }) {
  await request("DELETE", locate(collection, id), { headers: { "If-Match": version } });
}

// Fails if a record with the same ID was added meanwhile.
export async function restoreRecord({ collection, version, ...fields }) {
  await postJSON("api/ingest", fields, { headers: { "If-None-Match": "*" } });
}

signedOut.querySelector("button").addEventListener("click", () => location.reload());
