"""Import records from shared catalogues, for the first time or again."""

from collections.abc import Mapping, Sequence

from hookwright.catalogues.catalogue import (
    PINS,
    Catalogue,
    Pin,
    Records,
    UnreadableError,
    change_records,
    describe,
    digest,
    find_pinned_source,
    keep_pins,
    list_records,
    open_catalogue,
    read_pins,
    renew_pin,
)
from hookwright.cli.apply import apply, report
from hookwright.cli.installation import warn_of_records
from hookwright.cli.offer import offer
from hookwright.cli.options import ChangeOptions
from hookwright.cli.terminal import print_note
from hookwright.project.change import check_committed, plan_change
from hookwright.project.reader import Project
from hookwright_console.errors import RefusedError
from hookwright_console.terminal import count, print_line

NAMED = 3  # records listed in a message


def take_records(
    project: Project,
    sources: Sequence[str],
    only: Sequence[str] = (),
    *,
    again: bool = False,
    check: bool = False,
    options: ChangeOptions,
) -> int:
    """Import records from catalogues into a project; return the exit code.

    `only` names the records to import; empty for all. With `again`, declined and removed records
    are skipped, and the command continues if a source fails. With `check`, nothing changes, and the
    code is 1 if there are records to import.
    """
    if not check:
        check_committed(project)
    pins, future, names, code = read_pins(project), project, [], 0
    for source in sources:
        try:
            catalogue = open_catalogue(source, future)
        except RefusedError as refused:
            if not again:
                raise
            gone = isinstance(refused, UnreadableError)
            print_note(f"{refused}; change or remove it in {PINS}" if gone else str(refused))
            code = 1
            continue
        if catalogue.left_out:
            print_note(f"not imported from {source}: {', '.join(catalogue.left_out)}")
        here = list_records(future)
        offered, obstacles = choose(catalogue, here, pins, only, again=again)
        report_obstacles(obstacles, refuses=not again and (not options.asks or bool(only)))
        if not offered:
            print_line(f"{source}: up to date")
        asks = options.asks and not check
        keys = offer(offered, here, yes=not asks, shows=asks or check)
        taken = {key: offered[key] for key in keys}
        names += [name for _, name in taken]
        pins[source] = renew_pin(catalogue, pins.get(source), taken, here)
        future = change_records(future, taken)
        if not check:
            databases = [record for (kind, _), record in taken.items() if kind == "databases"]
            routes = {name: record for (kind, name), record in taken.items() if kind == "routes"}
            warn_of_records(future, databases, routes)
    if check:
        return max(code, int(bool(names)))
    if not names:
        return max(code, report(options, f"Import nothing from {', '.join(sources)}"))
    change = keep_pins(plan_change(project, future.answers), pins)
    what = ", ".join(names) if len(names) <= NAMED else count(len(names), "record")
    message = f"Import {what} from {', '.join(sources)}"
    return max(code, apply(change, message, options))


def report_obstacles(obstacles: Sequence[str], *, refuses: bool) -> None:
    for obstacle in obstacles:
        if refuses:
            raise RefusedError(f"{obstacle}: remove it, or name the others with --only")
        print_note(f"{obstacle}: it stays until you run hookwright remove")


def choose(
    catalogue: Catalogue,
    here: Records,
    pins: Mapping[str, Pin],
    only: Sequence[str],
    *,
    again: bool,
) -> tuple[Records, list[str]]:
    """Return a catalogue's new and changed records, and why others cannot be imported."""
    source, records = catalogue.source, catalogue.records
    names = [name for _, name in records]
    for name in only:
        if name not in names:
            raise RefusedError(f"{source} has no record {name}: it has {', '.join(names)}")
    known = pins[source].records if source in pins else {}
    gone = [key for key, was in known.items() if was and key in here and key not in records]
    obstacles = [f"{describe(key)} is no longer in {source}" for key in gone if again]
    offered = {}
    for key, record in records.items():
        was, mine = known.get(key), here.get(key)
        passed_over = again and key in known and not (was and mine)
        same = mine is not None and (mine == record or was == digest(record))
        if (only and key[1] not in only) or passed_over or same:
            continue
        if mine is None or digest(mine) == was:
            offered[key] = record
        elif was:
            obstacles.append(f"{describe(key)} changed here and in {source}")
        else:
            origin = find_pinned_source(key, pins)
            but = f" but from {origin}" if origin else ""
            obstacles.append(f"{describe(key)} exists already, not from {source}{but}")
    return offered, obstacles
