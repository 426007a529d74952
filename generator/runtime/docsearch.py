"""Send a web search that names a documented technology to its documentation database.

What follows the marker becomes part of the docsearch hook. Its tables, which are empty here, are
compiled from the answers.
"""

from typing import TYPE_CHECKING

from .claude.calls import CALL, LOADING, SEARCH, START, read_event
from .claude.folder import find_folder
from .event import explain
from .memory import forget_expired

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Decision = tuple[str, str]

KEYWORDS = ""
DATABASES = "[]"
RETRY_WINDOW = 300
SIFT: "Callable[..., list[tuple[int, str]]] | None" = None

# --- rendered from here on ---


def decide(raw: bytes, trace: "list[Any]", *steps: "Callable[..., Decision]") -> "Decision | None":
    """Return the reason and the context to deny the search in `raw` with, or None.

    Each database that is named adds a tuple to `trace`: its number, what became of it (named,
    unless, with), the keyword or domain, and where a keyword ends in the case-folded query; or for
    unless and with, the words that veto it.

    A denial goes through the steps, which remember and record it: without them, as `hookwright try`
    calls this, nothing is written. Raises any exception for bytes that are not an event: the search
    goes through then.
    """
    query = peek_query(raw)
    if query is None or b'"allowed_domains"' in raw or match_keywords(query):
        return decide_search(read_event(raw), trace, steps)
    explain("no keyword in the query " + repr(query))
    return None


def decide_search(
    event: "dict[str, Any]", trace: "list[Any]", steps: "tuple[Callable[..., Decision], ...]"
) -> "Decision | None":
    """Return the decision about a web search, as `decide` does."""
    import json

    if event["hook_event_name"] == START:
        forget_expired(find_folder(), "docsearch", RETRY_WINDOW)
    if (event["hook_event_name"], event.get("tool_name")) != (CALL, SEARCH):
        return None
    search = {"query": event["tool_input"]["query"]}
    for domains in ("allowed_domains", "blocked_domains"):
        search[domains] = sorted(set(event["tool_input"].get(domains) or ()))
    event["tool_input"] = search  # all that tells searches apart, for the steps
    query, databases = search["query"], json.loads(DATABASES)
    named = match_keywords(query)
    if SIFT:
        named = SIFT(named, query, databases, trace)
    found = []
    for number, name in add_restricted(named, search["allowed_domains"], databases):
        end = find_end(name.casefold(), query.casefold()) if (number, name) in named else 0
        trace.append((number, "named", name, end))
        found.append((number, name, databases[number]))
    explain("the query " + repr(query) + " names " + repr(trace))
    decision = word_denial(found) if found else None
    for step in steps:
        if decision and decision[0]:
            decision = step(found, event, decision)
    return decision


def peek_query(raw: bytes) -> "str | None":
    r"""Return the query without parsing the event, or None if that takes a parser.

    This is certain: without a \u escape, a key looks in the bytes as it is spelled, so the only
    "query" there is the query's key, and plain ASCII text behind it is the whole query.
    """
    _, _, value = raw.partition(b'"query"')
    colon, _, rest = value.partition(b'"')
    query, _, _ = rest.partition(b'"')
    plain = colon.strip() == b":" and query.isascii() and b"\\" not in query
    if plain and b'"query"' not in value and b"\\u" not in raw.replace(b"\\\\", b""):
        return query.decode()
    return None


def match_keywords(query: str) -> "list[tuple[int, str]]":
    """Return the number of each database that the query names, with the keyword that names it."""
    query = query.casefold()
    matches = []
    for number, block in enumerate(KEYWORDS.casefold().strip().split("\n\n")):
        for word in block.split("\n"):
            if word in query and find_end(word, query):
                spelled = KEYWORDS.strip().split("\n\n")[number].split("\n")
                matches.append((number, spelled[block.split("\n").index(word)]))
                break
    return matches


def find_end(keyword: str, query: str) -> int:
    """Return where the keyword, as a whole word, ends in the query; 0 if it is not there.

    Both are case-folded.
    """
    start = -1
    while (start := query.find(keyword, start + 1)) >= 0:
        end = start + len(keyword)
        before, after = query[start - 1 : start], query[end : end + 1]
        if not extends(keyword[0], before) and not extends(keyword[-1], after):
            return end
    return 0


def extends(edge: str, neighbour: str) -> bool:
    """Tell whether the character beside a keyword makes one word with the keyword's edge.

    Scripts without spaces between words do not, so that "如何配置gitlab" names gitlab. By code
    point, these are Thai and all that follows it except accented Latin and Greek letters.
    """
    for character in (edge, neighbour):
        if "\u0e00" <= character < "\u1e00" or character >= "\u2000":
            return False
    return neighbour.isalnum() or neighbour == "_" or "\u0300" <= neighbour <= "\u036f"


def add_restricted(
    named: "list[tuple[int, str]]", allowed_domains: "list[str]", databases: "list[dict[str, Any]]"
) -> "list[tuple[int, str]]":
    """Return the databases that keywords name, and those whose domains a search is restricted to.

    The latter have their own domain in the place of a keyword.
    """
    matches = dict(named)
    hosts = ["." + domain.casefold().partition("/")[0] for domain in allowed_domains]
    for number, database in enumerate(databases):
        own = {"." + domain.casefold(): domain for domain in database.get("domains", ())}
        if hosts and all(host.endswith(tuple(own)) for host in hosts):
            matches.setdefault(number, next(own[end] for end in own if hosts[0].endswith(end)))
    return sorted(matches.items())


def word_denial(matches: "list[tuple[int, str, dict[str, Any]]]") -> "Decision":
    """Return the reason and the context of a denial that sends the agent to these databases.

    A match is the database's number, the keyword or the domain that names it, and its row.
    """
    import json

    several = len(matches) > 1
    context = "Call these MCP tools IN PARALLEL" if several else "Call this MCP tool"
    context += " with your query:"
    for place, (_, _, database) in enumerate(matches, start=1):
        context += f"\n{place}. " if several else " "
        context += database["mcp_tool_name"]
        if database.get("arguments"):
            context += " with " + json.dumps(database["arguments"], ensure_ascii=False)
        context += f" for {database['description']} at {database['path']}"
    tools = ",".join(dict.fromkeys(database["mcp_tool_name"] for _, _, database in matches))
    names = " and ".join(dict.fromkeys(f"'{name}'" for _, name, _ in matches))
    context += f"\n{LOADING % tools} "
    context += f"If the answer falls short, repeat the identical {SEARCH}: it will reach the web."
    return f"Query matches {names} - using RAG database{'s' * several} instead", context
