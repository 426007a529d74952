"""Take what changed in the catalogues that records were taken from."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from hookwright.changing import check_committed, rehearse
from hookwright.cli.applying import apply
from hookwright.cli.options import HERE, Commits, InProject, Yes
from hookwright.cli.terminal import say
from hookwright.fetching import find_source
from hookwright.project import Project, open_project
from hookwright.refusal import RefusedError
from lesson_search.cli.terminal import tell

if TYPE_CHECKING:
    from hookwright.catalogues import Catalogue, Pin
    from hookwright.comparing import Differences


def sync(  # noqa: PLR0913 - each is an option
    source: Annotated[
        str, typer.Argument(help="The catalogue.", show_default="all of the project's")
    ] = "",
    *,
    theirs: Annotated[
        bool, typer.Option(help="Take the catalogue's record where both have changed.")
    ] = False,
    check: Annotated[
        bool, typer.Option(help="Change nothing; end with 1 if something would change.")
    ] = False,
    project: InProject = HERE,
    yes: Yes = False,
    commit: Commits = True,
) -> int:
    """Take what changed in the catalogues that records were taken from."""
    from hookwright import catalogues  # noqa: PLC0415 - slow to import
    from hookwright.comparing import compare  # noqa: PLC0415 - as above

    opened = open_project(project)
    pins = catalogues.read_pins(opened)
    sources = [find_source(source)] if source else list(pins)
    if not pins or sources[0] not in pins:
        raise RefusedError(
            f"no record was taken from {sources[0] if sources else 'a catalogue'}: "
            "hookwright add --from takes some"
        )
    if not check:
        check_committed(opened)
    code, state = 0, State(opened, pins)
    for each in sources:
        try:
            catalogue = catalogues.open_catalogue(each, state.project)
        except RefusedError as refused:
            say(str(refused))
            code = 1
            continue
        found = compare(catalogue, state.pins[each], state.project)
        if theirs:
            found.take_theirs()
        changes = show_differences(found, catalogue, state.project)
        if check:
            code = max(code, int(changes))
        else:
            state = take(found, catalogue, state, yes=yes)
    if check or (state.project == opened and state.pins == pins):
        return code
    change = rehearse(opened, state.project.answers)
    change = catalogues.keep_pins(change, state.pins)
    message = f"Take the changes of {', '.join(sources)}"
    return max(code, apply(change, message, yes=yes, commit=commit))


@dataclass(frozen=True)
class State:
    """What a project is to be, and what it then knows of catalogues."""

    project: Project
    pins: "dict[str, Pin]"


def show_differences(found: "Differences", catalogue: "Catalogue", project: Project) -> bool:
    """Print what is to change, and what is left; tell whether something is to change."""
    from hookwright import catalogues  # noqa: PLC0415 - as above
    from hookwright.cli.offering import show_change  # noqa: PLC0415 - as above

    here = catalogues.list_records(project)
    for key in found.clashing:
        say(
            f"{catalogues.describe(key)} changed here and in {catalogue.source}: it stays; "
            "--theirs takes what is there"
        )
    for key in found.occupied:
        say(f"{catalogues.describe(key)} of {catalogue.source} is here by that name: it stays")
    for key in found.new:
        tell(f"{catalogues.describe(key)} is new in {catalogue.source}")
    for key, record in found.changed.items():
        show_change(key, here.get(key), record)
    for key in found.gone:
        show_change(key, here.get(key), None)
    changes = bool(found.changed or found.gone or found.new)
    if not changes:
        tell(f"{catalogue.source}: up to date")
    return changes


def take(found: "Differences", catalogue: "Catalogue", state: State, *, yes: bool) -> State:
    """Ask what to take of a catalogue, and return what the project is to be then.

    Raises:
        RefusedByUserError: There is no terminal to ask at.

    """
    from hookwright import catalogues  # noqa: PLC0415 - as above
    from hookwright.cli.offering import offer, offer_removal  # noqa: PLC0415 - as above

    new = offer(found.new, yes=yes)
    taken = {**found.changed, **{key: found.new[key] for key in new}}
    gone = offer_removal(found.gone, catalogue.source, yes=yes)
    known = {key: was for key, was in found.known.items() if key not in found.gone}
    known |= {key: catalogues.digest(record) for key, record in taken.items()}
    pin = catalogues.Pin(catalogue.digest, known)
    project = (
        catalogues.change_records(state.project, taken, gone) if taken or gone else state.project
    )
    return State(project, {**state.pins, catalogue.source: pin})
