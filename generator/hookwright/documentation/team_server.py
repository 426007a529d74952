"""Search a team server's databases: list them, write records, test an answer.

The server's answers are third-party text: they are checked, and shown to the user before use.
"""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from hookwright.clients.claude.mcp_servers import McpServer, expand_values
from hookwright.clients.claude.tool_names import build_prefix
from hookwright.documentation.database_records import list_domains
from hookwright.documentation.proof import UnprovenError, call_tools, read_answer
from hookwright.documentation.registration import DATABASE, OUR_TOOLS, Server
from hookwright_console.errors import MisusedError, RefusedError, ReportedError
from hookwright_console.network.addresses import shorten_url
from hookwright_console.network.peers import is_loopback
from hookwright_console.objects import pick_texts
from hookwright_console.text import is_visible, make_printable, remove_hidden, shorten
from hookwright_documentation.cutting.page_files import SCHEMES
from hookwright_documentation.databases import NAME
from hookwright_documentation.sharing.manifest import refuse_ordinary

SERVER = "team-docs"  # default name in the client
VARIABLE = "HOOKWRIGHT_DOCS_TOKEN"  # environment variable that contains the token
PATH = "/mcp"
DATABASES = "hookwright/databases"  # key in the _meta of list_databases' answer
SEARCH, _, LIST = OUR_TOOLS
TIME_LIMIT = 30.0  # seconds
MAX_DATABASES = 100  # databases per server
MAX_KEYWORDS = 100  # keywords per database
MAX_TEXT = 200  # characters per text
SERVER_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,39}\Z")


@dataclass(frozen=True)
class SharedDatabase:
    """A server's database, as described by the server."""

    name: str
    keywords: tuple[str, ...]  # words that send a search to the database
    title: str
    prefix: str  # common prefix of its page addresses
    version: str  # the documented version, or ""
    pages: int  # number of pages


def find_address(text: str) -> str:
    """Return the address of a server's tools; raises RefusedError."""
    try:
        parts = urlsplit(text)
        known = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:
        known = False
    if not known or parts.query or parts.fragment or not text.isprintable():
        raise MisusedError(f"expected a URL with https://, got {shorten_url(text)}")
    if "@" in parts.netloc:
        raise MisusedError(f"the URL holds a password: set {VARIABLE} to a token instead")
    address = text.rstrip("/")
    return address if parts.path.rstrip("/").endswith(PATH) else address + PATH


def is_readable(address: str) -> bool:
    """Return whether the token could be intercepted on its way to an address."""
    parts = urlsplit(address)
    return parts.scheme == "http" and not is_loopback(parts.hostname or "")


def build_team_server(name: str, address: str, variable: str) -> Server:
    """Return the server in the client's format; raises RefusedError for an invalid name.

    The entry contains the name of the token's variable, never the token.
    """
    if not SERVER_NAME.match(name):
        raise MisusedError(f"--server: expected letters, digits and hyphens, got {shorten(name)}")
    entry: dict[str, Any] = {"type": "http", "url": address}
    if os.environ.get(variable):
        entry["headers"] = {"Authorization": f"Bearer ${{{variable}}}"}
    return Server(name, entry, OUR_TOOLS)


def list_shared(server: Server, variable: str) -> tuple[list[SharedDatabase], dict[str, str]]:
    """Return a server's databases in the server's order, and reasons for the exclusions, by name.

    Raises ReportedError if it does not answer, is another kind of server, or lists too many
    databases.
    """
    (result,), url = call_server(server, [(LIST, {})], variable), server.entry["url"]
    rows = (result.meta or {}).get(DATABASES)
    if not isinstance(rows, list):
        raise RefusedError(f"{url} does not list its databases: upgrade Hookwright there")
    if len(rows) > MAX_DATABASES:
        raise RefusedError(
            f"{url} lists over {MAX_DATABASES} databases: ask its owner to serve fewer"
        )
    databases: list[SharedDatabase] = []
    faults: dict[str, str] = {}
    for row in rows:
        try:
            databases.append(read_row(row, server))
        except RefusedError as error:  # noqa: PERF203 - the others are taken
            faults[find_name(row)] = str(error)
    names = [database.name for database in databases]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise RefusedError(f"{url} lists the database {twice} twice: ask its owner to fix it")
    return databases, faults


