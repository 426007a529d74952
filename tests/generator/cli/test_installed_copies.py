"""A project change updates only the copies installed from that project's folder."""

from pathlib import Path

import pytest

from hookwright.template.store import keep_template

from ...support.command_line import CommandLine
from ...support.git_repository import git_save
from ...support.installer import run_installer, snapshot
from ...support.project import GITLAB, render

REMOVE = ("remove", "kubernetes", "--yes", "--project")


def test_installed_copy_is_updated(
    hookwright_line: CommandLine, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hookwright_line.output(*REMOVE, kept)
    config = Path.home() / ".claude"
    assert not config.exists()
    run_installer(kept).check_returncode()
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE")
    output = hookwright_line.output("remove", "linear", "--yes", "--project", kept)
    assert "wrote ~/.claude/hooks/PreToolUse/tool_routing-my-hooks.py\n" in output
    assert not any(kept.rglob("__pycache__"))


@pytest.mark.long
def test_copy_installed_in_a_folder_is_updated(hookwright_line: CommandLine, kept: Path) -> None:
    run_installer(kept, "--scope", "local").check_returncode()
    hookwright_line.output(*REMOVE, kept)
    completed = run_installer(kept, "--scope", "local", "--check")
    assert completed.stdout == "all is well\n"
    assert not (Path.home() / ".claude" / "settings.json").exists()


@pytest.mark.long
def test_edited_install_py_is_not_run(
    hookwright_line: CommandLine, kept: Path, tmp_path: Path
) -> None:
    run_installer(kept).check_returncode()
    for name in ("install.py", "installer/entries.py"):
        (kept / name).write_text(f"open({str(tmp_path / 'run')!r}, 'w').close()\n")
    git_save(kept)
    installed = Path.home() / ".claude" / "hooks" / "PreToolUse" / "tool_routing-my-hooks.py"
    before = installed.read_bytes()
    hookwright_line.output("remove", "linear", "--yes", "--project", kept)
    assert before != installed.read_bytes() == (kept / "hooks" / "tool_routing.py").read_bytes()
    assert not (tmp_path / "run").exists()


def test_removal_does_not_advise_installing(hookwright_line: CommandLine, kept: Path) -> None:
    output = hookwright_line.output(*REMOVE, kept)
    assert output.splitlines()[-1] == "Remove kubernetes: done, and committed"
    assert not (Path.home() / ".claude").exists()


@pytest.mark.long
@pytest.mark.parametrize("name", ["my-hooks", "other"])
def test_installed_copy_ignores_another_folder(
    hookwright_line: CommandLine, kept: Path, tmp_path: Path, name: str
) -> None:
    other = render(keep_template(), tmp_path / "other", project_name=name, databases=[GITLAB])
    run_installer(other).check_returncode()
    before = snapshot(Path.home() / ".claude")
    output = hookwright_line.output(*REMOVE, kept)
    note = "my-hooks is installed from another folder" if name == "my-hooks" else "and committed"
    assert note in output.splitlines()[-1]
    assert ("hookwright install --project" in output) is (name == "my-hooks")
    assert ("--take-over" in output) is (name == "my-hooks")
    assert snapshot(Path.home() / ".claude") == before


@pytest.mark.long
def test_copy_in_another_folders_settings_is_kept(
    hookwright_line: CommandLine, kept: Path, tmp_path: Path
) -> None:
    run_installer(kept, "--scope", "local", folder=tmp_path).check_returncode()
    output = hookwright_line.output(*REMOVE, kept)
    run = f"hookwright install --scope local --project {kept}"
    assert output.splitlines()[-1] == f"my-hooks is installed for {tmp_path}: there, run {run}"


def test_broken_settings_are_reported(hookwright_line: CommandLine, kept: Path) -> None:
    run_installer(kept).check_returncode()
    settings = Path.home() / ".claude" / "settings.json"
    settings.write_text("{broken")
    completed = hookwright_line.run(*REMOVE, kept)
    assert completed.code == 1
    assert completed.output.splitlines()[-1].startswith(f"{settings} is not valid JSON")
    settings.write_text("{}")
    output = hookwright_line.output("remove", "linear", "--yes", "--project", kept)
    assert output.splitlines()[-1].startswith("my-hooks is not installed from here: run ")


def test_hooks_of_another_folder_are_reported(
    hookwright_line: CommandLine, kept: Path, tmp_path: Path
) -> None:
    other = tmp_path / "there"
    other.mkdir()
    run_installer(kept, "--scope", "local", folder=other).check_returncode()
    for words, command in (
        (("status",), "status"),
        (("doctor",), "doctor"),
        (("uninstall", "--yes"), "uninstall --scope local"),
    ):
        completed = hookwright_line.run(*words, "--project", kept)
        note = f"my-hooks is installed for {other}: there, run hookwright {command} --project"
        assert note in completed.output + completed.errors, words
        assert "my-hooks is not installed" not in completed.output + completed.errors
    note = f"my-hooks is installed for {other}: there, run hookwright"
    assert f"): {note} status" in hookwright_line.run("status", "--all").output
    assert f"{note} try" in hookwright_line.run("try", "gitlab").errors
    run_installer(kept, "--scope", "local", "--uninstall", folder=other).check_returncode()
    assert "is not installed" in hookwright_line.run("status", "--project", kept).errors


@pytest.mark.parametrize("client", ["claude", "opencode"])
def test_other_folder_and_scope_are_reported(
    hookwright_line: CommandLine, tmp_path: Path, client: str
) -> None:
    project = render(
        keep_template(),
        tmp_path / "ours",
        project_name="ours",
        databases=[GITLAB],
        clients=[client],
    )
    other = tmp_path / "there"
    other.mkdir()
    run_installer(
        project, "--scope", "project", "--client", client, folder=other
    ).check_returncode()
    errors = hookwright_line.run("uninstall", "--project", project, "--yes").errors
    command = f"hookwright uninstall --scope project --project {project}"
    assert f"ours is installed for {other}: there, run {command}\n" in errors


def test_plugin_needs_no_installation(hookwright_line: CommandLine, kept: Path) -> None:
    settings = Path.home() / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"enabledPlugins": {"my-hooks@my-hooks": true}}')
    assert "install" not in hookwright_line.output(*REMOVE, kept).splitlines()[-1]
