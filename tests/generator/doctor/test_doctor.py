"""Each doctor check accepts a valid state and reports a fault with its fix."""

import json
import os
import shutil
from pathlib import Path

import pytest

from hookwright.doctor.clients import check_client, check_settings
from hookwright.doctor.finding import Finding, find_setup
from hookwright.doctor.installation import (
    check_installed,
    check_neighbours,
    check_unreadable,
    check_vs_code,
)
from hookwright.doctor.project import check_rendered
from hookwright.project.own_installer import run_own_installer
from hookwright.project.reader import open_project

from ...support.client_settings import change, settings, the
from ...support.command_line import CommandLine
from ...support.git_repository import edit
from ...support.project import GITLAB, PULL_REQUEST, ROUTES, render


def test_installed_hooks_are_up_to_date(mine: Path) -> None:
    line = "docsearch, tool_routing: up to date in the user settings"
    assert the(check_installed(find_setup(mine))) == ("ok", line)


def test_missing_installation_is_reported(both: Path) -> None:
    line = f"my-hooks is not installed: run hookwright install --project {both}"
    assert the(check_installed(find_setup(both))) == ("fault", line)
    change(settings(), enabledPlugins={"my-hooks@my-hooks": True})
    assert the(check_installed(find_setup(both))) == ("ok", "as the plugin my-hooks@my-hooks")


