"""Change a project's answers: see first what that makes of its files, then make the change.

The change is rehearsed in a copy of the project, by the very update that Copier would make in the
project. What comes out is shown, and is what the project gets. So whatever goes wrong before, be it
a refused answer or Ctrl-C, leaves the project as it is.
"""

import difflib
import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hookwright.project.git import (
    OWN,
    check_identity,
    check_idle,
    find_top,
    has_git,
    is_ignored,
    is_tracked,
    list_changed_files,
    run_git,
    run_git_raw,
)
from hookwright.project.reader import ANSWERS, Project
from hookwright.project.render import render, update
from hookwright.project.template_store import copy_template, has_version, keep_template
from hookwright_console.atomic_files import replace_files
from hookwright_console.errors import RefusedError

MARK = b"<<<<<<< before updating"  # what Copier leaves where both have changed a line
LISTED = 3  # files that a message names


@dataclass(frozen=True)
class Change:
    """What a change of the answers makes of a project's files.

    Args:
        project: The project as it is.
        files: What each file holds then, by its path in the project; None where it is removed.
        runnable: Which of the files can be run.
        in_git: Whether git keeps the project.

    """

    project: Project
    files: Mapping[str, bytes | None]
    runnable: frozenset[str]
    in_git: bool

    def diff(self) -> str:
        """Return the change of the files as a patch, for people to read."""
        parts: list[str] = []
        for name, content in self.files.items():
            path = self.project.folder / name
            before = path.read_bytes() if path.exists() else b""
            names = (
                f"a/{name}" if path.exists() else os.devnull,
                os.devnull if content is None else f"b/{name}",
            )
            parts += difflib.unified_diff(
                before.decode("utf-8", "replace").splitlines(),
                (content or b"").decode("utf-8", "replace").splitlines(),
                *names,
                lineterm="",
            )
        return "\n".join(parts)


def rehearse(
    project: Project, answers: Mapping[str, Any], version: str | None = None, source: str = ""
) -> Change:
    """Return what new answers make of a project, and change nothing.

    Args:
        project: The project.
        answers: The answers that change.
        version: The template's version to go to; None for the one that it is of, "" for the
            newest.
        source: The template to render from in the place of the project's own; "" for that.

    Raises:
        RefusedError: An answer is refused; there are changes that are not committed; or an edit of
            the user's would be lost.

    """
    source = source or project.source
    top = find_top(project.folder)
    with tempfile.TemporaryDirectory(prefix="hookwright-") as name:
        if top and is_tracked(project.folder / ANSWERS):
            check_clean(project)
            if project.version and source == project.source and is_there(source):
                return rehearse_update(project, answers, version, top, Path(name))
        return rehearse_afresh(project, answers, version, source, Path(name))


def check_committed(project: Project) -> None:
    """Check that what git keeps of a project is as it was committed; raises as `check_clean`."""
    if find_top(project.folder) and is_tracked(project.folder / ANSWERS):
        check_clean(project)


def check_clean(project: Project) -> None:
    """Check that the files of a project are as they were committed.

    Raises:
        RefusedError: They are not.

    """
    if names := list_changed_files(project.folder):
        raise RefusedError(
            f"{project.folder} has changes that are not committed, of {list_names(names)}: "
            "commit or stash them first"
        )


def is_there(source: str) -> bool:
    """Tell whether the template of a project may be where its answers say; a URL always may."""
    return not Path(source).is_absolute() or Path(source).exists()


def rehearse_update(
    project: Project, answers: Mapping[str, Any], version: str | None, top: Path, scratch: Path
) -> Change:
    """Return what an update of a copy of the project makes of it; raises as `rehearse` does."""
    clone = scratch / "copy"
    shared = [] if "\n" in str(top) else ["--shared"]  # which git notes in a file of lines
    run_git(top, *OWN, "clone", "--quiet", *shared, "--no-tags", str(top), str(clone))
    within = project.folder.resolve().relative_to(top.resolve())
    update(clone / within, answers, version)
    run_git(clone, *OWN, "add", "--all", "--force")  # what the user has git ignore is rendered, too
    paths = [path.relative_to(within) for path in list_changed(clone)]
    added = [path.relative_to(within).as_posix() for path in list_changed(clone, "--diff-filter=A")]
    there = [name for name in added if os.path.lexists(project.folder / name)]
    if lost := [name for name in there if not same(clone / within, project.folder, name)]:
        raise RefusedError(
            f"{list_names(lost)} would be overwritten, which git does not keep: move it away, or "
            "run git add --force, and commit it"
        )
    change = read_change(project, clone / within, paths, in_git=True)
    conflicts = [name for name, content in change.files.items() if content and MARK in content]
    if conflicts:
        raise RefusedError(
            f"what you edited in {list_names(conflicts)} changes, too: take that edit back first, "
            "or run copier update and put the two together by hand"
        )
    return change


def list_changed(copy: Path, *options: str) -> list[Path]:
    """Return the paths of the files that are not as they were committed, but staged."""
    fixed = ("diff", "--cached", "--name-only", "--no-renames", "-z")
    listed = run_git_raw(copy, *fixed, *options, "HEAD")
    return [Path(os.fsdecode(name)) for name in listed.split(b"\0") if name]


