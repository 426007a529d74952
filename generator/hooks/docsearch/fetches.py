"""Answer a page fetch from local documentation."""

import json
import re
import sqlite3
from typing import TYPE_CHECKING

from hooks.docsearch.docsearch import (
    ANSWER_BUDGET,
    DATABASES,
    INDEXES,
    LOADED,
    load_neighbour,
)
from hooks.docsearch.docsearch_answer import (
    BM25,
    GENERAL,
    MAX_QUERY,
    SURE,
    limit_time,
    list_words,
    look_into,
    match_any,
    quote,
    read_passages,
    weigh,
)
from runtime.dialects.claude import CALL, FETCH, LOADING, START, read_event
from runtime.disabled import is_disabled
from runtime.event import explain
from runtime.matching import KEYWORDS

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from hooks.docsearch.docsearch import Decision
    from hooks.docsearch.docsearch_answer import Result
    from runtime.matching import Match

    Address = tuple[str, str, str, str, str, str]

# Hosts of the documentation pages, without www.
HOSTS: "tuple[bytes, ...]" = ()

# --- rendered in the hook ---


def add_fetches(
    decide: "Callable[..., Decision | None]",
) -> "Callable[..., Decision | None]":
    """Return a version of `decide` that also handles fetches, and rarely parses the event.

    Without escapes, a URL's host appears literally in the event's bytes, except for case.
    """

    def decide_each(
        raw: bytes, trace: "list[Any]", *steps: "Callable[..., Decision]"
    ) -> "Decision | None":
        plain = raw.replace(b"\\\\", b"").lower()
        if b"\\u" in plain or b"\\/" in plain or any(host in plain for host in HOSTS):
            event = read_event(raw)
            if (event["hook_event_name"], event.get("tool_name")) == (CALL, FETCH):
                loading = "%.0s" if LOADED else LOADING
                settings = (INDEXES, KEYWORDS, ANSWER_BUDGET, FETCH, loading)
                answer = load_neighbour("docsearch_answer").decide_fetch
                decision: Decision | None = answer(event, trace, steps, DATABASES, settings)
                explain("the fetch is of " + repr(trace))
                return decision
        elif b'"query"' not in raw and START.encode() not in raw:
            return None
        return decide(raw, trace, *steps)

    return decide_each


# --- rendered for answers ---


FITS = 0.3  # minimum weighted share of the question's words on the page
# Matches a page's address: scheme, host, port, path, query and fragment, but no user, space or
# backslash.
ADDRESS = re.compile(
    r"(https?)://(?:www\.)?([a-z0-9](?:[a-z0-9_.-]*[a-z0-9])?)(?::([0-9]{1,5}))?"
    r"((?:/[!$-;=@-\[\]_a-z~]*)?)((?:\?[!$-;=?-\[\]_a-z~]*)?)(?:#([!-~]*))?",
    re.IGNORECASE | re.ASCII,
)
PORTS = {"http": "80", "https": "443"}
MAX_ADDRESS = 4_000  # characters
INDEX = re.compile(r"/(?:index\.html?)?\Z")
# Matches a path segment that contains a version.
NUMBER = re.compile(r"v?(\d{1,6}(?:\.\d{1,6}){0,3})(?:\.x)?")
NAMED = re.compile(NUMBER.pattern + "|current|dev|devel|latest|main|master|release|stable")
# Words that occur in questions about pages of all kinds.
REQUESTS = """
all answer code complete content contents copy describe detail details entire every everything
exact exactly explain explanation extract fetch find full get give include included including info
information key list main mentioned need page pages please provide quote read relevant return say
says section sections show site snippet snippets specific summarise summarize summary tell text url
verbatim web webpage website whole
"""


