"""Find or make the project whose hook sends searches to a database."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from hookwright.answers.disabling import enable, is_disabled
from hookwright.answers.schema import name_database
from hookwright.clients.json_objects import pick_texts
from hookwright.discovery.ambiguous_keywords import FIELD
from hookwright.documentation.records import find_database, is_ours
from hookwright.documentation.removal import is_there
from hookwright.hooks.registry import DOCSEARCH
from hookwright.project.change import check_committed, check_known
from hookwright.project.creation import check_free, create_project
from hookwright.project.current import find_current, list_installed, word_several
from hookwright.project.reader import Project, holds_project, open_project
from hookwright.project.record_changes import add_databases
from hookwright.project.unfinished import finish_change
from hookwright.template.store import keep_template
from hookwright_console.errors import RefusedError

NAME = "my-hooks"  # of a new project, in the home folder


def find_project(folder: Path | None) -> Project | None:
    """Return the project to use, or None.

    Args:
        folder: The one that the user names; None for the one here, or else the only one that is
            installed, or else the one where a new one would be made.

    Raises:
        RefusedError: The named folder holds something else, or several are installed elsewhere.

    """
    finish_change(find_place(folder))
    if folder and not is_free(folder):
        return open_project(folder)
    if folder:
        return None
    if current := find_current():
        return current
    installed, place = list_installed(), find_place(None)
    if installed and all(one.folder.resolve() != place.resolve() for one in installed):
        raise RefusedError(word_several(installed))
    # There may be one from which the last database was removed.
    return open_project(place) if holds_project(place) else None


def is_free(folder: Path) -> bool:
    return not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))


def find_place(folder: Path | None) -> Path:
    """Return where a new project goes: where the user says, or else in the home folder."""
    return folder.absolute() if folder else Path.home() / NAME


def check_project(project: Project, name: str) -> None:
    """Check that a project can take the record of a database.

    Raises:
        RefusedError: It has uncommitted changes, or another record of that name.

    """
    check_known(project, project.source)
    check_committed(project)
    for one in project.databases:
        if name_database(one) == name and not is_ours(one, name):
            raise RefusedError(
                f"{project.name} has another database {name}: "
                "give another --name, or remove that one first"
            )


def list_removed(project: Project, names: Iterable[str] = ()) -> list[str]:
    """Return the names of the records that a removal left, as a project has at least one.

    It has disabled them, and their databases are gone.

    Args:
        project: The project.
        names: The names of the records that it gets next.

    """
    new = set(names)
    rest = [one for one in project.databases if name_database(one) not in new]
    if project.routes or not all(is_disabled(one) and is_gone(one) for one in rest):
        return []
    return list(map(name_database, rest))


def is_gone(record: dict[str, Any]) -> bool:
    """Tell whether a record is for a documentation database that this machine no longer has."""
    name = find_database(record)
    return bool(name) and is_ours(record, name) and not is_there(name)


def add_record(
    project: Project, record: dict[str, Any], former: Collection[str] = ()
) -> dict[str, Any]:
    """Return the answers that change when a project gets the record of a database.

    What the user added to an earlier record of it stays; one that is disabled is enabled.

    Args:
        project: The project.
        record: The record.
        former: The domains of the source that the database was made of before.

    """
    name = name_database(record)
    old = next((one for one in project.databases if is_ours(one, name)), {})
    # The user may have mended which searches it denies since.
    given = {key: value for key, value in record.items() if key != FIELD or not old}
    kept = enable({**old, **given})
    kept["keywords"] = list(dict.fromkeys([*record["keywords"], *old.get("keywords", ())]))
    added = [one for one in pick_texts(old, "domains") if one not in former]
    kept["domains"] = list(dict.fromkeys([*record.get("domains", ()), *added]))
    if not kept["domains"]:
        del kept["domains"]
    return add_databases(project, [kept], replaces=True)


def make_project(folder: Path, records: Sequence[Mapping[str, Any]], *, commits: bool) -> Project:
    """Make a project with some databases.

    Args:
        folder: Where it goes.
        records: The databases.
        commits: Whether it is to be committed next.

    Raises:
        RefusedError: The folder is not free, or a record is refused.

    """
    check_free(folder)
    answers = {"databases": [*records], "hooks": [DOCSEARCH.name]}
    create_project(folder, answers, str(keep_template()), commits=commits)
    return open_project(folder)
