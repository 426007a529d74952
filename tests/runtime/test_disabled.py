"""Records that are disabled, permanently or temporarily, have no effect."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from ..support.generated_tests import run_lean
from ..support.project import (
    GITLAB,
    KUBERNETES,
    PULL_REQUEST,
    URL,
    fetch_event,
    render,
    run_hook,
    search_event,
)
from ..support.rendered_project import read_hook, read_route_tables, read_tables

AHEAD, PAST = "2999-01-01T00:00:00Z", "2020-01-01T00:00:00Z"
OFTEN = {"pattern": "github", "message": "Ask gh."}
TESTS = [
    {
        "desc": "a pull request",
        "input": {"tool_name": "WebFetch", "tool_input": {"url": URL}},
        "expect": "block",
    }
]


def make(template: Path, folder: Path, database: Any, route: Any, **more: Any) -> Path:
    answers = {
        "databases": [
            {**GITLAB, "domains": ["docs.gitlab.com"], "disabled": database},
            {**KUBERNETES, "with": ["pod"]},
        ],
        "routes": {"pr": {**PULL_REQUEST, "disabled": route}, "often": OFTEN},
    }
    return render(template, folder, **{**answers, **more})


@pytest.fixture(scope="module")
def disabled_for_now(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(template, tmp_path_factory.mktemp("timed") / "my-hooks", AHEAD, AHEAD)


@pytest.fixture(scope="module")
def expired(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(template, tmp_path_factory.mktemp("past") / "my-hooks", PAST, PAST)


@pytest.fixture(scope="module")
def disabled_for_good(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    databases = [{**GITLAB, "disabled": True}]
    routes = {"pr": {**PULL_REQUEST, "disabled": True, "tests": TESTS}}
    folder = tmp_path_factory.mktemp("off") / "my-hooks"
    return render(template, folder, databases=databases, routes=routes, record_blocks=True)


@pytest.mark.parametrize(
    "fields", [{"query": "gitlab"}, {"query": "x", "allowed_domains": ["docs.gitlab.com"]}]
)
def test_disabled_database_lets_a_search_through(
    disabled_for_now: Path, config: Path, fields: dict[str, Any]
) -> None:
    assert run_hook(
        disabled_for_now / "hooks" / "docsearch.py", search_event(**fields), config
    ).silent


def test_other_databases_are_still_named(disabled_for_now: Path, config: Path) -> None:
    event = search_event("a gitlab runner in a kubernetes pod")
    answer = run_hook(disabled_for_now / "hooks" / "docsearch.py", event, config)
    assert answer.reason == "Query matches 'kubernetes' - using RAG database instead"


def test_later_routes_decide(disabled_for_now: Path, config: Path) -> None:
    answer = run_hook(disabled_for_now / "hooks" / "tool_routing.py", fetch_event(URL), config)
    assert answer.reason == "Ask gh."


def test_record_is_enabled_again_in_time(expired: Path, config: Path) -> None:
    assert run_hook(expired / "hooks" / "docsearch.py", search_event("gitlab"), config).denied
    answer = run_hook(expired / "hooks" / "tool_routing.py", fetch_event(URL), config)
    assert answer.reason.startswith("Run: gh pr view 42")


@pytest.mark.parametrize("seconds", [0, 10**12, 10**30])
def test_abnormal_clock_lets_calls_through(
    disabled_for_now: Path, seconds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = read_hook(disabled_for_now, "tool_routing")
    gmtime = time.gmtime
    monkeypatch.setattr(time, "gmtime", lambda: gmtime(seconds))
    reason, _ = hook["decide"](json.dumps(fetch_event(URL)).encode(), [])
    assert reason == "Ask gh."


def test_trace_contains_the_end_time(disabled_for_now: Path) -> None:
    trace: list[Any] = []
    read_hook(disabled_for_now)["decide"](json.dumps(search_event("gl")).encode(), trace)
    assert trace == [(0, "disabled", "gl", [AHEAD])]
    trace.clear()
    read_hook(disabled_for_now, "tool_routing")["decide"](
        json.dumps(fetch_event(URL)).encode(), trace
    )
    assert trace[0] == ("pr", "disabled", AHEAD, "block")


def test_code_is_rendered_only_for_temporary_disabling(
    project: Path, disabled_for_now: Path, disabled_for_good: Path
) -> None:
    assert "is_disabled" in read_hook(disabled_for_now)
    assert "is_disabled" in read_hook(disabled_for_now, "tool_routing")
    assert "is_disabled" not in read_hook(project)
    assert "is_disabled" not in read_hook(disabled_for_good)
    assert "is_disabled" not in read_hook(disabled_for_good, "tool_routing")


def test_permanently_disabled_record_is_not_rendered(template: Path, tmp_path: Path) -> None:
    folder = make(template, tmp_path / "my-hooks", database=True, route=True)
    tables = read_tables(folder)
    assert tables.keywords == [KUBERNETES["keywords"]]
    assert len(tables.databases) == 1
    assert [row["name"] for row in read_route_tables(folder).routes] == ["often"]
    assert "GitLab" not in (folder / "README.md").read_text("utf-8")


def test_settings_include_the_tools_of_disabled_routes(disabled_for_good: Path) -> None:
    settings = json.loads((disabled_for_good / "settings.json").read_text("utf-8"))
    matchers = [entry["matcher"] for entry in settings["hooks"]["PreToolUse"]]
    assert matchers == ["WebSearch", "WebFetch"]


@pytest.mark.parametrize("event", [search_event("gitlab"), search_event("é"), fetch_event(URL)])
def test_hooks_without_records_let_every_call_through(
    disabled_for_good: Path, config: Path, event: dict[str, object]
) -> None:
    hook = "docsearch" if event["tool_name"] == "WebSearch" else "tool_routing"
    answer = run_hook(
        disabled_for_good / "hooks" / f"{hook}.py", event, config, HOOKWRIGHT_DEBUG="1"
    )
    assert (answer.code, answer.stdout) == (0, "")
    assert "because of" not in answer.stderr


@pytest.mark.long
@pytest.mark.parametrize("name", ["disabled_for_now", "expired", "disabled_for_good"])
def test_generated_tests_pass(name: str, request: pytest.FixtureRequest) -> None:
    ended = run_lean(request.getfixturevalue(name))
    assert ended.returncode == 0, ended.stdout
