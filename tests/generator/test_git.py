"""Git commands affect only the given repository, regardless of the environment."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from hookwright.git import run_git
from hookwright.project.change import check_committed, plan_change
from hookwright.project.reader import open_project
from hookwright_console.errors import RefusedError

from ..support.command_line import Ended, build_environment, run_hookwright
from ..support.git_repository import git, git_save
from ..support.installer import snapshot
from ..support.other_users import NOBODY, needs_root
from ..support.project import GITLAB
from ..support.rendered_project import build_tables, read_tables

REMOVE = ("remove", "kubernetes", "--yes", "--project")


def run_command(*words: str) -> Ended:
    return run_hookwright(*REMOVE, *words, folder=Path.home())


@pytest.mark.long
@pytest.mark.parametrize(
    "names",
    [
        ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"),
        ("GIT_DIR",),
        ("GIT_DIR", "GIT_WORK_TREE"),
        ("GIT_INDEX_FILE",),
        ("GIT_COMMON_DIR",),
    ],
)
def test_callers_repository_is_left_alone(
    kept: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    names: tuple[str, ...],
) -> None:
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
    assert ended.code == 0, ended.errors
    assert snapshot(other) == before
    assert git(kept, "log", "-1", "--format=%s").strip() == "Remove kubernetes"
    assert read_tables(kept) == build_tables([GITLAB])


def test_global_hooks_are_not_run_in_copies(kept: Path, tmp_path: Path) -> None:
    (tmp_path / "hooks").mkdir()
    for name in ("post-checkout", "prepare-commit-msg", "reference-transaction"):
        hook = tmp_path / "hooks" / name
        hook.write_text("#!/bin/sh\necho no good >&2\nexit 1\n")
        hook.chmod(0o755)
    git(kept, "config", "--global", "core.hooksPath", str(tmp_path / "hooks"))
    ended = run_command(str(kept), "--no-commit")
    assert ended.code == 0, ended.errors
    assert read_tables(kept) == build_tables([GITLAB])


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("core.fsmonitor", "{}"),
        ("core.hooksPath", "hooks"),
        ("filter.a.clean", "{}"),
        ("filter.a=b.clean", "{}"),
        ("filter.a.process", "{}"),
        ("include.path", "../more"),
    ],
)
def test_inspected_repository_runs_no_code(
    kept: Path, tmp_path: Path, key: str, value: str
) -> None:
    evil = tmp_path / "hooks" / "post-index-change"
    evil.parent.mkdir()
    evil.write_text(f"#!/bin/sh\ntouch '{tmp_path}/run'\n")
    evil.chmod(0o755)
    (kept / "more").write_text(f'[filter "a"]\nclean = {evil}\n')
    (kept / ".gitattributes").write_text("README.md filter=a\n*.json filter=a=b\n")
    git_save(kept)
    git(kept, "config", key, value.format(evil) if key != "core.hooksPath" else str(evil.parent))
    for path in (kept / "README.md", kept / "settings.json"):
        path.write_bytes(path.read_bytes() + b"\n")
        path.write_bytes(path.read_bytes()[:-1])  # git must read the file to see no difference
    project = open_project(kept)
    for path in project.folder.glob("*"):
        path.touch()
    check_committed(project)
    assert not (tmp_path / "run").exists()
    for path in project.folder.glob("*"):  # the check may have updated git's index
        path.touch()
    status = ["git", "status", "--porcelain"]
    subprocess.run(status, cwd=kept, check=False, capture_output=True)
    assert (tmp_path / "run").exists()


def test_missing_object_is_not_fetched(kept: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    for key, value in {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": str(kept),
        "remote.origin.uploadPack": f"touch '{run}'; git-upload-pack",
    }.items():
        git(kept, "config", key, value)
    tree = git(kept, "rev-parse", "HEAD^{tree}").strip()
    (kept / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    with pytest.raises(RefusedError, match=r"git status in .*: "):
        check_committed(open_project(kept))
    assert not run.exists()
    status = ["git", "status", "--porcelain"]
    subprocess.run(status, cwd=kept, check=False, capture_output=True)
    assert run.exists()


@pytest.mark.long
@pytest.mark.parametrize(
    "words",
    [["remove", "gitlab"], ["list"], ["try", "gitlab"], ["doctor", "--no-start"]],
)
def test_current_folder_does_not_affect_git(kept: Path, tmp_path: Path, words: list[str]) -> None:
    run = tmp_path / "run"
    for name in ("typer", "yaml", "rich", "copier", "json", "shlex", "jinja2"):
        (kept / f"{name}.py").write_text(f"open({str(run)!r}, 'w').close()\n")
    for name in ("git", "python3", "claude"):
        (kept / name).write_text(f"#!/bin/sh\ntouch '{run}'\n")
        (kept / name).chmod(0o755)
    completed = subprocess.run(
        [sys.executable, "-m", "hookwright", *words],
        cwd=kept,
        env=build_environment(PATH=os.pathsep.join([".", "", os.environ["PATH"]])),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        text=True,
    )
    assert "Traceback" not in completed.stderr
    assert not run.exists()


@pytest.mark.parametrize("name", ["gone", "file"])
def test_missing_folder_is_reported(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RefusedError, match=f"{name}: no such folder"):
        run_git(tmp_path / name, "status")


def test_missing_git_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RefusedError, match="git is missing: install it"):
        run_git(tmp_path, "status")


@needs_root
def test_suggested_command_trusts_another_users_repository(kept: Path) -> None:
    for path in (kept, kept / ".git"):
        os.chown(path, NOBODY, NOBODY)
    with pytest.raises(RefusedError, match="belongs to another user") as refused:
        check_committed(open_project(kept))
    _, _, command = str(refused.value).partition("or trust it: ")
    subprocess.run(shlex.split(command), check=True)
    plan_change(open_project(kept), {"retry_window": 60})
