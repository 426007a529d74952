"""Git does what we ask for in the repositories that we name, whatever surrounds us."""

import subprocess
import sys
from pathlib import Path

import pytest

from command_line import build_environment
from installer import snapshot
from profiles import mark_long
from project import GITLAB
from rendered import build_tables, read_tables
from repository import git, git_save

REMOVE = ("remove", "kubernetes", "--yes", "--project")


def run_command(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a removal in a process of its own, whose Copier has the variables that there are."""
    return subprocess.run(
        [sys.executable, "-m", "hookwright", *REMOVE, *words],
        env=build_environment(),
        capture_output=True,
        check=False,
        text=True,
    )


@pytest.mark.parametrize(
    "names",
    [
        ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"),
        *mark_long(
            [
                ("GIT_DIR",),
                ("GIT_DIR", "GIT_WORK_TREE"),
                ("GIT_INDEX_FILE",),
                ("GIT_COMMON_DIR",),
            ]
        ),
    ],
)
def test_repository_of_who_runs_us_is_left_alone(
    kept: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    names: tuple[str, ...],
) -> None:
    """A hook of git's that runs us says which repository it is of; Copier's git is not told."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "notes.txt").write_text("mine")
    git_save(other)
    before = snapshot(other)
    places = {"GIT_WORK_TREE": ".", "GIT_INDEX_FILE": ".git/index"}
    for name in names:
        monkeypatch.setenv(name, str(other / places.get(name, ".git")))
    ended = run_command(str(kept))
    for name in names:
        monkeypatch.delenv(name)
    assert ended.returncode == 0, ended.stderr
    assert snapshot(other) == before
    assert git(kept, "log", "-1", "--format=%s").strip() == "Remove kubernetes"
    assert read_tables(kept) == build_tables([GITLAB])


def test_hooks_for_all_repositories_are_not_run_in_copies(kept: Path, tmp_path: Path) -> None:
    """What core.hooksPath names may refuse what Copier does in the copies that only we see."""
    (tmp_path / "hooks").mkdir()
    for name in ("post-checkout", "prepare-commit-msg", "reference-transaction"):
        hook = tmp_path / "hooks" / name
        hook.write_text("#!/bin/sh\necho no good >&2\nexit 1\n")
        hook.chmod(0o755)
    git(kept, "config", "--global", "core.hooksPath", str(tmp_path / "hooks"))
    ended = run_command(str(kept), "--no-commit")
    assert ended.returncode == 0, ended.stderr
    assert read_tables(kept) == build_tables([GITLAB])
