"""The command `add`: import records from a catalogue, or write a new one."""

from typing import Annotated

import typer

from hookwright.catalogues.catalogue import find_source
from hookwright.cli.add import addition
from hookwright.cli.add.catalogue import take_records
from hookwright.cli.current_project import ChangeOptions, take_change_options

add_app = typer.Typer(rich_markup_mode=None)
add_app.command("database")(addition.add_database)
add_app.command("route")(addition.add_route)
add_app.command("lessons")(addition.add_lessons)
add_app.command("hook")(addition.add_hook)
add_app.command("client")(addition.add_client)


@add_app.callback(invoke_without_command=True)
@take_change_options
def add(
    context: typer.Context,
    *,
    source: Annotated[
        str, typer.Option("--from", metavar="FILE|URL", help="Import records from this catalogue.")
    ] = "",
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Import only this record; repeatable."),
    ] = None,
    options: ChangeOptions,
) -> int:
    """Add records, lessons, a hook or a client to a project."""
    if context.invoked_subcommand:
        if source or only or options != ChangeOptions():
            raise typer.BadParameter(f"put options after {context.invoked_subcommand}")
        return 0
    if not source:
        raise typer.BadParameter(
            "nothing to add: use add database, route, lessons, hook or client, "
            "or add --from FILE|URL"
        )
    sources = [find_source(source)]
    opened = options.open()
    return take_records(opened, sources, only or [], options=options)