@pytest.mark.parametrize("scope", ["user", "local"])
def test_other_folder_of_the_same_name_is_reported(
    both: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scope: str
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = Path(shutil.copytree(both, tmp_path / "theirs"))
    assert not run_own_installer(open_project(folder), "--scope", scope).faults
    for place in (tmp_path, Path.home()):
        monkeypatch.chdir(place)
        status, line = the(check_installed(find_setup(both)))
        assert status == "fault"
        assert line.startswith(f"my-hooks is installed from another folder, {folder}: change ")
        assert line.endswith(" --take-over")


def test_vs_code_cost_is_reported_where_it_is_installed(
    mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert list(check_vs_code(find_setup(mine))) == []
    (tmp_path / "code").touch(0o755)
    status, line = the(check_vs_code(find_setup(mine)))
    assert status == "ok"
    assert "2 Hookwright hooks start Python at each call" in line


def test_other_projects_are_not_a_fault(mine: Path, template: Path, tmp_path: Path) -> None:
    other = render(template, tmp_path / "o", project_name="other", databases=[GITLAB])
    assert not run_own_installer(open_project(other)).faults
    for folder, neighbour in ((mine, "other"), (other, "my-hooks")):
        assert the(check_installed(find_setup(folder)))[0] == "ok"
        status, line = the(check_neighbours(find_setup(folder)))
        message = f"the same calls also go to docsearch of {neighbour}"
        assert (status, line.partition(" in ")[0]) == ("ok", message)
    installed = [finding.line for finding in check_installed(find_setup(None))]
    assert len(installed) == 3
    assert sum("docsearch of other, in the user settings" in line for line in installed) == 1


def test_projects_with_deleted_folders_are_reported(
    mine: Path, template: Path, tmp_path: Path
) -> None:
    other = render(template, tmp_path / "o", project_name="other", databases=[GITLAB])
    assert not run_own_installer(open_project(other)).faults
    assert list(check_unreadable(find_setup(None))) == []
    shutil.rmtree(other)
    for setup in (find_setup(None), find_setup(mine)):
        status, line = the(check_unreadable(setup))
        assert status == "warn"
        assert line.startswith("other: its folder is gone: run hookwright install where")
        assert line.endswith(f"hookwright uninstall --project {other}")


def test_stale_copy_is_reported(mine: Path) -> None:
    edit(mine / "hooks" / "docsearch.py", "import sys", "import sys  # new")
    status, line = the(check_installed(find_setup(mine)))
    assert status == "fault"
    assert "docsearch-my-hooks.py is stale" in line
    assert line.endswith(f"run hookwright install --project {mine} --scope user")


def test_second_scope_is_reported_as_a_duplicate(mine: Path) -> None:
    assert not run_own_installer(open_project(mine), "--scope", "local").faults
    setup = find_setup(mine)
    assert ["is duplicated" in finding.line for finding in check_installed(setup)] == [True] * 4
    assert len(list(check_installed(setup, "local"))) == 2


def test_installed_hooks_are_checked_without_a_project(mine: Path) -> None:
    setup = find_setup(None)
    assert (setup.project, setup.databases) == (None, open_project(mine).databases)
    assert list(setup.routes) == list(open_project(mine).routes)
    lines = [finding.line for finding in check_installed(setup)]
    assert [line.split(";")[0] for line in lines] == [
        "docsearch of my-hooks, in the user settings",
        "tool_routing of my-hooks, in the user settings",
    ]
    shutil.rmtree(Path.home() / ".claude")
    assert "no Hookwright hooks are installed" in the(check_installed(find_setup(None)))[1]


@pytest.mark.parametrize(
    ("matcher", "asked"),
    [
        ("WebSearch", True),
        ("Read|WebFetch", True),
        ("Web.*", True),
        ("*", True),
        (None, True),
        ("Read", False),
        ("(", False),
        ("web", False),
    ],
)
def test_other_hooks_of_the_same_tool_are_listed(
    mine: Path, matcher: str | None, *, asked: bool
) -> None:
    hook = {"hooks": [{"type": "command", "command": "other.sh"}]}
    entry = hook if matcher is None else {"matcher": matcher, **hook}
    change(Path.cwd() / ".claude" / "settings.json", hooks={"PreToolUse": [entry]})
    status, line = the(check_neighbours(find_setup(mine)))
    assert status == "ok"
    assert ("`other.sh` in" in line) is asked
    assert ("no other hook handles WebSearch, WebFetch" in line) is not asked


def test_several_other_hooks_are_listed_by_file(mine: Path) -> None:
    shared, own = (Path.cwd() / ".claude" / f"settings{end}.json" for end in ("", ".local"))
    for path, commands in ((shared, ("a.sh", "b.sh", "a.sh")), (own, ("c.sh",))):
        hooks = [{"type": "command", "command": command} for command in commands]
        change(path, hooks={"PreToolUse": [{"matcher": "WebSearch", "hooks": hooks}]})
    _, line = the(check_neighbours(find_setup(mine)))
    listed = f"`a.sh`, `b.sh` in {shared} and `c.sh` in {own}"
    assert line.startswith(f"the same calls also go to {listed}: each hook can deny them; ")


@pytest.mark.parametrize(
    ("tool", "matcher", "asked"),
    [
        ("mcp__.*__fetch", "mcp__a__fetch", True),
        ("mcp__.*__fetch", "mcp__.*", True),
        ("mcp__(a|b)__fetch", "Read|mcp__b__fetch", True),
        ("mcp__(a|b)__fetch", "mcp__.__fetch", True),
        ("mcp__.*__fetch", "mcp__a__find", False),
        ("mcp__.*__fetch", "(", False),
    ],
)
def test_other_hooks_with_a_tool_pattern_are_listed(
    template: Path, tmp_path: Path, tool: str, matcher: str, *, asked: bool
) -> None:
    routes = {"fetch": {**PULL_REQUEST, "tool": tool, "field": "url"}}
    project = open_project(render(template, tmp_path / "my-hooks", routes=routes))
    assert not run_own_installer(project).faults
    entry = {"matcher": matcher, "hooks": [{"type": "command", "command": "other.sh"}]}
    change(Path.cwd() / ".claude" / "settings.json", hooks={"PreToolUse": [entry]})
    _, line = the(check_neighbours(find_setup(project.folder)))
    assert ("`other.sh` in" in line) is asked
    assert (line == f"no other hook handles {tool}") is not asked


def test_hooks_match_the_answers(mine: Path) -> None:
    first, _ = check_rendered(find_setup(mine))
    assert first == Finding("rendered", "ok", "the hooks match the answers")


@pytest.mark.parametrize(
    "words",
    [
        {"with": ["compiler"]},
        {"ambiguous": True, "unless": ["mountains"]},
    ],
    ids=str,
)
def test_with_and_unless_words_match_the_answers(
    template: Path, tmp_path: Path, words: dict[str, list[str] | bool]
) -> None:
    database = {**GITLAB, "keywords": ["alps"], **words}
    folder = render(template, tmp_path / "my-hooks", hooks=["docsearch"], databases=[database])
    first, _ = check_rendered(find_setup(folder))
    assert first == Finding("rendered", "ok", "the hooks match the answers")


def test_edited_hook_is_reported(kept: Path) -> None:
    hook = kept / "hooks" / "tool_routing.py"
    hook.write_text(f"# mine\n{hook.read_text('utf-8')}", "utf-8")
    first, _ = check_rendered(find_setup(kept))
    message = f"{hook} was edited by hand: run hookwright update --restore --project {kept}"
    assert first == Finding("rendered", "fault", message)


def test_edited_answers_and_conflicts_are_reported(mine: Path) -> None:
    edit(mine / ".copier-answers.yml", '"gl"', '"glab"')
    with (mine / "README.md").open("a") as readme:
        readme.write("\n<<<<<<< before updating\nmine\n")
    first, second, _ = check_rendered(find_setup(mine))
    assert (first.status, second.status) == ("fault", "fault")
    assert first.line.startswith(f"{mine}/README.md contains <<<<<<<")
    assert "docsearch.py does not match the answers" in second.line
    assert second.line.endswith(f"or run hookwright update --restore --project {mine}")


@pytest.mark.parametrize("constant", ["TOP_K", "CONTEXT_BUDGET"])
def test_edited_lesson_search_is_reported(template: Path, tmp_path: Path, constant: str) -> None:
    folder = render(template, tmp_path / "my-hooks", hooks=["lesson_search"], transport="command")
    edit(folder / "hooks" / "lesson_search.py", f"\n{constant} = ", f"\n{constant} = 1")
    first, _ = check_rendered(find_setup(folder))
    assert first.status == "fault"
    assert "lesson_search.py does not match the answers" in first.line


def test_lesson_search_without_a_script_is_checked(template: Path, tmp_path: Path) -> None:
    folder = render(template, tmp_path / "my-hooks", hooks=["lesson_search"], transport="http")
    first, _ = check_rendered(find_setup(folder))
    assert first == Finding("rendered", "ok", "the hooks match the answers")


@pytest.mark.parametrize(
    ("version", "status", "told"),
    [
        ("v0.1.0", "ok", "the same as this version"),
        ("v0.0.9", "warn", "run hookwright update"),
        ("v9.0.0", "warn", "update Hookwright"),
    ],
)
def test_template_version_is_checked(kept: Path, version: str, status: str, told: str) -> None:
    edit(kept / ".copier-answers.yml", f'"{open_project(kept).version}"', f'"{version}"')
    *_, last = check_rendered(find_setup(kept))
    assert (last.check, last.status) == ("version", status)
    assert told in last.line


def test_valid_settings_pass(mine: Path) -> None:
    assert the(check_settings(find_setup(mine))) == ("ok", f"valid: {settings()}")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "is not valid JSON (line 1"),
        ('{"disableAllHooks": true}', "turns all hooks off: remove disableAllHooks"),
        ('{"hooks": []}', "hooks is not an object"),
        ('{"hooks": {"PreToolUse": {}}}', "hooks.PreToolUse is not a list"),
        ('{"hooks": {"PreToolUse": [{"matcher": "x"}]}}', "hooks.PreToolUse[0] has no list"),
        ('{"hooks": {"Stop": [{"hooks": [{}]}]}}', 'hooks.Stop[0].hooks[0] has no "type"'),
        ('{"hooks": {"Stop": [{"hooks": [{"type": "command"}]}]}}', 'has no "command"'),
        ('{"hooks": {"Stop": [{"matcher": 1, "hooks": []}]}}', "hooks.Stop[0].matcher is not text"),
    ],
)
def test_broken_settings_are_reported(mine: Path, content: str, told: str) -> None:
    path = Path.cwd() / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(content)
    status, line = the(check_settings(find_setup(mine)))
    assert status == "fault"
    assert line.startswith(str(path))
    assert told in line


