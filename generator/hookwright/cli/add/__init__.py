"""Add records to a project: one a verb."""

import typer

from hookwright.cli.add import database, route

add_app = typer.Typer(rich_markup_mode=None)
add_app.command("database")(database.add_database)
add_app.command("route")(route.add_route)


@add_app.callback(invoke_without_command=True)
def add(context: typer.Context) -> None:
    """Add records to a project."""
    if context.invoked_subcommand is None:
        raise typer.BadParameter("say what: add database, or add route")
