"""Send searches to the databases of a team's server."""

from pathlib import Path
from typing import Annotated, Any

import typer

from hookwright.answers.schema import name_database
from hookwright.answers.validation import refuse_faults
from hookwright.cli.options import AsJson, Commits, InProjectOrNew, Yes
from hookwright.cli.terminal import building, print_note
from hookwright.discovery.ambiguous_keywords import explain_meanings
from hookwright.documentation.database_records import is_of, list_shared_words
from hookwright.documentation.projects import ProjectRegistration, check_project
from hookwright.documentation.registration import Server, is_registered
from hookwright.documentation.team_server import (
    SERVER,
    VARIABLE,
    SharedDatabase,
    build_record,
    build_team_server,
    find_address,
    is_readable,
    list_shared,
    prove_shared,
)
from hookwright.project.current import find_project, find_project_place
from hookwright.project.record_changes import add_databases
from hookwright.template.store import find_template
from hookwright_console.errors import DeclinedError, RefusedError
from hookwright_console.terminal import agree, ask_yes, check_terminal, print_line, print_table
from hookwright_console.text import shorten, suggest

COLUMNS = ("database", "keywords", "domains", "description", "version", "pages")


def connect(
    url: Annotated[
        str,
        typer.Argument(metavar="URL", help="The server, such as https://docs.team.example."),
    ],
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="The databases to use.", show_default="all"),
    ] = None,
    *,
    server: Annotated[str, typer.Option(help="How the clients call the server.")] = SERVER,
    token_variable: Annotated[
        str,
        typer.Option(metavar="NAME", help="The environment variable that holds your token."),
    ] = VARIABLE,
    project: InProjectOrNew = None,
    yes: Yes = False,
    commit: Commits = True,
    as_json: AsJson = False,
) -> int:
    """Send searches to the databases of a team's server.

    It shows what the server offers, asks, and tests that a search is answered. The token stays in
    the environment, where each client reads it at each start. hookwright remove undoes it.
    """
    if not token_variable.isidentifier():
        raise typer.BadParameter(
            f"--token-variable: expected a name, got {shorten(token_variable)}"
        )
    with building(as_json=as_json) as report:
        target = build_team_server(server, find_address(url), token_variable)
        check_terminal(yes=yes)  # once the arguments are known to be valid
        address = target.entry["url"]
        if is_readable(address):
            risk = "others on the network can read your token and searches"
            print_note(f"{address} is not encrypted: {risk}")
            if not yes and not ask_yes("Send your token anyway?", default=False):
                raise DeclinedError("nothing changed, and nothing was sent")
        is_registered(target)  # raises if the client has another server with this name
        offered, faults = list_shared(target, token_variable)
        databases = choose_databases(offered, faults, names or [], target)
        print_note(*(f"{fault}: left out" for fault in faults.values() if not names))
        report(add(target, databases, project, yes=yes, commit=commit))
    return 0


def choose_databases(
    databases: list[SharedDatabase], faults: dict[str, str], names: list[str], server: Server
) -> list[SharedDatabase]:
    """Return the named databases, or all; `faults` is the reason for each exclusion."""
    known = {database.name: database for database in databases}
    url = server.entry["url"]
    empty = next(iter(faults.values()), f"{url} has no database yet: ask its owner")
    for name in names:
        if name not in known:
            near = suggest(name, known) or f"it has {', '.join(known)}"
            missing = f"{url} has no database {shorten(name)}: {near}" if known else empty
            raise RefusedError(faults.get(name, missing))
    if not known:
        raise RefusedError(empty)
    return [known[name] for name in dict.fromkeys(names)] if names else databases


def add(
    server: Server, databases: list[SharedDatabase], folder: Path | None, *, yes: bool, commit: bool
) -> dict[str, Any]:
    """Show the databases, confirm, and route searches to them; return the results for scripts."""
    records = [build_record(database, server) for database in databases]
    url = server.entry["url"]
    refuse_faults(find_template(), "databases", records, whose=f"{url} lists an invalid record")
    project = find_project(folder)
    if project:
        check_project(
            project,
            set(map(name_database, records)),
            lambda record: is_of(record, server.name),
            "name the databases to connect",
        )
    cells = [
        [
            database.name,
            ", ".join(database.keywords),
            ", ".join(record.get("domains", ())),
            database.title,
            database.version,
            f"{database.pages:,}",
        ]
        for database, record in zip(databases, records, strict=True)
    ]
    print_line(f"{url} offers, in its own words:")
    print_table(COLUMNS, cells, wrapped=("keywords", "description"))
    print_note(*list_shared_words(project.databases if project else (), records, server.name))
    for record in records:
        name = name_database(record)
        print_note(*(f"{name}: {line}" for line in explain_meanings(record)))
    place = project.name if project else str(find_project_place(folder))
    agree(f"Send searches with these keywords there, from {place}?", yes=yes, default=True)

    def prove() -> str:
        found = prove_shared(server, databases)
        print_line(f"{server.full_tools[0]} finds {found}")
        return found

    project, found = ProjectRegistration(server, commits=commit).run(
        project,
        find_project_place(folder),
        records,
        lambda kept: add_databases(kept, records, replaces=True),
        prove=prove,
        message=f"Add {', '.join(map(name_database, records))} of {server.name}",
        yes=yes,
    )
    names = [database.name for database in databases]
    print_line(f"{project.name} sends searches to {', '.join(names)} of {server.name}")
    return {
        "server": server.name,
        "url": url,
        "databases": names,
        "project": str(project.folder),
        "proof": found,
    }
