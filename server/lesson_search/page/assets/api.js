// Requests to the API: the page can do nothing that the API cannot.

const banner = document.getElementById("connection");
const signedOut = document.getElementById("signed-out");
const UNAUTHORIZED = 401;
const RETRY = 2000; // milliseconds
// The page's address without a user and a password, with which nothing can be fetched.
const HERE = location.origin + location.pathname;

export class Refusal extends Error {
  constructor(status, reason) {
    super(reason);
    this.status = status;
  }
}

// Returns what begins a request, with its options, and ends the one before: of requests that answer
// the same question only the last counts, whichever answer comes last.
export function keepLast() {
  let running = new AbortController();
  return () => {
    running.abort();
    running = new AbortController();
    return { signal: running.signal };
  };
}

export const isEnded = (error) => error.name === "AbortError";

let lost = null; // the promise of a server that answers again

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

// As one segment, for a browser would follow the dots of a/../b; and those of . and .. in any case.
const locate = (collection, id) =>
  /^\.\.?$/.test(id) ? `api/${collection}/-?id=${id}` : `api/${collection}/${encodeURIComponent(id)}`;

// A record, with the version by which a change by somebody else is noticed.
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

// Fails if somebody added a record with the same id meanwhile.
export async function restoreRecord({ collection, version, ...fields }) {
  await postJSON("api/ingest", fields, { headers: { "If-None-Match": "*" } });
}

signedOut.querySelector("button").addEventListener("click", () => location.reload());
