"""`decide` can be called without running the hook, and traces the outcome of each record."""

import json
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..support.project import (
    GITHUB_API,
    GITLAB,
    KUBERNETES,
    PULL_REQUEST,
    URL,
    fetch_event,
    render,
    search_event,
)

ZORBO = {**GITLAB, "keywords": ["Zorbo"], "unless": ["car"], "with": ["cargo", "crate"]}
ROUTES = {
    "ours": {"pattern": "//github[.]com/ours/", "action": "allow"},
    "missing": {"pattern": "github", "message": "Never", "requires": "hookwright-missing"},
    "api": GITHUB_API,
    "pr": {**PULL_REQUEST, "once": True},
    "last": {"pattern": "github", "message": "Never"},
}

Ask = Callable[[dict[str, object]], "tuple[Any, list[tuple[Any, ...]]]"]


@pytest.fixture(scope="module")
def traced(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("traced") / "my-hooks"
    gitlab = {**GITLAB, "domains": ["docs.gitlab.com"]}
    databases = [gitlab, KUBERNETES, ZORBO]
    more = {"fatigue_limit": 1, "record_blocks": True}
    return render(template, folder, databases=databases, routes=ROUTES, **more)


@pytest.fixture
def ask(
    request: pytest.FixtureRequest, traced: Path, config: Path, monkeypatch: pytest.MonkeyPatch
) -> Ask:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(config))
    decide = runpy.run_path(str(traced / "hooks" / f"{request.param}.py"))["decide"]

    def run(event: dict[str, object]) -> tuple[Any, list[tuple[Any, ...]]]:
        trace: list[tuple[Any, ...]] = []
        return decide(json.dumps(event).encode(), trace), trace

    return run


def keep_significant(traced: tuple[Any, ...]) -> tuple[Any, ...]:
    number, outcome, keyword, weights = traced
    if outcome == "weighed":
        weights = {word: points for word, points in weights.items() if abs(points) > 3}
    return number, outcome, keyword, weights


@pytest.mark.parametrize("ask", ["docsearch"], indirect=True)
@pytest.mark.parametrize(
    ("event", "trace"),
    [
        (search_event("weather"), []),
        (search_event("k8s in GitLab"), [(0, "named", "gitlab", 13), (1, "named", "k8s", 3)]),
        (search_event("größe xgl GL"), [(0, "named", "gl", 13)]),
        (search_event("ZORBO"), [(2, "weighed", "zorbo", {"zorbo": -1000})]),
        (
            search_event("zorbo on a car"),
            [(2, "weighed", "zorbo", {"zorbo": -1000, "car": -10_000_000})],
        ),
        (
            search_event("zorbo crate"),
            [
                (2, "weighed", "zorbo", {"zorbo": -1000, "crate": 2000}),
                (2, "named", "Zorbo", 5),
            ],
        ),
        (
            search_event("zorbo", allowed_domains=["docs.gitlab.com"]),
            [(2, "weighed", "zorbo", {"zorbo": -1000}), (0, "named", "docs.gitlab.com", 0)],
        ),
    ],
)
def test_search_trace_lists_keywords_domains_and_vetoes(
    ask: Ask, event: dict[str, object], trace: list[tuple[Any, ...]]
) -> None:
    decision, steps = ask(event)
    assert [keep_significant(step) for step in steps] == trace
    assert bool(decision) == any(outcome in {"named", "domain"} for _, outcome, *_ in trace)


@pytest.mark.parametrize("ask", ["tool_routing"], indirect=True)
def test_call_trace_lists_routes_up_to_the_first_match(ask: Ask) -> None:
    decision, trace = ask(fetch_event(URL))
    assert decision == ("Run: gh pr view 42 --repo octo/hello", "")
    assert trace == [
        ("ours", "does not match", "", "allow"),
        ("missing", "requires", "hookwright-missing", "block"),
        ("api", "other tool", "", "block"),
        ("pr", "matches", "github.com/octo/hello/pull/42", "block"),
    ]


@pytest.mark.parametrize("ask", ["tool_routing"], indirect=True)
def test_failing_route_traces_its_error(ask: Ask) -> None:
    _, trace = ask(fetch_event(URL, tool_name=["WebFetch"]))
    assert [outcome for _, outcome, *_ in trace] == ["error"] * len(ROUTES)
    assert "unhashable" in trace[0][2] or "expected string" in trace[0][2]


@pytest.mark.parametrize(
    ("ask", "event"),
    [("docsearch", search_event("gitlab")), ("tool_routing", fetch_event(URL))],
    indirect=["ask"],
)
def test_decide_does_not_remember(ask: Ask, event: dict[str, object], config: Path) -> None:
    assert [ask(event)[0] for _ in range(3)] == [ask(event)[0]] * 3
    assert ask(event)[0]
    assert list(config.iterdir()) == []
