"""Take records of a shared catalogue."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hookwright.changing import check_committed, rehearse
from hookwright.cli.applying import apply
from hookwright.cli.terminal import say
from hookwright.fetching import find_source
from hookwright.project import Project, open_project
from hookwright.refusal import RefusedError
from lesson_search.cli.terminal import count, tell

if TYPE_CHECKING:
    from hookwright.catalogues import Catalogue, Pin, Records


def add_catalogue(
    source: str, only: Sequence[str], folder: Path, *, yes: bool, commit: bool
) -> int:
    """Take records of a catalogue into a project.

    Args:
        source: A path or a URL.
        only: The names of the records to take; none for all.
        folder: The project's.
        yes: Whether the user agreed beforehand.
        commit: Whether to commit the change.

    Returns:
        The exit code.

    Raises:
        RefusedError: The catalogue cannot be had or taken.

    """
    from hookwright import catalogues  # noqa: PLC0415 - slow to import
    from hookwright.cli.offering import offer  # noqa: PLC0415 - as above

    opened = open_project(folder)
    check_committed(opened)
    catalogue = catalogues.open_catalogue(find_source(source), opened)
    pins = catalogues.read_pins(opened)
    if catalogue.left_out:
        say(f"{', '.join(catalogue.left_out)} of {catalogue.source} is left to you")
    offered = choose(catalogue, opened, pins, only, skips=not yes and not only)
    taken = {key: offered[key] for key in offer(offered, yes=yes)}
    if not taken:
        tell("nothing changes")
        return 0
    future = catalogues.change_records(opened, taken, [])
    change = rehearse(opened, future.answers)
    former = pins.get(catalogue.source)
    known = {**dict.fromkeys(catalogue.records), **(former.records if former else {})}
    known |= {key: catalogues.digest(record) for key, record in taken.items()}
    pins[catalogue.source] = catalogues.Pin(catalogue.digest, known)
    names = ", ".join(name for _, name in taken)
    what = names if len(taken) <= 3 else count(len(taken), "record")  # noqa: PLR2004 - a line's worth
    message = f"Take {what} from {catalogue.source}"
    return apply(catalogues.keep_pins(change, pins), message, yes=yes, commit=commit)


def choose(
    catalogue: "Catalogue",
    project: Project,
    pins: Mapping[str, "Pin"],
    only: Sequence[str],
    *,
    skips: bool,
) -> "Records":
    """Return the records of a catalogue that can be taken.

    Args:
        catalogue: The catalogue.
        project: The project that is to take them.
        pins: What it knows of catalogues.
        only: The names of the records to take; none for all.
        skips: Whether what cannot be taken is only told.

    Raises:
        RefusedError: One of them is of the name of another, or there is none of a name.

    """
    from hookwright import catalogues  # noqa: PLC0415 - as above

    names = [name for _, name in catalogue.records]
    for name in only:
        if name not in names:
            raise RefusedError(
                f"{catalogue.source} has no record {name}: it has {', '.join(names)}"
            )
    present = catalogues.list_records(project)
    offered = {}
    for key, record in catalogue.records.items():
        if only and key[1] not in only:
            continue
        origin = catalogues.find_origin(key, pins)
        if key not in present:
            offered[key] = record
        elif origin == catalogue.source:
            tell(f"{catalogues.describe(key)} is there already: hookwright sync brings its changes")
        else:
            refusal = (
                f"{catalogues.describe(key)} is there already, and not from {catalogue.source}"
                + (f" but from {origin}" if origin else "")
            )
            if not skips:
                raise RefusedError(f"{refusal}: remove that, or name the others with --only")
            say(f"{refusal}: it stays")
    return offered
