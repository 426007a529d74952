"""Test that the tool_routing hook follows the answers."""

import json
import os
import re
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

SECONDS = 5  # the client's time limit for hooks
# Search texts that repeat each short part of an example, and exit if a search takes too long.
SEARCH = """
import faulthandler, json, re, sys
for name, pattern, flags, examples in json.load(sys.stdin):
    print(name, flush=True)
    faulthandler.dump_traceback_later(float(sys.argv[1]), exit=True)
    search = re.compile(pattern, flags).search
    for example in examples:
        for start in range(len(example)):
            for end in range(start + 1, start + 4):
                search(example[:start] + example[start:end] * 40 + "\\0")
"""
ELSEWHERE = {"contains", "tests"}  # route fields that only the answers contain


@pytest.fixture(scope="session")
def tool_routing(load_hook: Any) -> Any:
    return load_hook("tool_routing")


@pytest.fixture(scope="session")
def routes(answers: "dict[str, Any]") -> "dict[str, dict[str, Any]]":
    records = answers.get("routes", {}).items()
    return {
        name: {"tool": "WebFetch", **route}
        for name, route in records
        if route.get("disabled") is not True
    }


@pytest.fixture(autouse=True)
def _commands(
    routes: "dict[str, dict[str, Any]]", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for command in {route["requires"] for route in routes.values() if "requires" in route}:
        path = tmp_path / "bin" / f"{command}{'.exe' if os.name == 'nt' else ''}"
        path.parent.mkdir(exist_ok=True)
        path.touch(mode=0o700)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)


@pytest.fixture
def route(tool_routing: Any) -> Any:
    def decide(call: "dict[str, Any]") -> "tuple[str, str, str]":
        event = {"session_id": os.urandom(8).hex(), "hook_event_name": "PreToolUse", **call}
        trace: list[Any] = []
        decision = tool_routing.decide(json.dumps(event).encode(), trace)
        decider = next((name for name, outcome, *_ in trace if outcome == "matches"), "")
        return (*(decision or ("", "")), decider)

    return decide


def test_answers_and_tables_agree(
    tool_routing: Any,
    routes: "dict[str, dict[str, Any]]",
    answers: "dict[str, Any]",
    fail_for: Any,
) -> None:
    wanted = [
        {"name": name, **{field: route[field] for field in set(route) - ELSEWHERE}}
        for name, route in routes.items()
    ]
    wanted.sort(key=lambda row: row.get("action") != "allow")
    once = any(row.get("once") for row in wanted)
    limits = {
        "RETRY_WINDOW": answers.get("retry_window") if once else None,
        "FATIGUE_LIMIT": answers.get("fatigue_limit") or None,
        "RECORD_SIZE": 500_000 if answers.get("record_blocks") else None,
    }
    try:
        rows = json.loads(tool_routing.ROUTES)
        for row in rows:  # these only control how messages are filled in
            row.pop("words", None), row.pop("code", None), row.pop("scopes", None)
        literals = {row["name"]: row.pop("contains") for row in rows}
        compiled = {name: getattr(tool_routing, name, None) for name in limits}
        agree = rows == wanted and compiled == limits
        for row in rows:
            contains = routes[row["name"]].get("contains", literals[row["name"]]).lower()
            listed = "".join(tool_routing.LITERALS.values())
            agree &= literals[row["name"]] == contains
            agree &= row.get("action") == "allow" or f"\n{contains}\n" in listed
    except (AttributeError, KeyError, TypeError, ValueError):
        agree = False
    if not agree:
        fail_for("hooks/tool_routing.py differs from the answers")


def test_routes_do_what_their_tests_say(routes: "dict[str, dict[str, Any]]", route: Any) -> None:
    """Check each test's outcome, and that no other route decides about a call to block.

    If a route's required command is missing, the next routes decide about its calls.
    """
    faults = []
    for name, record in routes.items():
        for test in () if "disabled" in record else record.get("tests", ()):
            reason, context, decider = route(test["input"])
            found, wanted = "block" if reason else "allow", test.get("contains", "")
            taker = decider if test["expect"] == "block" and decider not in {"", name} else ""
            if found != test["expect"]:
                faults.append(f"routes.{name}: {test['desc']}: {found}, not {test['expect']}")
            elif wanted not in reason + context:
                faults.append(f"routes.{name}: {test['desc']}: {wanted!r} is not told")
            elif taker and routes[taker].get("requires") in {None, record.get("requires")}:
                faults.append(
                    f"routes.{name}: {test['desc']}: reaches routes.{taker}: if that is tried "
                    f"first, run hookwright move {name} --before {taker}"
                )
    if faults:
        pytest.fail("\n".join(faults), pytrace=False)


def test_no_pattern_runs_away(routes: "dict[str, dict[str, Any]]") -> None:
    searches = []
    for name, route in routes.items():
        inputs = [test["input"].get("tool_input", {}) for test in route.get("tests", ())]
        texts = [
            text for tool_input in inputs for text in tool_input.values() if isinstance(text, str)
        ]
        texts.append(re.sub(r"[][\\^$.|?*+(){}]", "", route["pattern"]))
        flags = 0 if route["tool"] == "Bash" else int(re.IGNORECASE)
        searches.append((name, route["pattern"], flags, [text[:200] for text in texts]))
    completed = subprocess.run(
        [sys.executable, "-I", "-c", SEARCH, str(SECONDS)],
        input=json.dumps(searches),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=False,
        text=True,
    )
    if completed.returncode:
        name = completed.stdout.splitlines()[-1]
        pytest.fail(
            f"routes.{name}: pattern {routes[name]['pattern']!r} takes more than {SECONDS} s on a "
            "text that repeats itself: let no two repeats match the same text",
            pytrace=False,
        )


def test_patterns_compile_without_a_warning(routes: "dict[str, dict[str, Any]]") -> None:
    for name, route in routes.items():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                re.compile(route["pattern"])
        except (re.error, Warning) as complaint:  # noqa: PERF203
            pytest.fail(f"routes.{name}: pattern {route['pattern']!r}: {complaint}", pytrace=False)


def test_block_is_reported_once(
    run_hook: Any, routes: "dict[str, dict[str, Any]]", route: Any
) -> None:
    records = [record for record in routes.values() if "disabled" not in record]
    calls = [test["input"] for record in records for test in record.get("tests", ())]
    for call in [call for call in calls if route(call)[0]][:1]:
        answer = run_hook("tool_routing", {"hook_event_name": "PreToolUse", **call})
        assert answer.returncode == 2
        decision = json.loads(answer.stdout)["hookSpecificOutput"]
        assert decision.pop("permissionDecisionReason") + "\n" == answer.stderr.decode()
        assert decision == {"hookEventName": "PreToolUse", "permissionDecision": "deny"}
