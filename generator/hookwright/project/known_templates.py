"""The addresses that the user agreed to fetch templates from: a clone contacts no other."""

from pathlib import Path

from hookwright.project.reader import Project
from hookwright.state_folder import find_state_folder
from hookwright_console.atomic_files import replacing
from hookwright_console.errors import RefusedError
from hookwright_console.regular_files import read_regular
from hookwright_console.text import shorten

NAME = "templates"  # in the state folder: an address a line


def is_known(source: str) -> bool:
    """Return whether a template is on this machine, or the user agreed to its address before."""
    return not source or Path(source).is_absolute() or source in read_known()


def read_known() -> list[str]:
    try:
        return read_regular(find_state_folder() / NAME).decode().splitlines()
    except (OSError, ValueError):
        return []


def remember(source: str) -> None:
    """Remember that the user agreed to an address; raises RefusedError."""
    if is_known(source):
        return
    path = find_state_folder() / NAME
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with replacing(path) as file:
            file.writelines(f"{address}\n" for address in (*read_known(), source))
    except OSError as error:
        raise RefusedError(f"cannot write {path} ({error.strerror}): fix that") from None


def check_known(project: Project, source: str) -> None:
    """Refuse to fetch the template of a project from an address that the user did not agree to."""
    if not is_known(source):
        raise RefusedError(
            f"{project.name} is rendered from {shorten(source)}, which is new here: run "
            f"hookwright update --project {project.folder}, which asks before it fetches that"
        )
