"""Import changes from the catalogues that a project follows."""

from typing import Annotated

import typer

from hookwright.catalogues.catalogue import find_source, read_pins
from hookwright.cli.add.catalogue import take_records
from hookwright.cli.current_project import open_to_change
from hookwright.cli.options import HERE, ChangeOptions, InProject, take_change_options
from hookwright_console.errors import RefusedError


@take_change_options
def sync(
    source: Annotated[
        str, typer.Argument(help="The catalogue.", show_default="all of the project's")
    ] = "",
    *,
    check: Annotated[
        bool, typer.Option(help="Change nothing; exit with 1 if something would change.")
    ] = False,
    project: InProject = HERE,
    options: ChangeOptions,
) -> int:
    """Import changes from your catalogues."""
    if check and options.report:
        raise typer.BadParameter("--check prints no JSON: use --dry-run --json")
    opened = open_to_change(project, yes=options.yes)
    pins = read_pins(opened)
    sources = [find_source(source)] if source else list(pins)
    if not pins or sources[0] not in pins:
        raise RefusedError(
            f"no record comes from {sources[0] if sources else 'a catalogue'}: "
            "import some with hookwright add --from"
        )
    return take_records(opened, sources, again=True, check=check, options=options)
