"""Redirect a web search about a documented technology to the technology's documentation database.

Its tables, empty here, are generated from the answers.
"""

import sys
from typing import TYPE_CHECKING

from runtime.dialects.claude import CALL, LOADING, SEARCH, START, find_memory_folder, read_event
from runtime.disabled import is_disabled
from runtime.event import explain
from runtime.matching import KEYWORDS, match_keywords
from runtime.memory import forget_expired, name_memory, recall_denial, remember_denial
from runtime.record import record_block

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from runtime.matching import Match

    Decision = tuple[str, str]

DATABASES = "[]"
RETRY_WINDOW = 300
LOADED: "tuple[str, ...]" = ()
INDEXES: "dict[int, str]" = {}  # index names by database number
ANSWER_BUDGET = 2500
SIFTS: "tuple[Callable[..., list[Match]], ...]" = ()

# --- rendered from here on ---


def decide(raw: bytes, trace: "list[Any]", *steps: "Callable[..., Decision]") -> "Decision | None":
    """Return the reason and context to deny the search in `raw`, or None.

    Each named database adds a tuple to `trace`: its number, the outcome (named, disabled), the
    keyword or domain, and where a keyword ends in the case-folded query, or until when the database
    is disabled. Each keyword that is also an ordinary word adds a tuple (weighed) with the words
    for and against the database, and their points.

    `steps` remember and log a denial; `hookwright try` passes none, so nothing is written. Raises
    any exception for invalid events; the search is then allowed.
    """
    query = peek_query(raw)
    found = match_keywords(query, trace) if query is not None else None
    if found == [] and b'"allowed_domains"' not in raw:
        explain("no keyword in the query " + repr(query) + " is meant: " + repr(trace))
        return None
    import json

    event = read_event(raw)
    if event["hook_event_name"] == START:
        forget_expired(find_memory_folder(), "docsearch", RETRY_WINDOW)
    if (event["hook_event_name"], event.get("tool_name")) != (CALL, SEARCH):
        return None
    search = {"query": event["tool_input"]["query"]}
    for domains in ("allowed_domains", "blocked_domains"):
        search[domains] = sorted(set(event["tool_input"].get(domains) or ()))
    event["tool_input"] = search  # a search is identified by its query and domains
    databases = json.loads(DATABASES)
    found = match_keywords(search["query"], trace) if found is None else found
    for sift in SIFTS:
        found = sift(found, search, databases, trace)
    trace.extend(found)
    explain("the query " + repr(search["query"]) + " names " + repr(trace))
    decision = format_denial(found, databases) if found else None
    for step in steps:
        if decision and decision[0]:
            decision = step(found, event, decision)
    return decision


def peek_query(raw: bytes) -> "str | None":
    r"""Return the query without parsing the event, or None if parsing is necessary.

    This is reliable: without a \u escape, a key appears literally, so the only "query" in the bytes
    is that key, and plain ASCII text after it is the whole query.
    """
    _, _, value = raw.partition(b'"query"')
    colon, _, rest = value.partition(b'"')
    query, _, _ = rest.partition(b'"')
    plain = colon.strip() == b":" and query.isascii() and b"\\" not in query
    if plain and b'"query"' not in value and b"\\u" not in raw.replace(b"\\\\", b""):
        return query.decode()
    return None


# --- rendered as denial ---


def format_denial(matches: "list[Match]", databases: "list[dict[str, Any]]") -> "Decision":
    """Return the reason and context of a denial that sends the agent to these databases.

    The reason contains the passages of databases that answer directly, because agents trust
    additional context like the user, but treat a reason like a search result.
    """
    import json

    others = [match for match in matches if "answer" not in databases[match[0]]]
    several = len(others) > 1
    context = "Call these MCP tools IN PARALLEL" if several else "Call this MCP tool"
    context += " with your query:"
    for place, match in enumerate(others, start=1):
        database = databases[match[0]]
        context += f"\n{place}. " if several else " "
        context += database["mcp_tool_name"]
        if database.get("arguments"):
            context += " with " + json.dumps(database["arguments"], ensure_ascii=False)
        context += f" for {database['description']}"
        if not database.get("arguments"):  # the agent finds the argument from the path
            context += f" at {database['path']}"
    tools = dict.fromkeys(databases[match[0]]["mcp_tool_name"] for match in others)
    missing = ",".join(tool for tool in tools if not tool.startswith(LOADED))
    names = " and ".join(dict.fromkeys(f"'{match[2]}'" for match in matches))
    context += f"\n{LOADING % missing} " if missing else "\n"
    context += f"The identical {SEARCH} again reaches the web."
    reason = f"Query matches {names} - using RAG database{'s' * (len(matches) > 1)} instead"
    answers = [databases[match[0]].get("answer") for match in matches]
    return "\n\n".join([reason, *filter(None, answers)]), context if others else ""


