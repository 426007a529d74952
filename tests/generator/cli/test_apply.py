"""A change is shown as records and files, as a patch or as JSON; a dry run changes nothing."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from hookwright.project.own_installer import run_own_installer
from hookwright.project.reader import open_project

from ...support.command_line import CommandLine
from ...support.fake_editor import ChooseEditor
from ...support.git_repository import git
from ...support.installer import snapshot
from ...support.project import ROUTES
from ...support.rendered_project import read_answers

ADD = ("add", "route", "acme", "--pattern", "acme", "--message", "Ask us.")
ACME = {"pattern": "acme", "message": "Ask us."}
VERBS = [ADD, ("remove", "linear"), ("update",), ("edit",), ("add", "--from", "shared.json")]


@pytest.fixture
def changing(hookwright_line: CommandLine, choose_editor: ChooseEditor) -> CommandLine:
    choose_editor("retry_window: 300", "retry_window: 60")
    (hookwright_line.folder / "shared.json").write_text(json.dumps({"routes": {"acme": ACME}}))
    return hookwright_line


def read(line: CommandLine, *words: str | Path) -> dict[str, Any]:
    printed: dict[str, Any] = json.loads(line.output(*words, "--json"))
    return printed


@pytest.mark.long
@pytest.mark.parametrize("words", VERBS, ids=" ".join)
def test_dry_run_changes_nothing(changing: CommandLine, kept: Path, words: tuple[str, ...]) -> None:
    before = snapshot(kept)
    output = changing.output(*words, "--project", kept, "--dry-run")
    assert output.endswith(("dry run, nothing changed\n", "nothing changes\n"))
    assert snapshot(kept) == before
    assert read(changing, *words, "--project", kept, "--dry-run")["applied"] is False
    assert snapshot(kept) == before


def test_records_and_files_are_shown(hookwright_line: CommandLine, kept: Path) -> None:
    output = hookwright_line.output(*ADD, "--project", kept, "--dry-run")
    assert output.startswith("route acme, new\n+ pattern: 'acme'\n+ message: Ask us.\n\n")
    assert "\nhooks/tool_routing.py       +8 -0\n" in output
    assert "@@" not in output
    output = hookwright_line.output(*ADD, "--project", kept, "--dry-run", "--diff")
    assert output.startswith("--- a/.claude-plugin/plugin.json\n+++ b/")
    assert '\n+            "message": "Ask us."' in output


def test_change_is_reported_as_json(hookwright_line: CommandLine, kept: Path) -> None:
    assert not run_own_installer(open_project(kept), "--scope", "user").faults
    printed = read(hookwright_line, *ADD, "--project", kept, "--yes")
    assert printed["message"] == "Add the route acme"
    assert printed["records"] == [
        {"question": "routes", "record": "acme", "before": None, "after": ACME}
    ]
    paths = [file["path"] for file in printed["files"]]
    assert paths == git(kept, "show", "--name-only", "--format=").splitlines()
    assert printed["files"][-1] == {
        "path": "hooks/tool_routing.py",
        "does": "changed",
        "added": 8,
        "removed": 0,
    }
    assert (printed["applied"], printed["committed"]) == (True, True)
    assert printed["installed"] == {"user": True}


@pytest.mark.long
def test_answer_without_records_is_reported(changing: CommandLine, kept: Path) -> None:
    printed = read(changing, "edit", "--project", kept, "--yes", "--no-commit")
    assert printed["answers"] == [{"question": "retry_window", "before": 300, "after": 60}]
    assert (printed["records"], printed["applied"], printed["committed"]) == ([], True, False)
    assert printed["installed"] == {}


def test_nothing_to_change_is_reported(hookwright_line: CommandLine, kept: Path) -> None:
    source = hookwright_line.folder / "shared.json"
    source.write_text(json.dumps({"routes": {"linear": ROUTES["linear"]}}))
    for words in (("update",), ("add", "--from", str(source))):
        printed = read(hookwright_line, *words, "--project", kept, "--yes")
        assert (printed["files"], printed["applied"]) == ([], False)


def test_json_needs_yes_without_a_terminal(hookwright_line: CommandLine, kept: Path) -> None:
    completed = hookwright_line.run(*ADD, "--project", kept, "--json")
    assert completed.code == 2
    assert completed.output == '{\n  "error": "cannot prompt without a terminal: add --yes"\n}\n'
    assert (
        completed.errors.splitlines()[-1]
        == "hookwright: cannot prompt without a terminal: add --yes"
    )
    assert "acme" not in read_answers(kept)["routes"]


def test_missing_first_commit_is_reported(hookwright_line: CommandLine, kept: Path) -> None:
    shutil.rmtree(kept / ".git")
    words = (*ADD, "--project", kept, "--yes")
    note = "the project is not committed yet"
    assert note not in hookwright_line.run(*words, "--dry-run").errors
    git(kept, "init", "--quiet")
    assert note not in hookwright_line.run(*words, "--no-commit").errors
    completed = hookwright_line.run("remove", "acme", "--project", kept, "--yes")
    assert completed.errors == f"hookwright: {note}: run git add . && git commit in {kept}\n"
