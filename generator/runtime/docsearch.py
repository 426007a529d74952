"""Send a web search that names a documented technology to its documentation database.

What follows the marker becomes the docsearch hook, below the tables that the answers are compiled
into and that this module shows empty.
"""

from typing import TYPE_CHECKING

from event import explain
from memory import find_folder, forget_expired, name_memory, recall_denial, remember_denial

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Decision = tuple[str, str]

KEYWORDS = ""
DATABASES = "[]"
RETRY_WINDOW = 300

# --- rendered from here on ---


def decide_search(
    raw: bytes,
    sift: "Callable[..., list[tuple[int, str]]] | None" = None,
    record: "Callable[..., None] | None" = None,
) -> "Decision | None":
    """Return the reason and the context to deny the web search in `raw` with, or None.

    `sift` drops from the databases that keywords name those that the query does not mean; `record`
    is told of each database that a denial names. A session that starts is no web search either; it
    only has what expired removed. Raises any exception for bytes that are no event, or where a
    denial could not be remembered: the call is let through then, for a search that is not
    remembered would be denied for ever.
    """
    query = peek_query(raw)
    named = match_keywords(query) if query else []
    if query is not None and not named and b'"allowed_domains"' not in raw:
        explain(f"no keyword in the query {query!r}")
        return None
    import json

    event = json.loads(raw.decode())
    if event["hook_event_name"] == "SessionStart":
        forget_expired(find_folder(), "docsearch", RETRY_WINDOW)
        return None
    if (event["hook_event_name"], event["tool_name"]) != ("PreToolUse", "WebSearch"):
        return None
    search = {"query": event["tool_input"]["query"]}
    for domains in ("allowed_domains", "blocked_domains"):
        search[domains] = sorted(set(event["tool_input"].get(domains) or ()))
    if search["query"] != query:
        named = match_keywords(search["query"])
    databases = json.loads(DATABASES)
    if sift:
        named = sift(named, search["query"], databases)
    matches = add_restricted(named, search["allowed_domains"], databases)
    explain(f"the query {search['query']!r} matches {matches}")
    if not matches:
        return None
    folder = find_folder()
    forget_expired(folder, "docsearch", RETRY_WINDOW)
    memory = f"{folder}/{name_memory('docsearch', event, search)}.json"
    if recall_denial(memory, search, RETRY_WINDOW):
        explain("let through: the identical search was denied before")
        return None
    remember_denial(memory, search)
    decision = word_denial([(name, databases[number]) for number, name in matches])
    if record:
        record(matches, databases, event, decision)
    return decision


def peek_query(raw: bytes) -> "str | None":
    r"""Return the query without parsing the event, or None where that takes a parser.

    Certain: without a \u escape a key stands in the bytes just as it is spelled, so that the only
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
            if word in query and stands_alone(word, query):
                spelled = KEYWORDS.strip().split("\n\n")[number].split("\n")
                matches.append((number, spelled[block.split("\n").index(word)]))
                break
    return matches


def stands_alone(keyword: str, query: str) -> bool:
    """Tell whether the keyword occurs in the query as a whole word; both are case-folded."""
    start = -1
    while (start := query.find(keyword, start + 1)) >= 0:
        end = start + len(keyword)
        before, after = query[start - 1 : start], query[end : end + 1]
        if not extends(keyword[0], before) and not extends(keyword[-1], after):
            return True
    return False


def extends(edge: str, neighbour: str) -> bool:
    """Tell whether the character beside a keyword makes one word with the keyword's edge.

    Scripts that put no spaces between words do not, so that "如何配置gitlab" names gitlab: by code
    point, Thai and all that follows it except accented Latin and Greek letters.
    """
    for character in (edge, neighbour):
        if "\u0e00" <= character < "\u1e00" or character >= "\u2000":
            return False
    return neighbour.isalnum() or neighbour == "_" or "\u0300" <= neighbour <= "\u036f"


def add_restricted(
    named: "list[tuple[int, str]]", allowed_domains: "list[str]", databases: "list[dict[str, Any]]"
) -> "list[tuple[int, str]]":
    """Return the databases that keywords name, and those whose domains a search is restricted to.

    These come by their number, with their own domain in the place of a keyword.
    """
    matches = dict(named)
    hosts = ["." + domain.casefold().partition("/")[0] for domain in allowed_domains]
    for number, database in enumerate(databases):
        own = {"." + domain.casefold(): domain for domain in database.get("domains", ())}
        if hosts and all(host.endswith(tuple(own)) for host in hosts):
            matches.setdefault(number, next(own[end] for end in own if hosts[0].endswith(end)))
    return sorted(matches.items())


def word_denial(matches: "list[tuple[str, dict[str, Any]]]") -> "tuple[str, str]":
    """Return the reason and the context of a denial that sends the agent to these databases.

    Each database comes with the keyword or the domain that names it.
    """
    import json

    several = len(matches) > 1
    context = "Call these MCP tools IN PARALLEL" if several else "Call this MCP tool"
    context += " with your query:"
    for number, (_, database) in enumerate(matches, start=1):
        context += f"\n{number}. " if several else " "
        context += database["mcp_tool_name"]
        if database.get("arguments"):
            context += " with " + json.dumps(database["arguments"], ensure_ascii=False)
        context += f" for {database['description']} at {database['path']}"
    tools = ",".join(dict.fromkeys(database["mcp_tool_name"] for _, database in matches))
    names = " and ".join(dict.fromkeys(f"'{name}'" for name, _ in matches))
    context += f'\nNot loaded yet? ToolSearch "select:{tools}" loads it. '
    context += "If the answer falls short, repeat the identical WebSearch: it will reach the web."
    return f"Query matches {names} - using RAG database{'s' * several} instead", context