# --- rendered as repetition ---


def allow_repeated_search(_: object, event: "dict[str, Any]", decision: "Decision") -> "Decision":
    """Return the decision, or allow the search if an identical one was denied before.

    Raises OSError if the denial cannot be saved, because the search would otherwise be denied
    forever.
    """
    search, folder = event["tool_input"], find_memory_folder()
    forget_expired(folder, "docsearch", RETRY_WINDOW)
    memory = f"{folder}/{name_memory('docsearch', event, search)}.json"
    if recall_denial(memory, search, RETRY_WINDOW):
        explain("let through: the identical search was denied before")
        return "", ""
    remember_denial(memory, search)
    return decision


# --- rendered as record ---


def record_search(
    matches: "list[Match]", event: "dict[str, Any]", decision: "Decision"
) -> "Decision":
    """Log a denial under the name or first keyword of each database; return the decision."""
    import json

    databases, blocks = json.loads(DATABASES), KEYWORDS.strip().split("\n\n")
    for match in matches:
        number = match[0]
        name = databases[number].get("name", blocks[number].split("\n")[0])
        record_block({"name": name}, event, decision)
    return decision


# --- rendered as disabling ---


def drop_disabled(
    found: "list[Match]",
    _: object,
    databases: "list[dict[str, Any]]",
    trace: "list[Any]",
) -> "list[Match]":
    """Return the databases named by a search that are not disabled."""
    kept = []
    for match in found:
        database = databases[match[0]]
        if is_disabled(database):
            trace.append((match[0], "disabled", match[2], [database["disabled"]]))
        else:
            kept.append(match)
    return kept


# --- rendered as domains ---


def add_restricted(
    found: "list[Match]",
    search: "dict[str, Any]",
    databases: "list[dict[str, Any]]",
    _: object,
) -> "list[Match]":
    """Return the databases matched by keyword, and those matched by a domain restriction.

    A match by domain contains the domain instead of a keyword.
    """
    matches = {match[0]: match for match in found}
    hosts = ["." + domain.casefold().partition("/")[0] for domain in search["allowed_domains"]]
    for number, database in enumerate(databases):
        own = {"." + domain.casefold(): domain for domain in database.get("domains", ())}
        if hosts and all(host.endswith(tuple(own)) for host in hosts):
            name = next(own[end] for end in own if hosts[0].endswith(end))
            matches.setdefault(number, (number, "named", name, 0))
    return sorted(matches.values())


# --- rendered as passages ---


def ask_indexes(
    found: "list[Match]", search: "Any", databases: "list[Any]", trace: "list[Any]"
) -> "list[Match]":
    """Return the databases that may answer the search, and add passages if an index has some.

    The module docsearch_answer, next to this file, queries the indexes; the hook also works without
    it.
    """
    settings = (INDEXES, KEYWORDS, ANSWER_BUDGET, SEARCH, "%.0s" if LOADED else LOADING)
    try:
        module = load_neighbour("docsearch_answer")
        left: list[Match] = module.ask_indexes(found, search["query"], databases, trace, settings)
    except Exception:  # noqa: BLE001 - it may be missing, or not for this Python
        return found
    return left


def load_neighbour(hook: str) -> "Any":
    """Return a script of the project from this file's folder as a module; raises any exception."""
    folder, _, name = __file__.replace("\\", "/").rpartition("/")
    sys.path.append(folder)
    return __import__(hook + name[: -len(".py")].partition("docsearch")[2])