def find_name(row: Any) -> str:
    name = row.get("name") if isinstance(row, dict) else None
    return name if isinstance(name, str) else str(row)


def read_row(row: Any, server: Server) -> SharedDatabase:
    values = row if isinstance(row, dict) else {}
    name, pages = values.get("name"), values.get("pages")
    texts = {key: clean_line(values.get(key)) for key in ("title", "prefix", "version")}
    keywords = tuple(filter(None, map(clean_line, pick_texts(values, "keywords")[:MAX_KEYWORDS])))
    fits = {
        "name": isinstance(name, str) and NAME.match(name),
        "pages": type(pages) is int,
        "keywords": keywords,
        "prefix": is_address(values.get("prefix", "")),
    }
    for field, known in fits.items():
        if not known:
            what = f"{shorten(find_name(row))} ({field}: {shorten(str(values.get(field)))})"
            raise RefusedError(f"{server.entry['url']} lists an invalid database: {what}")
    refuse_ordinary(keywords, f"{server.entry['url']}: the database {name}")
    return SharedDatabase(str(name), keywords, **texts, pages=int(pages or 0))


def is_address(prefix: object) -> bool:
    if not isinstance(prefix, str) or len(prefix) > MAX_TEXT:
        return False
    try:
        parts = urlsplit(prefix)
    except ValueError:
        return False
    plain = is_visible(prefix) and not any(map(str.isspace, prefix)) and "@" not in parts.netloc
    return not prefix or (plain and parts.scheme in SCHEMES)


def clean_line(text: object) -> str:
    """Return `text` as one printable line, or "" if it is not a string."""
    line = " ".join(text[:MAX_TEXT].split()) if isinstance(text, str) else ""
    return make_printable(remove_hidden(line))


def build_record(database: SharedDatabase, server: Server) -> dict[str, Any]:
    domains = list_domains(database.prefix)
    first = database.keywords[0]
    return {
        "keywords": [*database.keywords],
        **({"name": database.name} if database.name != first else {}),
        "path": server.entry["url"],
        "mcp_tool_name": build_prefix(server.name) + SEARCH,
        "arguments": {DATABASE: database.name},
        "description": database.title or f"{first} documentation",
        **({"domains": domains} if domains else {}),
    }


def prove_shared(server: Server, databases: Sequence[SharedDatabase]) -> str:
    """Search each database of a server, and return the first address found."""
    queries = {database.name: f"{database.title} {database.keywords[0]}" for database in databases}
    calls = [(SEARCH, {DATABASE: name, "query": query}) for name, query in queries.items()]
    answers = list(map(read_answer, call_server(server, calls)))
    for database, answer in zip(databases, answers, strict=True):
        if not database.prefix or database.prefix not in answer:
            line = shorten(" ".join(answer.split()))
            raise UnprovenError(
                f"the server {server.name} finds nothing in {database.name}: {line}"
            )
    first = databases[0].prefix
    return next((word for word in answers[0].split() if word.startswith(first)), first)


def call_server(
    server: Server, calls: Sequence[tuple[str, Mapping[str, Any]]], variable: str = VARIABLE
) -> list[Any]:
    entry = server.entry
    headers = expand_values(entry, "headers") or {"Authorization": f"Bearer ${{{variable}}}"}
    reached = McpServer(server.name, "user", Path(), kind="http", url=entry["url"], headers=headers)
    results, fault, _ = call_tools(reached, calls, TIME_LIMIT)
    if fault:
        from hookwright_documentation.sources.site.failures import explain_untrusted, is_untrusted

        way_out = fault.way_out or "check the address, and that the server runs"
        if is_untrusted(fault.text):
            way_out = explain_untrusted(fault.text)
        raise ReportedError(f"the server {server.name} {fault.text}: {way_out}")
    return results