@pytest.mark.parametrize(
    ("allowed", "status"),
    [(["http://127.0.0.1:7731/*"], "ok"), (["https://*"], "fault"), ([], "fault")],
)
def test_client_may_send_requests(lessons_http: Path, allowed: list[str], status: str) -> None:
    change(settings(), allowedHttpHookUrls=allowed)
    assert the(check_settings(find_setup(lessons_http)))[0] == status


@pytest.mark.parametrize(
    ("says", "found"),
    [
        ("2.1.330 (Claude Code)", ("ok", "Claude Code 2.1.330 is new enough")),
        (
            "2.1.89 (Claude Code)",
            (
                "fault",
                "Claude Code 2.1.89 is too old, denials need 2.1.90: run claude update",
            ),
        ),
    ],
)
def test_client_version_is_checked(
    mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: str, found: tuple[str, str]
) -> None:
    pretend_client(tmp_path, monkeypatch, says)
    assert the(check_client(find_setup(mine))) == found


def pretend_client(folder: Path, monkeypatch: pytest.MonkeyPatch, says: str) -> None:
    fake = folder / "bin" / "claude"
    fake.parent.mkdir()
    fake.write_text(f"#!/bin/sh\necho '{says}'\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}{os.pathsep}{os.environ['PATH']}")


