"""Run the tests of routes, which their records have, before a change is applied."""

from collections.abc import Collection, Mapping
from typing import Any

from hookwright.hooks.registry import TOOL_ROUTING
from hookwright.rendered_hooks import render_hook
from hookwright.simulate.batch import Outcome, decide
from hookwright.simulate.calls import Call
from hookwright.simulate.run import writing_hook
from hookwright_console.errors import RefusedError
from hookwright_console.text import make_printable, shorten

WAY_OUT = "correct the route or its test"


def list_failed_tests(routes: Mapping[str, Mapping[str, Any]], names: Collection[str]) -> list[str]:
    """Return a line for each test of some routes that fails, as the project's own tests would.

    Args:
        routes: All routes of a project, in their order; they are valid.
        names: The routes whose tests are run.

    """
    tests = [
        (name, test)
        for name in names
        if "disabled" not in routes[name]
        for test in routes[name].get("tests", ())
    ]
    script = render_hook(TOOL_ROUTING.name, {"routes": drop_requires(routes)}) if tests else None
    if not script:
        return []
    calls = [Call(test["input"]["tool_name"], test["input"]["tool_input"]) for _, test in tests]
    try:
        outcomes = run(script, calls)
    except RefusedError as refused:
        return [f"the tests of the routes cannot be run: {refused}"]
    lines = []
    for (name, test), outcome in zip(tests, outcomes, strict=True):
        if fault := find_fault(test, outcome):
            where = make_printable(f"routes.{name}")
            lines.append(f"{where}: its test {shorten(test['desc'])!r} fails: {fault}: {WAY_OUT}")
    return lines


def drop_requires(routes: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    return {
        name: {field: value for field, value in route.items() if field != "requires"}
        for name, route in routes.items()
    }


def run(script: bytes, calls: list[Call]) -> list[Outcome]:
    """Return what a rendered hook does about calls; raises RefusedError as `decide` does."""
    with writing_hook(script, TOOL_ROUTING.name) as handler:
        return [outcome for _, (outcome,) in decide([handler], calls)]


def find_fault(test: Mapping[str, Any], outcome: Outcome) -> str:
    """Return what is wrong with the outcome of a test, or ""."""
    reason, context = outcome.decision or ("", "")
    found = "block" if reason else "allow"
    wanted = str(test.get("contains", ""))
    if found != test["expect"]:
        return f"{found}, not {test['expect']}"
    return "" if wanted in reason + context else f"{make_printable(shorten(wanted))} is not told"
