"""Fetch changes in documentation databases, and rebuild them."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hookwright.cli.docs import NO_DATABASES, complete_name, refuse_unknown
from hookwright.cli.options import AsJson, Yes
from hookwright.cli.terminal import building, print_note
from hookwright_console.errors import RefusedError, ReportedError
from hookwright_console.terminal import agree, print_line
from hookwright_documentation.build import agree_to_loss, find_former
from hookwright_documentation.databases import list_names

if TYPE_CHECKING:
    from hookwright_documentation.refresh import MovedTag


def refresh(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME",
            help="The names of databases in hookwright docs.",
            show_default="all",
            autocompletion=complete_name,
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
    """Refresh databases in turn, and return the results for scripts."""
    there = list_names()
    for name in names:
        if name not in there and not find_former(name)[1]:
            raise refuse_unknown(name)
    every = names or there
    if not every:
        print_line(NO_DATABASES)
    goes_on = goes_on or len(every) > 1
    return [try_one(name, yes=yes, skips=not names, goes_on=goes_on) for name in every]


def try_one(name: str, *, yes: bool, skips: bool, goes_on: bool) -> dict[str, Any]:
    """Refresh a database, or return why it cannot be refreshed.

    With `skips`, a database that cannot be fetched is not an error. Other errors are raised, unless
    `goes_on` is set.
    """
    from hookwright_documentation.refresh import UnfetchableError

    try:
        return refresh_one(name, yes=yes)
    except ReportedError as error:
        is_skipped = skips and isinstance(error, UnfetchableError)
        if not (is_skipped or goes_on):
            raise
        line = str(error)
        print_note(line if line.startswith((f"{name}:", f"{name} ")) else f"{name}: {line}")
        return {"name": name, "skipped" if is_skipped else "error": line}


def refresh_one(name: str, *, yes: bool) -> dict[str, Any]:
    from hookwright_documentation.refresh import refresh as refresh_database

    built, pin = refresh_database(name, agree_to_loss(yes=yes), agree_to_move(yes=yes))
    if pin and not built.is_new:
        print_line(f"{name}: {pin.reference} is unchanged since it was pulled: {pin.digest}")
    built.show()
    pulled = {"reference": str(pin.reference), "digest": pin.digest} if pin else {}
    return built.export() | pulled


def agree_to_move(*, yes: bool) -> Callable[["MovedTag"], None]:
    def agree_or_refuse(moved: "MovedTag") -> None:
        from hookwright.cli.share.importing import describe

        reference, name = moved.before.reference, moved.recipe.name
        print_line(f"{reference} has moved from {moved.before.digest} to {moved.digest}")
        describe(moved.archive, moved.recipe, moved.dropped, moved.old)
        if not yes and not sys.stdin.isatty():
            raise RefusedError(
                f"{reference} has moved, and {name} stays as it is: add --yes to replace it"
            )
        agree(f"Replace {name} with it?", yes=yes)

    return agree_or_refuse
