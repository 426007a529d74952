"""`hookwright edit NAME` opens a single record, and reopens the editor only if that can help."""

import json
from pathlib import Path

import pytest
import yaml

from ...support.command_line import CommandLine
from ...support.fake_editor import SEPARATOR, ChooseEditor
from ...support.git_repository import edit as edit_file
from ...support.git_repository import git
from ...support.project import GITLAB, KUBERNETES, ROUTES
from ...support.rendered_project import read_answers


def list_openings(seen: Path) -> list[str]:
    return seen.read_text("utf-8").split(f"{SEPARATOR}\n")[:-1]


def test_single_record_is_edited(
    hookwright_line: CommandLine, choose_editor: ChooseEditor, kept: Path
) -> None:
    seen = choose_editor("- kubectl", "- helm")
    output = hookwright_line.output("edit", "kubernetes", "--yes", "--project", kept)
    assert "\nEdit kubernetes: done, and committed\n" in output
    (text,) = list_openings(seen)
    assert "# The database kubernetes. Save and leave the editor" in text
    assert yaml.safe_load(text) == {"databases": [KUBERNETES]}
    changed = {**KUBERNETES, "keywords": ["kubernetes", "k8s", "helm"]}
    assert read_answers(kept)["databases"] == [GITLAB, changed]
    assert git(kept, "log", "-1", "--format=%s").strip() == "Edit kubernetes"


def test_route_is_renamed_in_place(
    hookwright_line: CommandLine, choose_editor: ChooseEditor, kept: Path
) -> None:
    choose_editor("  github-pr:", "  pull-request:")
    hookwright_line.output("edit", "github-pr", "--yes", "--project", kept)
    routes = read_answers(kept)["routes"]
    assert list(routes) == ["atlassian", "pull-request", "linear"]
    assert routes["pull-request"] == ROUTES["github-pr"]


def test_record_schema_covers_every_question(
    hookwright_line: CommandLine, choose_editor: ChooseEditor, kept: Path
) -> None:
    choose_editor("- kubectl", "- on")
    completed = hookwright_line.run("edit", "kubernetes", "--yes", "--project", kept)
    saved = Path(completed.errors.splitlines()[0].partition("saved in ")[2])
    schema = json.loads((saved.parent / "schema.json").read_text("utf-8"))
    assert "required" not in schema
    assert "required" in schema["definitions"]["database"]


def test_unknown_record_opens_no_editor(
    hookwright_line: CommandLine, choose_editor: ChooseEditor, kept: Path
) -> None:
    seen = choose_editor()
    line = hookwright_line.error("edit", "linaer", "--yes", "--project", kept)
    assert line == "hookwright: no record named 'linaer': did you mean linear?"
    assert not seen.exists()


def test_repeated_mistake_ends_an_unattended_editor(
    hookwright_line: CommandLine, choose_editor: ChooseEditor, kept: Path
) -> None:
    seen = choose_editor("- k8s", "- on", "- kubectl", "- helm", "- helm", "- kubectl")
    completed = hookwright_line.run("edit", "--yes", "--project", kept)
    assert completed.code == 1
    where, line = completed.errors.splitlines()
    assert "your text is saved in" in where
    assert line == ("hookwright: databases[1]: keywords[1] is true, not text: put it in quotes")
    assert len(list_openings(seen)) == 2


def test_new_mistake_reopens_the_editor(
    hookwright_line: CommandLine, choose_editor: ChooseEditor, kept: Path
) -> None:
    choose_editor("- k8s", "- on", "- on", "- 5", "- 5", "- k3s")
    hookwright_line.output("edit", "--yes", "--project", kept)
    assert read_answers(kept)["databases"][1]["keywords"] == ["kubernetes", "k3s", "kubectl"]


def test_conflicting_hook_edit_ends_the_editor(
    hookwright_line: CommandLine, choose_editor: ChooseEditor, kept: Path
) -> None:
    edit_file(kept / "hooks" / "docsearch.py", "\nk8s\n", "\nk9s\n")
    git(kept, "commit", "--quiet", "--all", "-m", "Edit by hand")
    seen = choose_editor("- k8s", "- k3s", "- k3s", "- k3", "- k3", "- k4")
    completed = hookwright_line.run("edit", "--yes", "--project", kept)
    assert completed.code == 1
    assert completed.errors.splitlines()[-1] == (
        "hookwright: your edit of hooks/docsearch.py conflicts with the change: undo it first; "
        f"to discard all edits of hooks, run hookwright update --restore --project {kept}"
    )
    assert len(list_openings(seen)) == 1


def test_vi_is_not_opened_without_a_terminal(
    hookwright_line: CommandLine, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "")
    monkeypatch.delenv("VISUAL", raising=False)
    line = hookwright_line.error("edit", "--yes", "--project", kept)
    assert line == ("hookwright: vi needs a terminal: set EDITOR to a command that edits a file")


def test_tool_without_a_server_is_rejected(
    hookwright_line: CommandLine, choose_editor: ChooseEditor, kept: Path
) -> None:
    choose_editor("mcp__leann__search", "mcp__leann_search")
    completed = hookwright_line.run("edit", "gitlab", "--yes", "--project", kept)
    assert 'mcp_tool_name is "mcp__leann_search": write mcp__SERVER__TOOL' in completed.errors