def rehearse_afresh(
    project: Project, answers: Mapping[str, Any], version: str | None, source: str, scratch: Path
) -> Change:
    """Return what a fresh render makes of a project without edits; raises as `rehearse` does."""
    known = source == project.source and is_there(source)
    if not source or not is_there(source):
        source = str(keep_template())
    former, fresh = scratch / "former", scratch / "fresh"
    own = project.version if known or has_version(source, project.version) else ""
    if project.version:
        render(source, former, project.answers, own)
    else:  # it was rendered from a plain folder
        render(str(copy_template(scratch / "template")), former, project.answers)
    render(source, fresh, {**project.answers, **answers}, own if version is None else version)
    before, after = list_files(former), list_files(fresh)
    edited = [name for name in before if not same(former, project.folder, name)]
    edited += [name for name in after if name not in before and (project.folder / name).exists()]
    if edited := [name for name in edited if name != ANSWERS]:
        raise RefusedError(
            f"your edit of {list_names(edited)} would be lost, for without git it cannot be kept "
            "apart from what is rendered: run git init, commit the project, and try again"
            if known
            else f"the template {project.source} {project.version} is not here, and the one that "
            f"is makes something else of {list_names(edited)}: take those edits back, or have the "
            "version that the project was made with"
        )
    names = [name for name in after if not same(fresh, project.folder, name)]
    gone = [name for name in before if name not in after]
    in_git = find_top(project.folder) is not None and is_tracked(project.folder / ANSWERS)
    return read_change(project, fresh, [Path(name) for name in names + gone], in_git=in_git)


def same(rendered: Path, folder: Path, name: str) -> bool:
    """Tell whether a file is in both folders, and holds the same."""
    path = folder / name
    return path.is_file() and path.read_bytes() == (rendered / name).read_bytes()


def list_files(folder: Path) -> list[str]:
    """Return the files in a folder by their paths, sorted."""
    return sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    )


def read_change(project: Project, changed: Path, paths: list[Path], *, in_git: bool) -> Change:
    """Return the change to these files, as they are in a changed copy of the project."""
    files = {
        path.as_posix(): (changed / path).read_bytes() if (changed / path).exists() else None
        for path in paths
    }
    return Change(project, files, list_runnable(changed, files), in_git)


def list_runnable(folder: Path, names: Iterable[str]) -> frozenset[str]:
    """Return which files in a folder can be run."""
    return frozenset(name for name in names if os.access(folder / name, os.X_OK))


def make(change: Change, message: str, *, commit: bool = True) -> None:
    """Make a change, and commit it where git keeps the project.

    Args:
        change: The change.
        message: The message of the commit.
        commit: Whether to commit.

    Raises:
        RefusedError: It cannot be written, and nothing is changed; or it cannot be committed.

    """
    folder = change.project.folder
    commits = commit and change.in_git and bool(change.files)
    if commits:
        check_identity(folder)  # refused before anything is written
        check_idle(folder)
    replace_files(folder, change.files, change.runnable)
    if commits:
        names = list(change.files)
        paths = [f":(literal){name}" for name in names]
        try:
            run_git(folder, "add", "--all", "--force", "--", *paths)
            run_git(folder, "commit", "--quiet", "-m", message, "--", *paths)
        except RefusedError as refused:
            raise RefusedError(f"the change is made, but not committed: {refused}") from None


def list_names(names: list[str]) -> str:
    """Return the first few of some names, and how many more there are."""
    shown = ", ".join(names[:LISTED])
    return shown if len(names) <= LISTED else f"{shown} and {len(names) - LISTED} more"


def check_free(destination: Path) -> None:
    """Check that a new project can be made somewhere.

    Raises:
        RefusedError: There is something already, or nothing can be written there.

    """
    place = destination
    while not os.path.lexists(place):
        place = place.parent
    if not place.is_dir():
        raise RefusedError(f"{place} is in the way, for it is no folder: name another folder")
    if not os.access(place, os.W_OK | os.X_OK):
        raise RefusedError(f"{place} cannot be written to: name another folder")
    if place == destination and any(place.iterdir()):
        raise RefusedError(f"{destination} is not empty: name a folder that is, or a new one")


def start(destination: Path, answers: Mapping[str, Any], source: str) -> None:
    """Render a new project.

    Args:
        destination: Where it goes, a folder that is empty or not there yet.
        answers: What the questions are answered with.
        source: The template.

    Raises:
        RefusedError: There is something already, or an answer is refused.

    """
    check_free(destination)
    with tempfile.TemporaryDirectory(prefix="hookwright-") as name:
        rendered = Path(name, "project")
        render(source, rendered, answers)
        names = list_files(rendered)
        files = {name: (rendered / name).read_bytes() for name in names}
        replace_files(destination, files, list_runnable(rendered, names))


def keep_in_git(folder: Path, message: str) -> bool:
    """Commit a new project, in a repository of its own unless it is in one; tell whether.

    Raises:
        RefusedError: Git refuses.

    """
    if not has_git():
        return False
    paths = [f":(literal){name}" for name in list_files(folder)]
    if not find_top(folder) or is_ignored(folder):
        run_git(folder, "init", "--quiet")
    check_identity(folder)
    check_idle(folder)
    run_git(folder, "add", "--force", "--", *paths)  # whatever the user has git ignore elsewhere
    run_git(folder, "commit", "--quiet", "-m", message, "--", *paths)
    return True
