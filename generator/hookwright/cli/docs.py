"""List, search, refresh and serve the documentation databases."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.filesize import decimal

from hookwright.cli.options import AsJson, DatabaseName, Yes, complete_database
from hookwright.cli.terminal import building, print_note
from hookwright_console.errors import RefusedError, ReportedError
from hookwright_console.extras import needing
from hookwright_console.terminal import agree, count, dump, fit, print_line, print_table
from hookwright_console.text import escape_hidden, suggest
from hookwright_documentation.build import agree_to_loss, find_former
from hookwright_documentation.databases import (
    MAX_TOP_K,
    TOP_K,
    count_days,
    describe_database,
    list_names,
)

if TYPE_CHECKING:
    from hookwright_documentation.refresh import MovedTag

COLUMNS = ("database", "pages", "passages", "version", "crawled", "size", "license", "engine")

docs_app = typer.Typer(rich_markup_mode=None)
NO_DATABASES = "no documentation databases yet: create one with hookwright setup"


@docs_app.callback(invoke_without_command=True)
def docs(context: typer.Context, *, as_json: AsJson = False) -> int:
    """List the documentation databases, or search one."""
    if context.invoked_subcommand:
        if as_json:
            raise typer.BadParameter(f"put options after {context.invoked_subcommand}")
        return 0
    rows = [describe_database(name) for name in list_names()]
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


def refresh(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME",
            help="The names of databases in hookwright docs.",
            show_default="all",
            autocompletion=complete_database,
        ),
    ] = None,
    *,
    yes: Yes = False,
    as_json: AsJson = False,
) -> int:
    """Fetch changes to documentation databases."""
    with building(as_json=as_json) as report:
        rows = refresh_all(names or [], yes=yes, goes_on=as_json)
        report(rows)
    return int(any("error" in row for row in rows))


def refresh_all(names: list[str], *, yes: bool, goes_on: bool) -> list[dict[str, Any]]:
    """Refresh databases in turn, and return the results for scripts.

    With `goes_on`, or if there are several, an error does not stop the others. Without `names`, a
    database that cannot be fetched is not an error.
    """
    from hookwright_documentation.refresh import UnfetchableError
    from hookwright_documentation.refresh import refresh as refresh_database

    there = list_names()
    for name in names:
        if name not in there and not find_former(name)[1]:
            raise refuse_unknown(name)
    every, rows = names or there, []
    if not every:
        print_line(NO_DATABASES)
    for name in every:
        try:
            built, pin = refresh_database(name, agree_to_loss(yes=yes), agree_to_move(yes=yes))
        except ReportedError as error:  # noqa: PERF203 - the others are refreshed
            is_skipped = not names and isinstance(error, UnfetchableError)
            if not (is_skipped or goes_on or len(every) > 1):
                raise
            line = str(error)
            print_note(line if line.startswith((f"{name}:", f"{name} ")) else f"{name}: {line}")
            rows.append({"name": name, "skipped" if is_skipped else "error": line})
        else:
            if pin and not built.is_new:
                print_line(
                    f"{name}: {pin.reference} is unchanged since it was pulled: {pin.digest}"
                )
            built.show()
            pulled = {"reference": str(pin.reference), "digest": pin.digest} if pin else {}
            rows.append(built.export() | pulled)
    return rows


def agree_to_move(*, yes: bool) -> Callable[["MovedTag"], None]:
    def agree_or_refuse(moved: "MovedTag") -> None:
        from hookwright.cli.share.importing import describe_archive

        reference, name = moved.before.reference, moved.recipe.name
        print_line(f"{reference} has moved from {moved.before.digest} to {moved.digest}")
        describe_archive(moved.archive, moved.recipe, moved.dropped, moved.old)
        if not yes and not sys.stdin.isatty():
            raise RefusedError(
                f"{reference} has moved, and {name} stays as it is: add --yes to replace it"
            )
        agree(f"Replace {name} with it?", yes=yes)

    return agree_or_refuse
