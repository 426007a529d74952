"""`hookwright status` shows where hooks are installed and whether they are up to date."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from ...support.client_installer import render_for
from ...support.client_settings import furnish_config
from ...support.command_line import CommandLine
from ...support.project import ROUTES, render
from .test_installation import SETTINGS, find_hooks, find_record


@pytest.fixture
def config() -> Path:
    return furnish_config(SETTINGS)


@pytest.fixture
def other(template: Path, tmp_path: Path) -> Path:
    return render(template, tmp_path / "other", project_name="other", routes=ROUTES)


def read_status(line: CommandLine, *words: str | Path, code: int = 0) -> dict[str, Any]:
    completed = line.run("status", "--json", *words)
    assert completed.code == code, completed
    value: dict[str, Any] = json.loads(completed.output)
    return value


def test_status_shows_each_hook(hookwright_line: CommandLine, both: Path, config: Path) -> None:
    states = [read_states(hookwright_line, both, code=1)]
    hookwright_line.output("install", "--project", both, "--yes")
    states.append(read_states(hookwright_line, both))
    routing = find_hooks(config)[1]
    routing.write_bytes(routing.read_bytes() + b"#")
    settings = config / "settings.json"
    settings.write_text(settings.read_text().replace('"WebSearch"', '"Web"'))
    states.append(read_states(hookwright_line, both, code=1))
    routing.unlink()
    settings.write_text("{}")
    states.append(read_states(hookwright_line, both, code=1))
    assert states == [[project] * 2 for project in ("missing", "current", "stale", "missing")]


def test_status_refuses_a_broken_module_of_a_hook(
    hookwright_line: CommandLine, template: Path, tmp_path: Path
) -> None:
    project = render(template, tmp_path / "lessons", hooks=["lesson_search"])
    hookwright_line.output("install", "--project", project, "--yes")
    module = project / "hooks" / "action_lessons_answer.py"
    text = module.read_text()
    module.write_text(f"{text}# edited\n")
    assert read_states(hookwright_line, project, code=1) == ["current", "stale"]
    module.write_text(f"<<<<<<< mine\n{text}")
    error = hookwright_line.error("status", "--project", project)
    assert f"{module} has a merge marker (line 1)" in error


def read_states(line: CommandLine, project: Path, code: int = 0) -> list[str]:
    return [hook["state"] for hook in read_status(line, "--project", project, code=code)["hooks"]]


def test_status_shows_all_projects(
    hookwright_line: CommandLine, both: Path, other: Path, config: Path
) -> None:
    assert "no hooks are installed" in hookwright_line.output("status", "--all")
    for project in (both, other):
        hookwright_line.output("install", "--project", project, "--yes")
    projects = read_status(hookwright_line, "--all")["projects"]
    assert [(project["current"], project["error"]) for project in projects] == [(True, "")] * 2
    assert str(both) in {project["folder"] for project in projects}
    find_record(config).unlink()
    projects = read_status(hookwright_line, "--all", code=1)["projects"]
    assert sum("cannot tell which folder" in project["error"] for project in projects) == 1
    assert "cannot tell" in hookwright_line.run("status", "--all").output


def test_status_without_hooks_is_not_an_error(hookwright_line: CommandLine, both: Path) -> None:
    for command in ("install", "uninstall"):
        hookwright_line.output(command, "--project", both, "--yes")
    assert hookwright_line.output("status") == (
        "no hooks are installed: create a project with hookwright setup or hookwright new\n"
    )
    assert read_status(hookwright_line) == {"projects": []}
    assert hookwright_line.output("uninstall") == "no hooks are installed\n"
    assert json.loads(hookwright_line.output("uninstall", "--dry-run", "--json")) == []


def test_status_shows_a_project_in_another_folder(
    hookwright_line: CommandLine, both: Path, tmp_path: Path
) -> None:
    theirs = Path(shutil.copytree(both, tmp_path / "theirs"))
    hookwright_line.output("install", "--project", theirs, "--yes")
    assert hookwright_line.run("status", "--project", both).errors == (
        "hookwright: another folder installed my-hooks: to replace it, run "
        f"hookwright install --project {both} --take-over\n"
    )


def test_project_with_a_deleted_folder_is_reported(
    hookwright_line: CommandLine, both: Path, other: Path, config: Path
) -> None:
    for project in (both, other):
        hookwright_line.output("install", "--project", project, "--yes")
    shutil.rmtree(other)
    completed = hookwright_line.run("status", "--all")
    command = f"hookwright uninstall --project {other}"
    way_out = f"run hookwright install where you moved it, or {command}"
    assert completed.code == 1
    assert f"other ({other}): its folder is gone: {way_out}\n" in completed.output
    hookwright_line.output(*command.split()[1:], "--yes")
    assert "other" not in hookwright_line.output("status", "--all")
    assert not list((config / "hooks").rglob("*-other.*"))
    assert "-other.py" not in (config / "settings.json").read_text()
    line = hookwright_line.error("uninstall", "--project", other)
    assert f"nothing of {other} is installed, and it has no project" in line


def test_commands_report_that_the_only_project_is_deleted(
    hookwright_line: CommandLine, both: Path, tmp_path: Path
) -> None:
    project = Path(shutil.copytree(both, tmp_path / "my-hooks"))
    hookwright_line.output("install", "--project", project, "--yes")
    moved = project.rename(tmp_path / "moved")
    for words in (["status"], ["list"], ["stats"], ["try", "x"], ["uninstall"], ["edit"]):
        assert hookwright_line.error(*words) == (
            "hookwright: my-hooks: its folder is gone: run hookwright install where you moved it, "
            f"or hookwright uninstall --project {project}"
        )
    hookwright_line.output("install", "--project", moved, "--yes")
    assert "current" in hookwright_line.output("status")


def test_status_shows_each_scope(hookwright_line: CommandLine, both: Path) -> None:
    hookwright_line.output("install", "--project", both, "--yes", "--scope", "local")
    hooks = read_status(hookwright_line, "--project", both)["hooks"]
    assert [hook["scope"] for hook in hooks] == ["local"] * 2
    missing = read_status(hookwright_line, "--project", both, "--scope", "project", code=1)
    assert {(hook["scope"], hook["state"]) for hook in missing["hooks"]} == {("project", "missing")}


def test_status_shows_a_request(hookwright_line: CommandLine, lessons_http: Path) -> None:
    assert read_states(hookwright_line, lessons_http, code=1) == ["missing"]
    hookwright_line.output("install", "--project", lessons_http, "--yes")
    (hook,) = read_status(hookwright_line, "--project", lessons_http)["hooks"]
    settings = Path.home() / ".claude" / "settings.json"
    assert (hook["state"], hook["file"]) == ("current", str(settings))


def test_folder_may_be_given_in_any_form(
    hookwright_line: CommandLine, both: Path, tmp_path: Path
) -> None:
    hookwright_line.output("install", "--project", both, "--yes")
    link = tmp_path / "link"
    link.symlink_to(both)
    for path in (both / ".." / both.name, link):
        assert hookwright_line.run("status", "--project", path).code == 0


def test_status_lists_folders_and_other_projects(
    hookwright_line: CommandLine, both: Path, other: Path, config: Path
) -> None:
    hookwright_line.output("install", "--project", both, "--yes")
    (config / "hooks" / "hookwright-my-hooks.json").write_text('{"folder": "/gone\\u001b[2J"}')
    completed = hookwright_line.run("status", "--project", both)
    assert completed.code == 1
    assert "installed from /gone\\x1b[2J\n" in completed.output
    assert completed.errors == (
        "hookwright: my-hooks was moved here from /gone\\x1b[2J: run "
        f"hookwright install --project {both}\n"
    )
    output = hookwright_line.run("status", "--project", other).output
    assert "also installed: my-hooks, from /gone\\x1b[2J\n" in output
    value = read_status(hookwright_line, "--project", other, code=1)
    assert value["others"] == [{"project": "my-hooks", "folder": "/gone\x1b[2J"}]


def test_status_works_inside_the_project(
    hookwright_line: CommandLine, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(kept)
    line = hookwright_line.error("status")
    assert line == "hookwright: my-hooks is not installed: run hookwright install"
    hookwright_line.output("install", "--yes", "--scope", "local")
    find_hooks(Path.home() / ".claude")[0].unlink()
    line = hookwright_line.error("status")
    assert line == "hookwright: my-hooks is not current: run hookwright install --scope local"


def test_status_shows_a_plugin(hookwright_line: CommandLine, both: Path, config: Path) -> None:
    settings = {"enabledPlugins": {"my-hooks@my-hooks": True}}
    (config / "settings.json").write_text(json.dumps(settings))
    output = hookwright_line.output("status", "--project", both)
    assert output == "my-hooks\ninstalled in Claude Code as the plugin my-hooks@my-hooks\n"
    value = read_status(hookwright_line, "--project", both)
    assert value["hooks"] == []
    assert value["packages"] == [{"client": "claude", "name": "the plugin my-hooks@my-hooks"}]
    (config / "settings.json").unlink()
    hookwright_line.output("install", "--project", both, "--yes", "--scope", "local")
    (config / "settings.json").write_text(json.dumps(settings))
    find_hooks(config)[0].unlink()
    assert read_states(hookwright_line, both, code=1) == ["missing", "current"]


def test_hooks_of_another_folder_are_uninstalled(
    hookwright_line: CommandLine, both: Path, tmp_path: Path
) -> None:
    hookwright_line.output("install", "--project", both, "--yes")
    copy = shutil.copytree(both, tmp_path / "copy")
    line = hookwright_line.error("uninstall", "--project", copy, "--yes")
    assert line.endswith(": uninstall it there, or add --take-over")
    hookwright_line.output("uninstall", "--project", copy, "--yes", "--take-over")
    assert not (Path.home() / ".claude" / "settings.json").exists()


@pytest.mark.parametrize("options", [["--yes"], ["--yes", "--take-over"], ["--dry-run"]])
def test_edited_hook_is_reported(
    hookwright_line: CommandLine, kept: Path, options: list[str]
) -> None:
    hook = kept / "hooks" / "docsearch.py"
    hook.write_bytes(hook.read_bytes() + b"print()\n")
    warning = (
        f"hookwright: {hook} differs from what this version renders: "
        "review it before you trust it\n"
    )
    completed = hookwright_line.run("install", "--project", kept, *options)
    assert (completed.code, completed.errors.startswith(warning)) == (0, True)
    again = hookwright_line.run("install", "--project", kept, *options)
    assert (warning in again.errors) == ("--yes" not in options)


def test_install_accepts_a_relative_folder(
    hookwright_line: CommandLine, both: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", "here")
    line = hookwright_line.error("install", "--project", both, "--yes")
    way_out = "set it to an absolute one"
    assert line == f"hookwright: CLAUDE_CONFIG_DIR is a relative path, here: {way_out}"


def test_status_handles_impossible_folders(
    hookwright_line: CommandLine, both: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(loop))
    line = hookwright_line.error("status", "--project", both)
    assert line.startswith("hookwright: /")
    assert "Too many levels of symbolic links" in line


@pytest.mark.long
def test_status_handles_large_settings(
    hookwright_line: CommandLine, both: Path, config: Path
) -> None:
    (config / "settings.json").write_text(json.dumps({"history": "x" * 6_000_000}))
    assert read_states(hookwright_line, both, code=1) == ["missing"] * 2


def test_client_removed_from_the_answers_is_shown(
    hookwright_line: CommandLine, template: Path, tmp_path: Path
) -> None:
    project = render_for(template, tmp_path / "my-hooks", "codex", "gemini")
    both = ("--client", "codex", "--client", "gemini")
    hookwright_line.output("install", "--project", project, "--yes", *both)
    shutil.rmtree(project / "clients" / "gemini")
    answers = project / ".copier-answers.yml"
    answers.write_text(re.sub(r',\s*"gemini"', "", answers.read_text()))
    way_out = f"run hookwright uninstall --project {project} --client gemini"
    message = f"gemini: no longer in the answers: {way_out}"
    rows = read_status(hookwright_line, "--project", project, code=1)["hooks"]
    assert [row["state"] for row in rows if row["client"] == "gemini"] == ["left over"]
    assert {row["state"] for row in rows if row["client"] == "codex"} == {"current"}
    assert message in hookwright_line.error("status", "--project", project)
    assert message in hookwright_line.run("install", "--project", project, "--yes").errors
    hookwright_line.output("uninstall", "--project", project, "--yes", "--client", "gemini")
    assert read_status(hookwright_line, "--project", project)["hooks"]


def test_rejected_client_is_reported(
    hookwright_line: CommandLine, template: Path, tmp_path: Path
) -> None:
    project = render_for(template, tmp_path / "my-hooks", "codex", "gemini")
    settings = Path.home() / ".gemini" / "settings.json"
    settings.parent.mkdir()
    settings.write_text("broken")
    both = ("--client", "gemini", "--client", "codex")
    completed = hookwright_line.run("install", "--project", project, "--yes", *both)
    assert completed.code == 1
    assert f"{settings} is not valid JSON" in completed.errors
    assert "(--client gemini)" in completed.errors
    rows = read_status(hookwright_line, "--project", project, code=1)["hooks"]
    refused = [row for row in rows if row["client"] == "gemini"]
    assert [(project["state"], project["file"]) for project in refused] == [
        ("refused", str(settings))
    ]
    assert "is not valid JSON" in refused[0]["problem"]
    assert {row["state"] for row in rows if row["client"] == "codex"} == {"current"}
