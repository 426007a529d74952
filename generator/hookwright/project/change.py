"""Create a project, or plan the changes that new answers make to its files and apply the plan.

The plan merges the user's edits with the changes of a fresh render. The user reviews the plan, and
exactly that plan is applied. Until then, a rejected answer or Ctrl-C leaves the project unchanged.
"""

import difflib
import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hookwright.answers.disabling import enable_expired
from hookwright.git import (
    OWN,
    check_committable,
    find_top,
    has_git,
    is_tracked,
    list_changed_files,
    run_git_raw,
    switch_off_filters,
)
from hookwright.project.reader import ANSWERS, Project, read_project
from hookwright.project.unfinished import NotedChange, noting, read
from hookwright.template.render import export_version, render
from hookwright.template.store import (
    copy_template,
    find_newest,
    find_own_source,
    has_commit,
    is_known,
    is_own,
)
from hookwright_console.errors import RefusedError
from hookwright_console.terminal import show_progress
from hookwright_console.text import name_some, shorten

COMMIT = "git add . && git commit"  # to run by hand, if git does not track the project yet
MAX_LISTED = 3  # files listed in a message


@dataclass(frozen=True)
class ProjectChange:
    """A planned change to a project's files."""

    project: Project  # before the change
    files: Mapping[str, bytes | None]  # new contents; None removes the file
    in_git: bool  # whether git tracks the project

    def diff(self) -> str:
        return "\n".join(line for name in self.files for line in self.diff_file(name))

    def diff_file(self, name: str) -> Iterator[str]:
        """Yield the lines of a file's patch; the first two lines contain the file's name."""
        content, path = self.files[name], self.project.folder / name
        before = path.read_bytes() if path.exists() else b""
        names = (
            f"a/{name}" if path.exists() else os.devnull,
            os.devnull if content is None else f"b/{name}",
        )
        yield from difflib.unified_diff(
            before.decode("utf-8", "replace").splitlines(),
            (content or b"").decode("utf-8", "replace").splitlines(),
            *names,
            lineterm="",
        )


def plan_change(
    project: Project, answers: Mapping[str, Any], version: str | None = None, source: str = ""
) -> ProjectChange:
    """Return the change that new answers make to a project, without applying it.

    If `version` is None, the project's own template version is used; if it is "", the newest. A
    `source` of "" means the project's own. Rejects invalid answers, uncommitted changes, changes
    that would lose a user's edit, and new template addresses.
    """
    source = source or project.source
    answers = {**answers, **enable_expired({**project.answers, **answers})}
    check_known(project, source)
    filters = check_committed(project)
    with (
        show_progress(f"Rendering {project.name}", always=True),
        tempfile.TemporaryDirectory(prefix="hookwright-") as name,
    ):
        return plan_merge(project, answers, version, source, Path(name), filters=filters)


def check_known(project: Project, source: str) -> None:
    """Refuse to fetch a project's template from an address that the user has not agreed to."""
    if not is_known(source):
        raise RefusedError(
            f"{project.name} is rendered from {shorten(source)}, which is new here: run "
            f"hookwright update --project {project.folder}, which asks before it fetches that"
        )


def check_committed(project: Project) -> dict[str, str] | None:
    """Reject uncommitted changes to a project in git.

    Returns the settings that disable the repository's filters, or None if git does not track the
    project.
    """
    if project.version and not has_git():
        raise RefusedError("git is missing, and changing a project requires it: install git")
    if not is_tracked(project.folder / ANSWERS):
        return None
    filters = switch_off_filters(project.folder)
    if names := list_changed_files(project.folder, filters):
        raise RefusedError(
            f"{project.folder} has uncommitted changes ({name_some(names, MAX_LISTED)}): "
            "commit or stash them first"
        )
    return filters


def explain_no_commit(project: Project) -> str:
    """Return why a project's own repository does not track the project, and what to do, or ""."""
    folder = project.folder
    top = find_top(folder)
    if not top or top.resolve() != folder.resolve() or is_tracked(folder / ANSWERS):
        return ""
    return f"the project is not committed yet: run {COMMIT} in {folder}"


def may_exist(source: str) -> bool:
    """Return whether a template may exist at the address in a project's answers; a URL always may.

    Another user's template may be in a folder that this user cannot read.
    """
    return not Path(source).is_absolute() or os.access(source, os.R_OK | os.X_OK)


