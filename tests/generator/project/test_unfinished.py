"""A killed project change is either completed or rolled back."""

import json
import os
import shutil
from itertools import count
from pathlib import Path

import pytest
import typer
import typer.core

from hookwright.cli.current_project import complete_name
from hookwright.project.change import (
    ProjectChange,
    apply_change,
    commit_project,
    create_project,
    plan_change,
)
from hookwright.project.current import find_project, is_free
from hookwright.project.reader import ANSWERS, open_project
from hookwright.project.unfinished import NotedChange, find_note, noting
from hookwright_console.errors import RefusedError
from hookwright_console.files.user_folders import find_state_folder

from ...support.git_repository import git
from ...support.installer import snapshot
from ...support.killed_steps import FORKS, kill_at
from ...support.project import GITLAB, KUBERNETES

pytestmark = [
    FORKS,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here"),
]
MESSAGE = "Take out kubernetes"
DAILY = 11  # daily runs try one in this many steps


def plan(folder: Path) -> ProjectChange:
    return plan_change(open_project(folder), {"databases": [GITLAB]})


def list_leftovers(folder: Path) -> list[Path]:
    return [*find_state_folder().glob("changes/*"), *folder.rglob(".*-????????")]


def kill_half_way(folder: Path) -> None:
    change = plan(folder)
    for number in count(30):
        kill_at(number, lambda: apply_change(change, MESSAGE))
        if (folder / ANSWERS).read_bytes() == change.files[ANSWERS]:
            break


def check_change(folder: Path, every: int) -> None:
    """Kill a change at some of its steps, and check that each is completed or rolled back."""
    change, before = plan(folder), folder.parent / "before"
    shutil.copytree(folder, before)
    states = set()
    for number in count(1, every):
        if not kill_at(number, lambda: apply_change(change, MESSAGE)):
            break
        databases = open_project(folder).databases
        is_made = databases == [GITLAB]
        states.add(is_made)
        commits = git(folder, "log", "--format=%s").splitlines()
        assert (commits[0] == MESSAGE) == is_made, number
        assert git(folder, "status", "--porcelain") == "", number
        assert list_leftovers(folder) == [], number
        assert apply_change(plan(folder), MESSAGE) != is_made, number
        shutil.rmtree(folder)
        shutil.copytree(before, folder)
    assert states == {True, False}


def test_killed_change_is_finished(kept: Path) -> None:
    check_change(kept, DAILY)


@pytest.mark.long
def test_change_killed_at_more_steps_is_finished(kept: Path) -> None:
    check_change(kept, 5)


@pytest.mark.parametrize("every", [90, pytest.param(23, marks=pytest.mark.long)])
def test_killed_creation_is_finished(kept_template: Path, tmp_path: Path, every: int) -> None:
    folder = tmp_path / "my-hooks"

    def create() -> None:
        create_project(folder, {"databases": [GITLAB]}, str(kept_template), commits=True)
        commit_project(folder)

    for number in count(1, every):
        if not kill_at(number, create):
            break
        project = find_project(folder)
        assert is_free(folder) == (project is None), number
        if project is None:
            create()
            project = find_project(folder)
        assert project, number
        assert project.databases == [GITLAB], number
        assert git(folder, "log", "--format=%s").split()[0] == "Render", number
        assert git(folder, "status", "--porcelain") == "", number
        assert list_leftovers(folder) == [], number
        shutil.rmtree(folder)
    assert number > every


def test_edit_after_the_kill_is_kept(kept: Path) -> None:
    kill_half_way(kept)
    readme = kept / "README.md"
    readme.write_text("mine")
    open_project(kept)
    assert readme.read_text() == "mine"
    assert git(kept, "log", "--format=%s").splitlines()[0] != MESSAGE


def test_damaged_journal_is_discarded(kept: Path) -> None:
    note = find_note(kept)
    note.parent.mkdir(parents=True)
    for text in ("", "[]", "{", '{"files": 3}', "[" * 100_000, "\0"):
        note.write_text(text)
        assert open_project(kept).databases
        assert not note.exists()
    assert git(kept, "status", "--porcelain") == ""


def test_running_change_is_left_alone(kept: Path) -> None:
    change = plan(kept)
    note = find_note(kept)

    replace = Path.replace

    def look(path: Path, target: Path) -> Path:
        open_project(kept)
        assert json.loads(note.read_text())["message"] == MESSAGE
        return replace(path, target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "replace", look)
        assert apply_change(change, MESSAGE)
    assert not note.exists()


def test_concurrent_change_is_rejected(kept: Path) -> None:
    change = plan(kept)
    note = find_note(kept)
    with noting(NotedChange(kept, {"a": b"1"}, message="first")):
        before = note.read_bytes()
        with pytest.raises(RefusedError, match=r"another command is changing .*: wait until"):
            apply_change(change, MESSAGE)
        assert note.read_bytes() == before
    assert not note.exists()
    assert apply_change(change, MESSAGE)


def test_change_planned_for_other_answers_is_rejected(kept: Path) -> None:
    change = plan(kept)
    other = plan_change(open_project(kept), {"databases": [KUBERNETES]})
    assert apply_change(other, "Take out gitlab")
    with pytest.raises(RefusedError, match=r"another command changed .* meanwhile: run this one"):
        apply_change(change, MESSAGE)
    assert open_project(kept).databases == [KUBERNETES]
    assert list_leftovers(kept) == []


def test_completion_changes_nothing(kept: Path) -> None:
    kill_half_way(kept)
    before = snapshot(kept)
    context = typer.Context(typer.core.TyperCommand("enable"))
    context.params["project"] = kept
    assert complete_name(context, "gitl") == ["gitlab"]
    assert snapshot(kept) == before
    assert find_note(kept).exists()


def test_compiled_file_is_removed_with_its_module(tmp_path: Path) -> None:
    compiled = tmp_path / "hooks" / "__pycache__" / "docsearch_answer.cpython-312.pyc"
    compiled.parent.mkdir(parents=True)
    compiled.touch()
    (tmp_path / "hooks" / "docsearch_answer.py").touch()
    change = NotedChange(tmp_path, {"hooks/docsearch_answer.py": None})
    change.write(change.files)
    assert list(tmp_path.iterdir()) == []
