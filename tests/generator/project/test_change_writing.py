"""A change is written completely or not at all."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hookwright.project.change import create_project
from hookwright_console.errors import RefusedError

from ...support.command_line import CommandLine, build_environment
from ...support.git_repository import git, start_project
from ...support.hypothesis_profiles import mark_long
from ...support.installer import snapshot
from ...support.project import GITLAB, ROUTES
from ...support.rendered_project import build_tables, read_tables

REMOVE = ("remove", "kubernetes", "--yes", "--project")
ROUTE = ("add", "route", "other", "--pattern", "^x", "--message", "m", "--yes", "--project")


def break_readme(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    chmod = Path.chmod

    def fail(path: Path, mode: int) -> None:
        if path.name.startswith(".README.md-"):
            raise error
        chmod(path, mode)

    monkeypatch.setattr(Path, "chmod", fail)


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_failed_file_write_leaves_nothing(
    hookwright_line: CommandLine,
    kept: Path,
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
) -> None:
    before = snapshot(kept)
    with monkeypatch.context() as patch:
        break_readme(patch, error)
        completed = hookwright_line.run(*REMOVE, kept)
    assert completed.code == (1 if isinstance(error, OSError) else 130)
    assert len(completed.errors.splitlines()) == 1
    assert "/README.md cannot be written: No space" in completed.errors or completed.code != 1
    assert snapshot(kept) == before


def test_linked_folder_is_not_written_to(
    hookwright_line: CommandLine, kept: Path, tmp_path: Path
) -> None:
    outside = (kept / "hooks").rename(tmp_path / "outside")
    (kept / "hooks").symlink_to(outside)
    shutil.rmtree(kept / ".git")
    before = snapshot(outside)
    line = hookwright_line.error("disable", "kubernetes", "--yes", "--project", kept)
    assert line.endswith("hooks leads out of the project: replace it with a folder")
    assert snapshot(outside) == before


@pytest.mark.parametrize("number", [2, *mark_long([1, 4])])
def test_failed_replacement_changes_nothing(
    hookwright_line: CommandLine, kept: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    before = snapshot(kept)
    replace, seen = Path.replace, []

    def fail(path: Path, target: Path) -> Path:
        if target.is_relative_to(kept):
            seen.append(path)
        if len(seen) == number and target.is_relative_to(kept):
            raise PermissionError(1, "Operation not permitted")
        return replace(path, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", fail)
        line = hookwright_line.error(*REMOVE, kept)
    assert line.endswith("cannot be written: Operation not permitted")
    assert snapshot(kept) == before
    assert git(kept, "status", "--porcelain") == ""
    hookwright_line.output(*REMOVE, kept)


def test_ctrl_c_during_file_replacement_is_too_late(
    hookwright_line: CommandLine, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = Path.replace

    def interrupt(path: Path, target: Path) -> Path:
        os.kill(os.getpid(), signal.SIGINT)
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", interrupt)
    hookwright_line.output(*REMOVE, kept)
    assert read_tables(kept) == build_tables([GITLAB])
    assert git(kept, "status", "--porcelain") == ""


def test_git_ignored_file_is_not_overwritten(
    hookwright_line: CommandLine, kept_template: Path, tmp_path: Path
) -> None:
    folder = start_project(kept_template, tmp_path / "p", databases=[GITLAB])
    (folder / ".git" / "info" / "exclude").write_text("tool_routing.py\n")
    (folder / "hooks" / "tool_routing.py").write_text("mine")
    before = snapshot(folder)
    line = hookwright_line.error(*ROUTE, folder)
    assert "hooks/tool_routing.py would be overwritten, and git does not track it" in line
    assert snapshot(folder) == before


@pytest.mark.long
def test_new_file_is_committed_despite_gitignore(
    hookwright_line: CommandLine, kept_template: Path, tmp_path: Path
) -> None:
    folder = start_project(kept_template, tmp_path / "p", databases=[GITLAB])
    (folder / ".git" / "info" / "exclude").write_text("*.py\n")
    hookwright_line.output(*ROUTE, folder)
    assert "hooks/tool_routing.py" in git(folder, "ls-files").splitlines()


@pytest.mark.long
@pytest.mark.parametrize("closed", ["<&- >&- 2>&-", *mark_long(["<&-", ">&-", "2>&-"])])
def test_closed_streams_cause_no_traceback(kept: Path, closed: str) -> None:
    command = f"'{sys.executable}' -m hookwright remove kubernetes --project '{kept}' {closed}"
    completed = subprocess.run(
        ["sh", "-c", command],  # noqa: S607 - the system's
        env=build_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        text=True,
    )
    line = "hookwright: cannot prompt without a terminal: add --yes\n"
    assert (completed.returncode, completed.stderr) == (2, "" if "2>" in closed else line)


@pytest.mark.parametrize("there", [True, False])
def test_failed_project_write_leaves_nothing(
    kept_template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, there: bool
) -> None:
    folder = tmp_path / "a" / "b"
    if there:
        folder.mkdir(parents=True)
    break_readme(monkeypatch, OSError(28, "No space left on device"))
    with pytest.raises(RefusedError, match="No space left on device"):
        create_project(folder, {"databases": [GITLAB], "routes": ROUTES}, str(kept_template))
    assert list(tmp_path.rglob("*")) == ([folder.parent, folder] if there else [])
