"""A command contacts a template's address only after the user has approved it once."""

import shutil
from pathlib import Path

import pytest

from hookwright.project.change import plan_change
from hookwright.project.reader import open_project
from hookwright_console.errors import RefusedError
from hookwright_console.files.user_folders import find_state_folder

from ...support.command_line import CommandLine
from ...support.git_repository import write_data
from ...support.project import ROUTES

ADD = ("add", "route", "acme", "--pattern", "acme", "--message", "Ask us.")
VERBS = [
    ADD,
    ("update",),
    ("update", "--restore"),
    ("disable", "linear"),
    ("remove", "linear"),
    ("edit",),
]


@pytest.fixture
def cloned(hookwright_line: CommandLine, tmp_path: Path, repository: Path) -> Path:
    data = write_data(tmp_path, routes=ROUTES)
    words = ("--data-file", data, "--template", f"git+file://{repository}")
    hookwright_line.output("new", "ours", *words)
    shutil.rmtree(find_state_folder())
    return hookwright_line.folder / "ours"


def test_new_address_needs_confirmation(
    hookwright_line: CommandLine, cloned: Path, repository: Path
) -> None:
    away = repository.rename(repository.with_name("away"))
    for words in VERBS:
        completed = hookwright_line.run(*words, "--project", cloned, "--no-commit")
        assert (completed.code, "--yes" in completed.errors) == (2, True), words
    with pytest.raises(RefusedError, match="which is new here: run hookwright update --project"):
        plan_change(open_project(cloned), {"retry_window": 60})
    away.rename(repository)


@pytest.mark.long
def test_confirmed_address_is_remembered(hookwright_line: CommandLine, cloned: Path) -> None:
    hookwright_line.output(*ADD, "--project", cloned, "--yes")
    plan_change(open_project(cloned), {"retry_window": 60})
    hookwright_line.output("update", "--project", cloned, "--dry-run")
