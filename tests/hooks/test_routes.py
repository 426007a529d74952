"""A route matches calls, decides them and tells the agent why."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..support.project import (
    GITHUB_API,
    MESSAGE,
    PULL_REQUEST,
    URL,
    Answer,
    bash_event,
    call_event,
    fetch_event,
    render,
    run_hook,
)

Route = Callable[..., Answer]


@pytest.fixture
def route(template: Path, tmp_path: Path, config: Path) -> Route:
    def answer(event: object, routes: dict[str, Any], **environment: str) -> Answer:
        project = render(template, tmp_path / "project", routes=routes)
        return run_hook(project / "hooks" / "tool_routing.py", event, config, **environment)

    return answer


def test_configured_url_is_blocked(routing: Path, config: Path) -> None:
    answer = run_hook(routing, fetch_event(URL), config)
    assert answer.denied
    assert answer.output == {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": MESSAGE,
    }
    assert answer.stderr == f"{MESSAGE}\n"


def test_configured_command_is_blocked(routing: Path, config: Path) -> None:
    command = 'cd x && T=1 curl -s "https://api.github.com/repos/octo/hello" | jq .'
    answer = run_hook(routing, bash_event(command), config)
    assert answer.reason == "Run: gh api repos/octo/hello"


def test_other_shell_tools_are_matched(template: Path, tmp_path: Path, config: Path) -> None:
    curl = {"tool": "Bash", "pattern": "curl", "message": "no"}
    own = {"tool": "PowerShell", "pattern": "iwr", "message": "not that"}
    project = render(template, tmp_path / "project", routes={"curl": curl, "own": own})
    hook = project / "hooks" / "tool_routing.py"
    answers = {
        (tool, command): run_hook(hook, call_event(tool, {"command": command}), config).denied
        for tool in ("Bash", "PowerShell", "Monitor", "Other")
        for command in ("cd y; curl x", "iwr x")
    }
    assert [call for call, denied in answers.items() if denied] == [
        ("Bash", "cd y; curl x"),
        ("PowerShell", "cd y; curl x"),
        ("PowerShell", "iwr x"),
        ("Monitor", "cd y; curl x"),
    ]
    settings = json.loads((project / "settings.json").read_text())
    assert settings["hooks"]["PreToolUse"][0]["matcher"] == "Bash|PowerShell|Monitor"


@pytest.mark.parametrize(
    "event",
    [
        fetch_event("https://docs.python.org/3/"),
        fetch_event("https://github.com/octo/hello"),
        fetch_event("https://github.com/octo/hello/pull/"),
        bash_event("gh pr view 42 --repo octo/hello"),
        bash_event("echo 'not curl https://api.github.com/users'"),
        bash_event("curl https://API.GITHUB.COM/users"),
        fetch_event("https://docs.python.org", prompt="not https://github.com/a/b/pull/4"),
    ],
)
def test_unmatched_call_goes_through(routing: Path, config: Path, event: object) -> None:
    assert run_hook(routing, event, config).silent


@pytest.mark.parametrize(
    "event",
    [
        call_event("WebSearch", {"query": URL}),
        call_event("Read", {"file_path": f"/{URL}"}),
        call_event("Bash", {"url": URL}),
        call_event("WebFetch", {"command": "curl https://api.github.com/users"}),
        fetch_event(URL, hook_event_name="PostToolUse"),
    ],
)
def test_other_tools_and_events_are_ignored(routing: Path, config: Path, event: object) -> None:
    assert run_hook(routing, event, config).silent


def test_event_name_is_optional(routing: Path, config: Path) -> None:
    event = {"tool_name": "WebFetch", "tool_input": {"url": URL}}
    assert run_hook(routing, event, config).reason == MESSAGE


def test_url_matches_in_any_case(routing: Path, config: Path) -> None:
    for url in ("HTTPS://GITHUB.COM/octo/hello/Pull/42", URL.replace("i", "\u0131")):
        assert run_hook(routing, fetch_event(url), config).reason == MESSAGE


@pytest.mark.parametrize(
    ("tool", "called", "blocked"),
    [
        ("WebFetch|Bash", "WebFetch", True),
        ("mcp__.*fetch.*", "mcp__web__fetch_page", True),
        ("Web.*", "mcp__WebFetch", False),
        ("Web", "WebFetch", False),
        ("mcp__(one|fetch|two)__get", "fetch", False),
    ],
)
def test_tool_is_a_name_or_a_pattern(
    route: Route, tool: str, called: str, *, blocked: bool
) -> None:
    answer = route(call_event(called, {"url": URL}), {"pr": {**PULL_REQUEST, "tool": tool}})
    assert answer.denied if blocked else answer.silent


@pytest.mark.parametrize(
    ("field", "tool_input"),
    [
        ("urls", {"urls": ["https://a.b", URL]}),
        ("urls", {"urls": URL}),
        ("urls", {"urls": [{"github.com/": 1}, 5, None, URL]}),
        ("prompt", {"url": "https://a.b", "prompt": URL}),
    ],
)
def test_custom_field_is_matched(route: Route, field: str, tool_input: dict[str, Any]) -> None:
    routes = {"pr": {**PULL_REQUEST, "field": field}}
    assert route(call_event("WebFetch", tool_input), routes).reason == MESSAGE


def test_first_match_decides(route: Route) -> None:
    routes = {"b": {"pattern": "pull", "message": "first"}, "a": PULL_REQUEST}
    assert route(fetch_event(URL), routes).reason == "first"


def test_allow_takes_precedence(route: Route) -> None:
    routes = {"pr": PULL_REQUEST, "ours": {"pattern": "/octo/", "action": "allow"}}
    assert route(fetch_event(URL), routes).silent
    assert route(fetch_event(URL.replace("octo", "acme")), routes).denied


def test_warning_lets_the_call_through(route: Route) -> None:
    answer = route(fetch_event(URL), {"pr": {**PULL_REQUEST, "action": "warn"}})
    assert (answer.code, answer.stderr) == (0, "")
    assert answer.output == {"hookEventName": "PreToolUse", "additionalContext": MESSAGE}


def test_raw_text_is_matched(route: Route) -> None:
    command = "bash -c 'curl -s https://api.github.com/users'"
    assert route(bash_event(command), {"api": {**GITHUB_API, "raw": True}}).denied


def test_very_long_text_is_truncated(route: Route) -> None:
    command, filler = "curl -s https://api.github.com/users", "echo a;" * 20_000
    page = {"pattern": "pull/4", "message": "no"}
    routes = {"api": GITHUB_API, "raw": {**GITHUB_API, "raw": True}, "page": page}
    assert route(bash_event(f"{command};{filler}"), routes).denied
    assert route(bash_event(f"{filler}{command}"), routes).code == 0
    assert route(fetch_event(URL + "/" * 150_000), routes).denied
    assert route(fetch_event("https://example.com/" + "/" * 150_000 + "pull/4"), routes).code == 0


def test_route_is_skipped_if_its_command_is_missing(route: Route, tmp_path: Path) -> None:
    routes = {"pr": {**PULL_REQUEST, "requires": "gh"}, "any": {"pattern": "l/4", "message": "any"}}
    tools = tmp_path / "tools"
    (tools / "gh").mkdir(parents=True)
    path = f"/nowhere:{tools}"
    assert route(fetch_event(URL), routes, PATH=path).reason == "any"
    (tools / "gh").rmdir()
    (tools / "gh").touch(0o700)
    assert route(fetch_event(URL), routes, PATH=path).reason == MESSAGE


def test_contains_is_part_of_the_route(route: Route) -> None:
    routes = {"pr": {"pattern": "(?:pull|merge)", "contains": "GitHub.com/", "message": "no"}}
    assert route(fetch_event(URL.upper()), routes).denied
    assert route(fetch_event("https://example.com/pull"), routes).silent


def test_failing_route_is_skipped(template: Path, tmp_path: Path, config: Path) -> None:
    routes = {"bad": {"pattern": "github.com/octo/", "message": "bad"}, "pr": PULL_REQUEST}
    project = render(template, tmp_path / "project", routes=routes)
    hook = project / "hooks" / "tool_routing.py"
    hook.write_text(hook.read_text().replace('"github.com/octo/"', '"github.com/octo/(?Z"', 1))
    answer = run_hook(hook, fetch_event(URL), config)
    assert (answer.reason, answer.stderr) == (MESSAGE, f"{MESSAGE}\n")


def test_python_warning_is_suppressed(template: Path, tmp_path: Path, config: Path) -> None:
    routes = {"odd": {"pattern": "github.com/octo/[a]", "message": "odd"}, "pr": PULL_REQUEST}
    project = render(template, tmp_path / "project", routes=routes)
    hook = project / "hooks" / "tool_routing.py"
    hook.write_text(hook.read_text().replace("octo/[a]", "octo/[[a]", 1))
    answer = run_hook(hook, fetch_event(URL), config)
    assert (answer.reason, answer.stderr) == (MESSAGE, f"{MESSAGE}\n")


@pytest.mark.parametrize("variable", ["TOOL_ROUTING_DEBUG", "HOOKWRIGHT_DEBUG"])
def test_debug_mode_adds_route_input_and_pattern(
    routing: Path, config: Path, variable: str
) -> None:
    answer = run_hook(routing, fetch_event(URL + "x" * 300), config, **{variable: "1"})
    lines = answer.reason.split("\n")
    assert lines[0] == "❌ Tool Routing: github-pr"
    assert lines[1] == f"Matched URL: {(URL + 'x' * 300)[:200]}"
    assert lines[2] == f"Pattern: {PULL_REQUEST['pattern']}"
    assert lines[3:] == ["", MESSAGE]
    assert answer.stderr.endswith(f"{answer.reason}\n")


def test_debug_mode_labels_warnings(template: Path, tmp_path: Path, config: Path) -> None:
    routes = {"pr": {**PULL_REQUEST, "action": "warn"}}
    hook = render(template, tmp_path / "project", routes=routes) / "hooks" / "tool_routing.py"
    answer = run_hook(hook, fetch_event(URL), config, HOOKWRIGHT_DEBUG="1")
    assert answer.output["additionalContext"].startswith("⚠️ Tool Routing: pr\n")


def test_debug_mode_is_explained(routing: Path, config: Path) -> None:
    answer = run_hook(routing, fetch_event("https://a.b"), config, TOOL_ROUTING_DEBUG="1")
    assert (answer.code, answer.stdout) == (0, "")
    assert answer.stderr == (
        "hookwright: github-pr: does not match ''\nhookwright: github-api: other tool ''\n"
    )


def test_debug_mode_shows_the_matched_command(routing: Path, config: Path) -> None:
    answer = run_hook(routing, bash_event("echo 'a b'"), config, TOOL_ROUTING_DEBUG="1")
    assert answer.stderr.startswith("hookwright: searching 'echo …'\n")


@pytest.mark.parametrize("depth", [100, 900])
def test_input_may_be_deeply_nested(routing: Path, config: Path, depth: int) -> None:
    deep = b"[" * depth + b"]" * depth
    raw = json.dumps(fetch_event(URL)).encode().replace(b'"Summarise"', deep)
    assert run_hook(routing, raw, config).denied


@pytest.mark.parametrize("mode", ["", "0", "true"])
def test_debug_output_requires_debug_mode(routing: Path, config: Path, mode: str) -> None:
    environment = {"TOOL_ROUTING_DEBUG": mode, "HOOKWRIGHT_DEBUG": mode}
    assert run_hook(routing, fetch_event(URL), config, **environment).reason == MESSAGE
    assert run_hook(routing, fetch_event("https://a.b"), config, **environment).silent


@pytest.mark.parametrize(
    ("message", "filled"),
    [
        ("{owner}/{repo}", "octo/hello"),
        ("{}{0}{ owner }{{owner}}{nobody}{owner", "{}{0}{ owner }{octo}{nobody}{owner"),
        ('{"owner": "{owner}"}', '{"owner": "octo"}'),
        ("don't {owner} it's \"{repo}\"", "don't octo it's \"hello\""),
        ("  {owner}\n", "octo"),
    ],
)
def test_placeholders_are_the_named_groups(route: Route, message: str, filled: str) -> None:
    routes = {"pr": {**PULL_REQUEST, "message": message}}
    assert route(fetch_event(URL), routes).reason == filled
