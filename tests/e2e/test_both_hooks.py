"""Both hooks work side by side in the real client."""

import json
import shutil
from pathlib import Path

import pytest

from ..support.project import GITLAB, render
from .clients.claude import DELEGATE, Claude
from .model import Call
from .routes import API, ISSUE, PULL_REQUEST, bash, fetch

SEARCH = Call("WebSearch", {"query": "gitlab ci cache"})
PULL = fetch("https://github.com/octo/hello/pull/42")
ISSUE_7 = fetch("https://github.com/octo/hello/issues/7")
CURL = bash("echo $(curl -s https://api.github.com/users)")
ALL = [SEARCH, PULL, CURL]


@pytest.fixture(scope="module")
def project(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return render(
        template,
        tmp_path_factory.mktemp("both") / "my-hooks",
        databases=[GITLAB],
        routes={"pull-request": PULL_REQUEST, "issue": ISSUE, "api": API},
    )


@pytest.mark.parametrize("profile", [(), ("--profile", "directory")])
def test_project_is_valid(claude: Claude, project: Path, profile: tuple[str, ...]) -> None:
    completed = claude.run("plugin", "validate", "--strict", *profile, str(project))
    assert completed.returncode == 0, completed.stdout


def test_each_hook_handles_its_own_calls(installed_each_way: Claude) -> None:
    run = installed_each_way.converse(ALL)
    (decision,) = run.main
    search, pull, curl = decision.results
    assert "'gitlab'" in search.text
    assert "gh pr view 42" in pull.text
    assert "gh api users" in curl.text
    assert decision.notes.count("select:mcp__leann__search") == 1
    assert run.last.count("Better:") == 2
    assert run.web == ()


def test_search_named_by_a_route_can_be_repeated(
    claude: Claude, my_hooks: Path, template: Path
) -> None:
    shutil.rmtree(my_hooks)
    once = {"tool": "WebSearch", "field": "query", "pattern": "cache", "once": True}
    routes = {"caching": {**once, "message": "Better: ask the cache"}}
    render(template, my_hooks, databases=[GITLAB], routes=routes)
    run = claude.load_plugin(my_hooks).converse([SEARCH], [SEARCH])
    assert run.errors == [[True], [False]]
    assert len(run.web) == 1


def test_subagent_is_covered_by_both_hooks(installed: Claude) -> None:
    run = installed.converse([DELEGATE], subagent_script=[ALL])
    assert run.subagent_errors == [[[True, True, True]]]


def test_deleted_script_blocks_nothing(installed: Claude) -> None:
    for script in list(installed.home.rglob("tool_routing*.py")):
        script.unlink()
    run = installed.converse(ALL)
    assert "'gitlab'" in run.main[0].results[0].text
    assert "Better" not in run.last
    assert run.errors == [[True, True, False]]  # the fetch fails because there is no network access


def test_two_installations_do_not_lock_the_tools(claude: Claude, my_hooks: Path) -> None:
    twice = claude.install_settings(my_hooks).load_plugin(my_hooks)
    run = twice.converse([ISSUE_7, SEARCH], [ISSUE_7, SEARCH])
    blocked, repeated = run.main
    assert blocked.errors == [True, True]
    assert "Better: gh issue view 7" in blocked.results[0].text
    assert "Better" not in repeated.text
    assert len(run.web) == 1
    assert run.last.count("Better:") == 1


def test_marketplace_install_includes_both_hooks(claude: Claude, my_hooks: Path) -> None:
    run = claude.install_plugin(my_hooks).converse(ALL, [SEARCH])
    assert run.errors == [[True, True, True], [False]]


@pytest.mark.parametrize("scope", ["user", "project", "local"])
def test_uninstalled_hooks_are_removed(claude: Claude, my_hooks: Path, scope: str) -> None:
    claude.install_settings(my_hooks, "--scope", scope)
    assert claude.converse(ALL).errors == [[True, True, True]]
    claude.install_settings(my_hooks, "--scope", scope, "--uninstall")
    run = claude.converse(ALL)
    assert len(run.web) == 1
    assert "Better" not in run.last
    assert not list_traces(claude, "docsearch")
    assert not list_traces(claude, "tool_routing")


def test_hook_no_longer_rendered_is_removed(claude: Claude, my_hooks: Path, template: Path) -> None:
    claude.install_settings(my_hooks)
    shutil.rmtree(my_hooks)
    render(template, my_hooks, databases=[GITLAB])
    run = claude.install_settings(my_hooks).converse(ALL)
    assert "'gitlab'" in run.main[0].results[0].text
    assert "Better" not in run.last
    assert not list_traces(claude, "tool_routing")


def list_traces(client: Claude, name: str) -> list[str]:
    assert client.config
    folders = [client.config, client.home / "work" / ".claude"]
    scripts = [
        str(path)
        for folder in folders
        for path in (folder / "hooks").rglob("*")
        if name in path.name and not path.name.endswith(".before-hookwright")
    ]
    settings = [path for folder in folders for path in folder.glob("settings*.json")]
    entries = [
        str(path)
        for path in settings
        if name in json.dumps(json.loads(path.read_text()).get("hooks", {}))
    ]
    return scripts + entries