def plan_merge(
    project: Project,
    answers: Mapping[str, Any],
    version: str | None,
    source: str,
    scratch: Path,
    *,
    filters: Mapping[str, str] | None,
) -> ProjectChange:
    """Return the difference between renders with the new and the former answers.

    Edits in git are merged with the difference. `filters` is the result of `check_committed`, and
    the other arguments are the same as in `plan_change`.
    """
    same = source == project.source or (is_own(source) and is_own(project.source))
    known = same and may_exist(source)
    if not source or not may_exist(source):
        source = find_own_source()
    merges = filters is not None and known and project.version != ""
    exported = export_version(source, project.version, scratch / "template")
    has_version = exported is not None or has_commit(source, project.version)
    if merges and Path(source).is_absolute() and not has_version:
        raise RefusedError(
            f"template {source} has no version {project.version}: fetch its tags, or choose "
            "another with hookwright update --template"
        )
    own = project.version if known or has_version else ""
    former, fresh = scratch / "former", scratch / "fresh"
    if project.version:
        render(source, former, project.answers, own, exported, again=True)
    else:  # the project was rendered from a plain folder
        render(str(copy_template(scratch / "bundled")), former, project.answers, again=True)
    wanted = own if version is None else version or find_newest(source)
    future = {**project.answers, **answers}
    if wanted != own:
        exported = export_version(source, wanted, scratch / "newer")
    render(source, fresh, future, wanted, exported, again=True)
    newest = read_project(fresh).version
    if version == "" and re.fullmatch(re.escape(newest) + r"-\d+-g[0-9a-f]+", project.version):
        raise RefusedError(
            f"the project is of template {project.version}, after its newest version {newest}: "
            "give that commit a tag first"
        )
    ours = project.folder
    if filters is not None and merges:
        ours = export_committed(project.folder, scratch / "ours", filters)
    files, lost = merge_folders(ours, former, fresh, merges=merges)
    if lost and merges:
        restore = project.name_command("update --restore")
        raise RefusedError(
            f"your edit of {name_some(lost, MAX_LISTED)} conflicts with the change: undo it first; "
            f"to discard all edits of hooks, run {restore}"
        )
    if lost:
        raise RefusedError(
            f"your edit of {name_some(lost, MAX_LISTED)} would be lost, because git does not "
            "track the project: commit everything to git, and try again"
            if known
            else f"template {project.source} {project.version} is missing, and this one renders "
            f"{name_some(lost, MAX_LISTED)} differently: undo your edits, "
            "or restore that template"
        )
    there = [name for name in files if not (ours / name).exists()]
    if untracked := [name for name in there if os.path.lexists(project.folder / name)]:
        raise RefusedError(
            f"{name_some(untracked, MAX_LISTED)} would be overwritten, and git does not track it: "
            "move it away, or run git add --force and commit it"
        )
    return ProjectChange(project, files, filters is not None)


def export_committed(folder: Path, destination: Path, filters: Mapping[str, str]) -> Path:
    prefix = run_git_raw(folder, "rev-parse", "--show-prefix").removesuffix(b"\n")
    options = ("checkout-index", "--all", f"--prefix={destination}/")
    run_git_raw(folder, *OWN, *options, settings=filters)
    return destination / os.fsdecode(prefix)


def merge_folders(
    ours: Path, former: Path, fresh: Path, *, merges: bool
) -> tuple[dict[str, bytes | None], list[str]]:
    """Return each changed file's new content, and the files whose edits would be lost."""
    files: dict[str, bytes | None] = {}
    lost = []
    for name in sorted({*list_files(former), *list_files(fresh)}):
        base, mine, new = (read_with_mode(folder, name) for folder in (former, ours, fresh))
        if mine == new or (merges and (new == base or (mine is None and base is not None))):
            continue
        if name == ANSWERS or mine == base or (merges and new is None):
            files[name] = new and new[0]
        elif merges and (merged := merge(ours / name, former / name, fresh / name)) is not None:
            files[name] = merged
        else:
            lost.append(name)
    return files, lost


def merge(mine: Path, base: Path, new: Path) -> bytes | None:
    """Return a file with the user's and the template's edits, or None if they conflict."""
    paths = [str(path) if path.exists() else os.devnull for path in (mine, base, new)]
    try:
        return run_git_raw(new.parent, "merge-file", "--stdout", *paths)
    except RefusedError:
        return None