def decide_fetch(
    event: "dict[str, Any]",
    trace: "list[Any]",
    steps: "tuple[Callable[..., Decision], ...]",
    databases: str,
    settings: "tuple[dict[int, str], str, int, str, str]",
) -> "Decision | None":
    """Return the decision about a fetch, as the hook's `decide` does.

    Args:
        event: The event.
        trace: Receives the explanation of the decision for `hookwright try`.
        steps: Functions that remember and log a denial.
        databases: The records of all databases, as JSON.
        settings: As for `ask_indexes`, but for the fetch tool.

    """
    url, prompt = read_fetch(event["tool_input"])
    found, reason = ask_pages(url, prompt, json.loads(databases), trace, settings)
    if not found:
        return None
    if is_routed(event):
        trace.append((found[0][0], "uncovered", found[0][2], "a route handles it"))
        return None
    trace.extend(found)
    decision = (reason, "")
    for step in steps:
        if decision[0]:
            decision = step(found, event, decision)
    return decision


def is_routed(event: "dict[str, Any]") -> bool:
    """Return whether the tool_routing hook, next to this file, has a route for a fetch."""
    tried: list[Any] = []
    try:
        routing = __import__("tool_routing" + __name__.partition("docsearch_answer")[2])
        routing.route_call(event, tried, ())
    except Exception:  # noqa: BLE001 - it may be missing, or not for this Python
        return False
    return any((row[1], row[3] != "warn") == ("matches", True) for row in tried)


def ask_pages(
    url: str,
    prompt: str,
    databases: "list[dict[str, Any]]",
    trace: "list[Any]",
    settings: "tuple[dict[int, str], str, int, str, str]",
) -> "tuple[list[Match], str]":
    """Return the database that contains a page, if there is one, and the message for the agent.

    A database that contains the page but does not cover the question is added to `trace`, as in
    `ask_indexes`.

    Args:
        url: The page's address.
        prompt: The question about the page, or "".
        databases: The records of all databases.
        trace: Receives the explanation of the decision for `hookwright try`.
        settings: As for `ask_indexes`, but for the fetch tool.

    """
    indexes, keywords, budget, tool, loading = settings
    address = read_address(url)
    if not address:
        return [], ""
    results: dict[int, Result] = {}

    def look_up() -> None:
        for number in indexes:
            if is_disabled(databases[number]):
                continue
            names = (name.lower() for name in databases[number].get("domains", ()))
            ends = [f".{name.removeprefix('www.')}" for name in names]
            if f".{address[1]}".endswith(tuple(ends)):
                results[number] = look_into(indexes[number], judge_page, (address, prompt))

    limit_time(look_up)
    for number, (why, best, page) in list(results.items()):
        record = databases[number]
        if why and record.get("coverage", True):
            trace.append((number, "uncovered", page, why))
        elif page:
            name = record.get("name") or keywords.strip().split("\n\n")[number].split("\n")[0]
            read = record["mcp_tool_name"].replace("search_docs", "read_page")
            call = f"{read} with {json.dumps({'url': page})}"
            end = f"{loading % read} The identical {tool} again reaches the web."
            lines = filter(None, [quote(best, budget), f"More: {call}. {end.lstrip()}"])
            reason = f"The page is in '{name}' - using RAG database instead"
            return [(number, "named", page, 0)], "\n".join([f"{reason}\n", *lines])
    return [], ""


