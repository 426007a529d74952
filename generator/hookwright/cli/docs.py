"""List the documentation databases, search them like an agent, and serve them."""

import sys
from typing import Annotated, Any

import typer
from rich.filesize import decimal

from hookwright.cli.options import AsJson
from hookwright.cli.terminal import print_note
from hookwright_console.errors import RefusedError
from hookwright_console.extras import needing
from hookwright_console.terminal import count, dump, fit, print_line, print_table
from hookwright_console.text import escape_hidden, suggest
from hookwright_documentation.databases import MAX_TOP_K, TOP_K, count_days, describe, list_names

COLUMNS = ("database", "pages", "passages", "version", "crawled", "size", "license", "engine")

docs_app = typer.Typer(rich_markup_mode=None)
NO_DATABASES = "no documentation databases yet: create one with hookwright setup"


def complete_name(incomplete: str) -> list[str]:
    return [name for name in list_names() if name.startswith(incomplete)]


DatabaseName = Annotated[
    str, typer.Argument(help="A database in hookwright docs.", autocompletion=complete_name)
]


@docs_app.callback(invoke_without_command=True)
def docs(context: typer.Context, *, as_json: AsJson = False) -> int:
    """List the documentation databases, or search one."""
    if context.invoked_subcommand:
        if as_json:
            raise typer.BadParameter(f"put options after {context.invoked_subcommand}")
        return 0
    rows = [describe(name) for name in list_names()]
    if as_json:
        print(dump(rows, indent=2))
    elif not rows:
        print_line(NO_DATABASES)
    else:
        sound = [row for row in rows if "error" not in row]
        if sound:
            print_table(COLUMNS, [list_cells(row) for row in sound], wrapped=("version",))
        for row in rows:
            if "error" in row:
                print_line(row["error"])
    return int(any("error" in row for row in rows))


def list_cells(row: dict[str, Any]) -> list[str]:
    days = count_days(row["crawled"])
    texts = [
        row["name"],
        f"{row['pages']:,}",
        f"{row['passages']:,}",
        row["version"],
        "unknown" if days is None else f"{count(days, 'day')} ago" if days > 0 else "today",
        decimal(row["bytes"]),
        row["license"] or "unknown",
        row["engine"],
    ]
    return [escape_hidden(" ".join(text.split())) for text in texts]


@docs_app.command("search")
def search(
    name: DatabaseName,
    query: Annotated[list[str], typer.Argument(metavar="QUERY", help="What to search for.")],
    *,
    top_k: Annotated[
        int, typer.Option(min=1, max=MAX_TOP_K, help="The number of passages.")
    ] = TOP_K,
    as_json: AsJson = False,
) -> int:
    """Show what an agent gets from a search.

    With --json, passages are not cut.
    """
    words = " ".join(query)
    if name not in list_names():
        raise refuse_unknown(name)
    with needing("docs"):
        from hookwright_documentation.serving import tools

        arguments = {"database": name, "query": words, "top_k": top_k}
        if as_json:
            _, hits = tools.search(arguments)
            print(dump([tools.describe_hit(hit) for hit in hits], indent=2))
            return 0
        answer = tools.call_tool(tools.SEARCH, arguments)
    for line in escape_hidden(answer).split("\n"):
        print(fit(line, sys.stdout, ""))
    return 0


def docs_mcp() -> None:
    """Serve your documentation databases to a coding agent over MCP.

    The agent starts this command and talks to it over stdin and stdout; hookwright setup registers
    it. It offers the tools search_docs, read_page and list_databases.
    """
    if sys.stdin.isatty():
        print_note("waiting for an MCP client on stdin: press Ctrl-C to end")
    from hookwright_documentation.serving.stdio import serve_stdio

    serve_stdio()


def refuse_unknown(name: str) -> RefusedError:
    known = list_names()
    if not known:
        return RefusedError(NO_DATABASES)
    near = suggest(name, known)
    return RefusedError(f"no documentation database '{name}': {near or 'see hookwright docs'}")
