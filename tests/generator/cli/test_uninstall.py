"""Uninstalling a project's hooks lists the databases that agents can still search."""

import shutil
from pathlib import Path

import pytest

from hookwright.documentation import setup
from hookwright.documentation.proof import Question
from hookwright.project.change import apply_change, plan_change
from hookwright.project.reader import open_project

from ...support.acme_documentation import PREFIX
from ...support.command_line import CommandLine
from ...support.installer import snapshot


@pytest.fixture
def line(set_up_line: CommandLine) -> CommandLine:
    return set_up_line


@pytest.fixture
def project(line: CommandLine) -> Path:
    return line.folder / "my hooks"


def test_remaining_database_is_listed(line: CommandLine, project: Path) -> None:
    completed = line.run("uninstall", "--project", project, "--yes")
    command = f"hookwright remove acme --project '{project}'"
    note = f"agents can still search acme: {command} deletes the pages and the index"
    assert completed.errors == f"hookwright: {note}\n"
    line.output("remove", "acme", "--project", project, "--yes")
    assert [path for path in snapshot(Path.home()) if path.startswith(".claude")] == []


@pytest.mark.long
def test_record_is_listed_without_its_database(line: CommandLine, project: Path) -> None:
    opened = open_project(project)
    databases = [{**record, "name": "rocket"} for record in opened.databases]
    apply_change(plan_change(opened, {"databases": databases}), "Rename acme")
    completed = line.run("uninstall", "--project", project, "--yes")
    assert "still search rocket: hookwright remove rocket --project" in completed.errors
    line.output("remove", "rocket", "--project", project, "--yes")
    assert "no documentation databases yet" in line.output("docs")


@pytest.mark.long
def test_database_of_installed_hooks_is_not_listed(
    line: CommandLine, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setup, "prove_server", lambda *_: Question("a b c", PREFIX))
    line.output("install", "--project", project, "--scope", "local", "--yes")
    note = "hookwright: my-hooks is also in the local settings: use --scope local\n"
    assert line.run("uninstall", "--project", project, "--yes").errors == note
    line.output("setup", "acme", "site", "--prefix", PREFIX, "--yes", "--project", "others")
    local = ("uninstall", "--project", project, "--scope", "local", "--yes")
    assert line.run(*local).errors == ""


def test_database_of_a_deleted_project_is_listed(line: CommandLine, project: Path) -> None:
    shutil.rmtree(project)
    assert line.run("uninstall", "--project", project, "--yes").errors == ""


def test_kept_copies_are_listed(hookwright_line: CommandLine, kept: Path) -> None:
    settings = Path.home() / ".claude" / "settings.json"
    settings.parent.mkdir()
    for text in ('{"a": 1}', '{"b": 1}'):
        settings.write_text(text)
        hookwright_line.output("install", "--project", kept, "--yes")
    hook = Path.home() / ".claude" / "hooks" / "PreToolUse" / "docsearch-my-hooks.py"
    hook.write_text(f"{hook.read_text()}# mine\n")
    completed = hookwright_line.run("uninstall", "--project", kept, "--yes")
    assert completed.errors == (
        "hookwright: kept ~/.claude/hooks/PreToolUse/docsearch-my-hooks.py.edited: "
        "delete it if you do not need it\n"
        "hookwright: kept ~/.claude/settings.json.before-hookwright.former: "
        "delete it if you do not need it\n"
    )


def test_team_database_is_listed(
    hookwright_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hookwright.cli import connect
    from hookwright.documentation.team_server import SharedDatabase

    line, project = hookwright_line, hookwright_line.folder / "my hooks"
    acme = SharedDatabase("acme", ("acme",), "acme documentation", PREFIX, "", 4)
    monkeypatch.setattr(connect, "list_shared", lambda *_: ([acme], {}))
    monkeypatch.setattr(connect, "prove_shared", lambda *_: PREFIX)
    line.output("connect", "https://team.example", "--project", project, "--yes")
    completed = line.run("uninstall", "--project", project, "--yes")
    command = f"hookwright remove acme --project '{project}'"
    note = f"agents can still search acme: {command} removes the server from the settings"
    assert completed.errors == f"hookwright: {note}\n"
    note = line.output("remove", "acme", "--project", project, "--yes")
    assert "the server team-docs is no longer configured" in note