def judge_page(index: sqlite3.Connection, question: "tuple[Address, str]") -> "Result":
    """Return the fetched page's address, and the passages that best match the question.

    Without a question, the passages are the section at the URL's anchor, or else the start of the
    page. Returns an empty result if the index does not contain the page.
    """
    address, prompt = question
    meta = dict(index.execute("SELECT name, value FROM meta"))
    page, url = find_page(index, address, meta.get("version", ""))
    if not page:
        return "", [], ""
    size = index.execute("SELECT max(id) FROM passages").fetchone()[0]
    own = range(find_start(index, page, size), find_start(index, page + 1, size))
    asked = {*REQUESTS.split(), *GENERAL.split()}
    words = [word for word in list_words(prompt[:MAX_QUERY]) if word not in asked]
    weights, rows = weigh(index, words, size)
    lacks = [word for word in weights if rows[word].isdisjoint(own)]
    if sum(weights[word] for word in lacks) > (1 - FITS) * sum(weights.values()):
        return f"the page lacks {', '.join(map(repr, lacks))}", [], url
    statement = "SELECT id FROM passages WHERE id BETWEEN ? AND ? AND anchor = ?"
    found = index.execute(statement, (own[0], own[-1], address[-1] or None)).fetchall()
    if weights:
        statement = f"""
            SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ? ORDER BY {BM25}
        """  # noqa: S608 - of a constant
        found += index.execute(statement, (match_any(weights), own[0], own[-1])).fetchall()
    best = list(dict.fromkeys(row for (row,) in found)) or [*own]
    return "", read_passages(index, best, meta), url


def read_address(url: str) -> "Address | None":
    """Return a URL's scheme, host without www., nondefault port, path, query and fragment.

    Returns None unless the URL is a plain page address.
    """
    plain = ADDRESS.fullmatch(url) if len(url) <= MAX_ADDRESS else None
    if not plain:
        return None
    scheme, host, port, path, query, fragment = (part or "" for part in plain.groups())
    scheme = scheme.lower()
    return scheme, host.lower(), "" if port == PORTS[scheme] else port, path, query, fragment


def find_page(index: sqlite3.Connection, address: "Address", version: str) -> "tuple[int, str]":
    """Return the number and address of the page for an address, or 0.

    The addresses may differ in the scheme, www., a trailing slash or index.html, and in the version
    if it is the documented version.
    """
    scheme, host, port, path, query, _ = address
    stem = INDEX.sub("", path)
    ends = [path, *(stem + end for end in ("", "/", "/index.html", "/index.htm"))]
    forms = [
        f"{scheme_name}://{name}{port and ':' + port}{way}{query}"
        for scheme_name in (scheme, *PORTS)
        for name in (host, f"www.{host}")
        for way in ends
    ]
    statement = f"SELECT url, id FROM pages WHERE url IN ({', '.join('?' * len(forms))})"  # noqa: S608
    known = dict(index.execute(statement, forms))
    for url in filter(known.get, forms):
        return known[url], url
    parts = stem.split("/")
    for place, part in enumerate(parts):
        number = NUMBER.fullmatch(part)
        pages = "SELECT id, url FROM pages" if number and is_same(number[1], version) else ""
        for page, url in index.execute(pages):
            other = read_address(url) or ("",) * 6
            own = INDEX.sub("", other[3]).split("/")
            is_named = len(own) == len(parts) and NAMED.fullmatch(own[place])
            own[place : place + 1] = [part]
            if is_named and (other[1], other[2], other[4], own) == (host, port, query, parts):
                return page, url
    return 0, ""


def is_same(version: str, other: str) -> bool:
    """Return whether two versions are equal up to the length of the shorter one."""
    known = re.match(r"v?([0-9.]+)", other)
    pairs = list(zip(version.split("."), known[1].split("."))) if known else []
    is_told = len(pairs) > 1 or int(version.partition(".")[0]) >= SURE
    return bool(pairs) and is_told and all(own == wanted for own, wanted in pairs)


def find_start(index: sqlite3.Connection, page: int, size: int) -> int:
    """Return the first passage of a page or, if it has none, of a later page."""
    low, high = 1, size + 1
    while low < high:
        middle = (low + high) // 2
        (own,) = index.execute("SELECT page FROM passages WHERE id = ?", (middle,)).fetchone()
        low, high = (middle + 1, high) if own < page else (low, middle)
    return low


# --- rendered as fields ---


def read_fetch(given: "dict[str, Any]") -> "tuple[str, str]":
    """Return a fetch's URL and the question about the page, or "" if the fetch continues a page."""
    return "" if given.get("offset") else given["url"], str(given.get("prompt") or "")