def test_missing_client_is_reported(
    mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend_client(tmp_path, monkeypatch, "what?")
    status, line = the(check_client(find_setup(mine)))
    assert (status, "does not print its version" in line) == ("warn", True)
    monkeypatch.setenv("PATH", str(tmp_path))
    line = "claude is not on PATH: install Claude Code"
    assert the(check_client(find_setup(mine))) == ("warn", line)


def test_doctor_prints_lines_and_json(hookwright_line: CommandLine, mine: Path) -> None:
    completed = hookwright_line.run("doctor", "--project", mine, "--no-start")
    assert completed.code == 1
    lines = completed.output.splitlines()
    assert lines[0].startswith("ok installed     docsearch, tool_routing: up to date")
    assert " faults, " in lines[-1]
    findings = json.loads(hookwright_line.run("doctor", "--json", "--no-start").output)
    assert {"check", "status", "line"} == set(findings[0])


def test_doctor_outside_a_project_checks_the_installed_ones(
    hookwright_line: CommandLine, mine: Path, template: Path, tmp_path: Path
) -> None:
    other = render(template, tmp_path / "other", routes=ROUTES, project_name="other")
    assert not run_own_installer(open_project(other)).faults
    (mine / "hooks" / "docsearch.py").write_text("broken (")
    lines = hookwright_line.run("doctor", "--no-start").output.splitlines()
    assert [line for line in lines if " in /" in line and line.split()[0] in ("my-hooks", "other")]
    assert any("is not valid Python" in line for line in lines)
    assert any("tool_routing: up to date" in line for line in lines)
    clients = [line for line in lines if line[3:].startswith("client ")]
    assert len(clients) == 1


def test_folder_without_a_project_is_rejected(hookwright_line: CommandLine, tmp_path: Path) -> None:
    assert "not a Hookwright project" in hookwright_line.error("doctor", "--project", tmp_path)
