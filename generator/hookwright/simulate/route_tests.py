"""Run the tests in route records before a change is applied."""

import shlex
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from hookwright.answers.disabling import format_time
from hookwright.hooks.registry import TOOL_ROUTING
from hookwright.patterns.route_warnings import list_doubts
from hookwright.project.rendered_hooks import render_hook
from hookwright.simulate.batch import Outcome, RouteTrial, decide
from hookwright.simulate.calls import Call
from hookwright.simulate.run import writing_hook
from hookwright_console.errors import RefusedError
from hookwright_console.text import make_printable, shorten

Routes = Mapping[str, Mapping[str, Any]]
WAY_OUT = "correct the route or its test"
QUOTED = 200  # characters of a quoted text


def list_warnings(routes: Routes, names: Collection[str]) -> list[str]:
    """Return a warning for each probable mistake in the named routes."""
    return [*list_doubts({name: routes[name] for name in names}), *list_failed_tests(routes, names)]


def list_failed_tests(routes: Routes, names: Collection[str]) -> list[str]:
    """Return a line for each failing test, and for each test whose call reaches another route.

    Covers the tests of the named routes, and of routes whose calls the named routes intercept.
    """
    tests = [
        (name, test)
        for name, route in routes.items()
        if "disabled" not in route
        for test in route.get("tests", ())
    ]
    # Routes that require a command are tried even if it is missing.
    usable = {
        name: {field: value for field, value in route.items() if field != "requires"}
        for name, route in routes.items()
    }
    script = render_hook(TOOL_ROUTING.name, {"routes": usable}) if tests else None
    if not script:
        return []
    calls = [Call(test["input"]["tool_name"], test["input"]["tool_input"]) for _, test in tests]
    try:
        with writing_hook(script, TOOL_ROUTING.name) as handler:
            outcomes = [outcome for _, (outcome,) in decide([handler], calls)]
    except RefusedError as refused:
        return [f"the tests of the routes cannot be run: {refused}"]
    lines = []
    for (name, test), outcome in zip(tests, outcomes, strict=True):
        tried = {trial.route: trial.outcome for trial in outcome.tried}
        decider = next((name for name in tried if tried[name] == "matches"), "")
        if decider in names or name in names:
            fault = find_taker(routes, name, test, decider, was_tried=name in tried)
            fault = fault or find_fault(test, outcome)
            what = f"routes.{name}: its test {shorten(test['desc'])!r} {fault}"
            lines += [make_printable(what)] if fault else []
    return lines


def find_taker(
    routes: Routes, name: str, test: Mapping[str, Any], decider: str, *, was_tried: bool
) -> str:
    """Return how to keep another route from intercepting a test's call, or "".

    A route whose required command is missing passes the call on to the next route.
    """
    if test["expect"] != "block" or decider in {"", name}:
        return ""
    taker = routes[decider]
    if taker.get("requires") not in {None, routes[name].get("requires")}:
        return ""
    if was_tried or taker.get("action") == "allow":  # no other order would help
        return f"reaches routes.{decider}: {WAY_OUT}"
    move = f"run hookwright move {shlex.quote(name)} --before {shlex.quote(decider)}"
    return f"reaches routes.{decider}, which is tried before it: {move}"


def find_fault(test: Mapping[str, Any], outcome: Outcome) -> str:
    reason, context = outcome.decision or ("", "")
    found = "block" if reason else "allow"
    wanted = str(test.get("contains", ""))
    if found != test["expect"]:
        return f"fails: {found}, not {test['expect']}: {WAY_OUT}"
    return "" if wanted in reason + context else f"fails: {shorten(wanted)} is not told: {WAY_OUT}"


@dataclass(frozen=True)
class Reason:
    """Why a route does or does not decide a call."""

    decider: str  # the deciding route, or ""
    line: str  # begins with a route's name


def explain_call(script: bytes, call: Call, route: str) -> Reason:
    """Return why a route of a rendered, trusted hook does or does not decide a call."""
    with writing_hook(script, TOOL_ROUTING.name) as handler:
        ((_, (outcome,)),) = decide([handler], [call], explains=True)
    if outcome.error:
        return Reason("", f"the hook raises {outcome.error}, so the call goes through")
    *_, last = outcome.tried
    decider = last.route if last.outcome == "matches" else ""
    own = next((trial for trial in outcome.tried if trial.route == route), last)
    return Reason(decider, f"{own.route} {explain_route(own)}")


def explain_route(tried: RouteTrial) -> str:
    if tried.outcome == "matches":
        does = {"block": "denies", "warn": "warns", "allow": "lets it through"}[tried.action]
        return f"matches {tried.text[:QUOTED]!r} and decides: it {does}"
    return {
        "other tool": "is for another tool",
        "does not match": "does not match",
        "disabled": f"matches, but is disabled until {format_time(tried.text)}",
        "requires": f"matches, but is skipped: the command {tried.text} is missing",
        "error": f"is skipped because of {tried.text}",
    }[tried.outcome]
