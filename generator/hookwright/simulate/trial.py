"""Run a project's hooks on a call and explain their decisions, and run the tests of routes."""

import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hookwright.answers.disabling import format_time, is_disabled
from hookwright.answers.schema import describe_choices, name_database
from hookwright.clients.claude.tool_names import SEARCH
from hookwright.clients.dialects import CLAUDE, FETCH, Dialect, read_dialects
from hookwright.discovery.ambiguous_keywords import list_searches
from hookwright.hooks.registry import DOCSEARCH, TOOL_ROUTING
from hookwright.patterns.check import list_doubts
from hookwright.project.reader import Project
from hookwright.project.rendered_hooks import read_routes, read_tables, render_hook
from hookwright.project.status import open_installed
from hookwright.simulate.batch import Call, Outcome, RouteTrial, Veto, decide, write_event
from hookwright.simulate.run import Handler, HookDecision, find_handlers, run_hook, writing_hook
from hookwright_console.errors import RefusedError
from hookwright_console.terminal import count, excerpt
from hookwright_console.text import make_printable, shorten

Routes = Mapping[str, Mapping[str, Any]]
WAY_OUT = "correct the route or its test"
QUOTED = 200  # characters of a quoted text


@dataclass(frozen=True)
class Trial:
    """A hook's decision about a call."""

    outcome: Outcome  # the records that decided
    decision: HookDecision  # what the agent receives
    why: tuple[str, ...]  # the reasons, one per line

    @property
    def does(self) -> str:
        """The effect on the call: deny, warn or allow."""
        if self.decision.denied:
            return "deny"
        return "warn" if self.decision.context else "allow"


def try_installed(name: str, call: Call) -> tuple[str, list[Trial]]:
    """Return the client's name for the tool, and an installed project's decisions on the call."""
    project = open_installed(name)
    dialect = choose_dialect(project, None, call.tool)
    return dialect.name_tool(call.tool) or call.tool, try_call(project, call, dialect)


def choose_search(handlers: Sequence[Handler], database: Mapping[str, Any]) -> str:
    """Return a search that names a database, preferably one that the handlers deny."""
    searches = list_searches(database)
    calls = [Call(SEARCH, {"query": search}) for search in searches]
    denied = (
        call.text
        for call, outcomes in decide(handlers, calls)
        if any(outcome.does == "deny" for outcome in outcomes)
    )
    return next(denied, searches[0])


def choose_dialect(project: Project, client: str | None, tool: str = "") -> Dialect:
    """Return the dialect of a project's client.

    The default is Claude Code's dialect, or else that of the first client that has the tool.
    """
    dialects, own = read_dialects(), project.clients
    if client is None:
        known = [name for name in own if name in dialects]
        ordered = [CLAUDE] if CLAUDE in own else known or [CLAUDE]
        able = (name for name in ordered if tool and dialects[name].name_tool(tool))
        return dialects[next(able, ordered[0])]
    if client != CLAUDE and client not in own:
        raise RefusedError(
            f"{project.name} has no hooks for {client}: "
            f"run {project.name_command(f'add client {client}')}"
        )
    return dialects[client]


def explain_inability(tool: str, dialect: Dialect) -> str:
    """Return why a client's hooks cannot handle a tool, or ""."""
    if dialect.name_tool(tool):
        return ""
    return f"no hook runs: {describe_choices('clients')[dialect.name].partition(' - ')[2]}"


def try_call(project: Project, call: Call, dialect: Dialect) -> list[Trial]:
    """Return the decisions of a project's hooks on a call in a client."""
    handlers = find_covering(project, call, dialect, dialect.call)
    warning = find_covering(project, call, dialect, dialect.after) if dialect.after else []
    decisions = [run_hook(handler, write_event(call, dialect.name)) for handler in handlers]
    if not any(decision.denied for decision in decisions):  # hooks warn only after the call
        over = write_event(call, dialect.name, after=True)
        after = {handler.name: run_hook(handler, over) for handler in warning}
        decisions = [
            after.get(handler.name, own) for handler, own in zip(handlers, decisions, strict=True)
        ]
    ((_, outcomes),) = decide(handlers, [call], explains=True)
    return [
        Trial(outcome, decision, tuple(explain_outcome(project, handler, call, outcome)))
        for handler, outcome, decision in zip(handlers, outcomes, decisions, strict=True)
    ]


def find_covering(project: Project, call: Call, dialect: Dialect, event: str) -> list[Handler]:
    return [
        handler
        for handler in find_handlers(project, event, dialect.name)
        if handler.covers(call.tool)
    ]


def explain_outcome(
    project: Project, handler: Handler, call: Call, outcome: Outcome
) -> Iterator[str]:
    for match in outcome.matched:
        where = f"{match.keyword!r} in the allowed domains"
        if match.span:
            where = f"keyword {match.keyword!r} at character {match.span[0] + 1}"
        why = f", {match.evidence.describe()}" if match.evidence else ""
        found = "it has the page" if call.tool == FETCH else f"{where}{why}"
        yield f"{name_redirected(project, match.number)}: {found}"
    for veto in outcome.vetoed:
        why = excerpt(explain_veto(project, veto), QUOTED)
        yield f"not {name_redirected(project, veto.number)}: {why}"
    for number, tried in enumerate(outcome.tried, start=1):
        yield f"{number}. {tried.route}: {explain_route(tried)}"
    routes = read_routes(read_tables(handler.script)) if handler.script else {}
    rest = len(routes) - len(outcome.tried)
    if outcome.tried and outcome.tried[-1].outcome == "matches" and rest > 0:
        yield f"{count(rest, 'more route')} {'is' if rest == 1 else 'are'} not tried"
    if outcome.error:
        yield f"it raises {outcome.error}, so the call goes through"
    elif outcome.hook == DOCSEARCH.name and not outcome.matched and not outcome.vetoed:
        off = [name_database(database) for database in project.databases if is_disabled(database)]
        found = (
            "no database here has the page"
            if call.tool == FETCH
            else f"no keyword of {project.name} matches"
        )
        yield found + (f"; disabled: {', '.join(off)}" if off else "")


def explain_veto(project: Project, veto: Veto) -> str:
    databases = project.rendered_databases
    known = databases[veto.number] if veto.number < len(databases) else {}
    if veto.field == "disabled":
        return f"disabled until {format_time(veto.words[0])}"
    if veto.field == "uncovered":
        return veto.words[0]
    meant = known.get("description", f"databases[{veto.number}]")
    if veto.evidence:
        return f"{veto.keyword!r} does not name {meant}: {veto.evidence.describe()}"
    lacks = f"has none of {', '.join(known.get('with', ()))}"
    has = f"has {veto.words[0]!r}" if veto.field == "unless" else lacks
    return f"{veto.keyword!r} does not name {meant}: the query {has}"


def name_redirected(project: Project, number: int) -> str:
    databases = project.rendered_databases
    return name_database(databases[number]) if number < len(databases) else f"databases[{number}]"


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