def read_with_mode(folder: Path, name: str) -> tuple[bytes, bool] | None:
    """Return a file's content and whether it is executable, or None if it is missing."""
    path = folder / name
    return (path.read_bytes(), os.access(path, os.X_OK)) if path.is_file() else None


def plan_restore(project: Project) -> ProjectChange:
    """Return the change that undoes edits to a project's hooks, committed or not.

    Does not apply the change, and ignores other files.
    """
    check_known(project, project.source)
    in_git = is_tracked(project.folder / ANSWERS)
    with (
        show_progress(f"Rendering {project.name}", always=True),
        tempfile.TemporaryDirectory(prefix="hookwright-") as name,
    ):
        fresh = Path(name) / "fresh"
        known = project.source and may_exist(project.source)
        source = project.source if known else find_own_source()
        exported = export_version(source, project.version, Path(name, "template"))
        has_version = known or exported or has_commit(source, project.version)
        version = project.version if has_version else ""
        render(source, fresh, project.answers, version, exported, again=True)
        hooks = [f"hooks/{file}" for file in list_files(fresh / "hooks")]
        rendered = {hook: (fresh / hook).read_bytes() for hook in hooks}
        files = {
            hook: rendered[hook] for hook in hooks if read(project.folder / hook) != rendered[hook]
        }
        return ProjectChange(project, files, in_git)


def list_files(folder: Path) -> list[str]:
    return sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    )


def apply_change(change: ProjectChange, message: str, *, commit: bool = True) -> bool:
    """Apply a planned change; return whether anything had to be committed.

    Raises RefusedError, before writing anything, if the project has changed since it was planned.
    """
    folder = change.project.folder
    commits = commit and change.in_git and bool(change.files)
    if commits:
        try:
            check_committable(folder)  # before anything is written
        except RefusedError as refused:
            raise RefusedError(f"{refused}, or add --no-commit") from None
    noted = NotedChange(folder, change.files, message if commits else "")
    with noting(noted):
        if read_project(folder) != change.project:
            raise RefusedError(f"another command changed {folder} meanwhile: run this one again")
        noted.write(noted.files)
        try:
            return noted.commit(is_checked=True)
        except RefusedError as refused:
            raise RefusedError(f"changed, but not committed: {refused}") from None


def check_free(destination: Path) -> None:
    place = destination
    while not os.path.lexists(place):
        place = place.parent
    if not place.is_dir():
        raise RefusedError(f"{place} is not a folder: choose another")
    if not os.access(place, os.W_OK | os.X_OK):
        raise RefusedError(f"cannot write to {place}: choose another folder")
    if place == destination and any(place.iterdir()):
        raise RefusedError(f"{destination} is not empty: choose an empty or a new folder")


def create_project(
    destination: Path, answers: Mapping[str, Any], source: str, *, commits: bool = False
) -> None:
    """Render a new project; with `commits`, it is committed later if this process is killed."""
    check_free(destination)
    with tempfile.TemporaryDirectory(prefix="hookwright-") as name:
        rendered = Path(name, destination.name)  # the project is named after its folder
        with show_progress(f"Rendering {destination.name}", always=True):
            exported = export_version(source, find_newest(source), Path(name, ".template"))
            render(source, rendered, answers, exported=exported)
        version = read_project(rendered).version
        if version and Path(source).is_absolute() and not has_commit(source, version):
            raise RefusedError(
                f"{source} has uncommitted changes, which no project can be updated from: "
                "commit them first"
            )
        names = list_files(rendered)
        files = {name: (rendered / name).read_bytes() for name in names}
        message = f"Render {destination.name}" if commits else ""
        noted = NotedChange(destination, files, message, is_new=True)
        with noting(noted, stays=commits):
            noted.write(names)


def commit_project(folder: Path) -> str:
    """Commit a new project, creating a repository if necessary; return why that failed, or ""."""
    if not has_git():
        return "git is missing: to update the project later, install git and run git init there"
    message = f"Render {read_project(folder).name}"
    files = {name: (folder / name).read_bytes() for name in list_files(folder)}
    noted = NotedChange(folder, files, message, is_new=True)
    try:
        with noting(noted):
            noted.commit()
    except RefusedError as refused:
        return f"the project is not committed: {refused}; then run {COMMIT} in {folder}"
    return ""
