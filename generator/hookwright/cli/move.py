"""Move a record before or after another; the order matters because the first match decides."""

from typing import Annotated

import typer

from hookwright.cli.apply import apply
from hookwright.cli.current_project import RecordName, complete_name, open_to_change
from hookwright.cli.options import HERE, ChangeOptions, InProject, take_change_options
from hookwright.cli.terminal import print_note
from hookwright.project.change import plan_change
from hookwright.project.hook_tables import order_routes
from hookwright.project.record_changes import Position, move_record
from hookwright.simulate.route_tests import list_failed_tests

Before = Annotated[
    str,
    typer.Option(
        "--before", metavar="NAME", help="Put it before this one.", autocompletion=complete_name
    ),
]
First = Annotated[bool, typer.Option("--first", help="Put it before all others.")]


@take_change_options
def move(
    name: RecordName,
    *,
    before: Before = "",
    after: Annotated[
        str,
        typer.Option(
            "--after", metavar="NAME", help="Put it after this one.", autocompletion=complete_name
        ),
    ] = "",
    first: First = False,
    last: Annotated[bool, typer.Option("--last", help="Put it after all others.")] = False,
    project: InProject = HERE,
    options: ChangeOptions,
) -> int:
    """Move a database or a route; the first route that matches decides."""
    given = sum(map(bool, (before, after, first, last)))
    if given != 1:
        told = "use only one of" if given else "say where:"
        raise typer.BadParameter(f"{told} --before NAME, --after NAME, --first or --last")
    opened = open_to_change(project, name, yes=options.yes)
    answers = move_record(opened, name, Position(after=bool(after) or last, other=before or after))
    routes = answers.get("routes", opened.routes)
    if [*routes] != [*opened.routes] and [*order_routes(routes)] == [*order_routes(opened.routes)]:
        print_note("allow routes are always tried first: the hook's order stays the same")
    for line in list_failed_tests(routes, [name]):
        print_note(line)
    where = f"{'after' if after else 'before'} {before or after}" if before or after else ""
    title = f"Move {name} {where or ('first' if first else 'last')}"
    return apply(plan_change(opened, answers), title, options)
