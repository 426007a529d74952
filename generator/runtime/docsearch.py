"""Send a web search that names a documented technology to its documentation database.

What follows the marker becomes part of the docsearch hook. Its tables, which are empty here, are
compiled from the answers.
"""

from typing import TYPE_CHECKING

from claude.calls import CALL, LOADING, SEARCH, START
from event import explain
from search_repetition import forget_searches, identify_search
from steps import take_steps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from steps import Decision, Step

    Match = tuple[int, str, dict[str, Any]]
    Trace = list[tuple[Any, ...]]

KEYWORDS = ""
DATABASES = "[]"

# --- rendered from here on ---


def may_match(raw: bytes) -> bool:
    """Tell from the bytes of an event whether its search might name a database."""
    query = peek_query(raw)
    if query is None or b'"allowed_domains"' in raw or match_keywords(query):
        return True
    explain(f"no keyword in the query {query!r}")
    return False


def decide_search(
    event: "dict[str, Any]",
    sift: "Callable[..., list[tuple[int, str]]] | None",
    steps: "Iterable[Step]",
    trace: "Trace",
) -> "Decision | None":
    """Return the reason and the context to deny a web search with, or None.

    `sift` drops databases whose keyword means something else in this query; a denial goes through
    the steps; `trace` gets what became of each database. At the start of a session, expired denials
    are removed. Raises any exception for an event that is not as expected.
    """
    import json

    if event["hook_event_name"] == START:
        forget_searches()
        return None
    if (event["hook_event_name"], event["tool_name"]) != (CALL, SEARCH):
        return None
    search = identify_search(event)
    query = search["query"]
    databases = json.loads(DATABASES)
    named = match_keywords(query)
    if sift:
        named = sift(named, query, databases, trace)
    found = []
    for number, name in add_restricted(named, search["allowed_domains"], databases):
        end = find_end(name.casefold(), query.casefold()) if (number, name) in named else 0
        trace.append((number, "keyword" if end else "domain", name, end))
        found.append((number, name, databases[number]))
    explain(f"the query {query!r} matches {[name for _, name, _ in found]}")
    return take_steps(steps, found, event, word_denial(found)) if found else None


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


def word_denial(matches: "list[Match]") -> "Decision":
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
