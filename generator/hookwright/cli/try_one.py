"""Show what a project's hooks do with one call or prompt, and exactly what the agent gets."""

from collections.abc import Iterator
from enum import Enum
from typing import Any

from hookwright.answers.disabling import is_disabled, word_time
from hookwright.answers.records import name_database
from hookwright.answers.schema import describe_choices
from hookwright.cli.terminal import say
from hookwright.clients.claude.configuration import find_config_folder
from hookwright.clients.dialects import Dialect
from hookwright.discovery.ambiguous_keywords import Ambiguous, find_ambiguous
from hookwright.hooks.registry import DOCSEARCH, LESSON_SEARCH, find_for_call
from hookwright.project.hook_tables import read_routes, read_tables
from hookwright.project.reader import Project
from hookwright.project.template_modules import scripts
from hookwright.simulate.batch import Outcome, Veto, decide
from hookwright.simulate.calls import Call, write_event, write_prompt
from hookwright.simulate.evidence import Evidence
from hookwright.simulate.reasons import QUOTED, explain_route
from hookwright.simulate.run import Handler, HookDecision, find_handlers, run_hook
from hookwright_console.terminal import count, dump, excerpt, print_line, print_styled, print_text

Span = tuple[int, int]
# How a hook words what the server's explanation says better, by the kind of that.
SAID_BETTER = {"no server": "let through because of", "ruled out": "the server is not asked"}


class ExpectedOutcome(str, Enum):
    """What a user expects to happen to a call; one that is warned about is allowed."""

    DENY = "deny"
    ALLOW = "allow"


def show_call(
    project: Project,
    call: Call,
    dialect: Dialect,
    expected: ExpectedOutcome | None = None,
    *,
    as_json: bool,
) -> int:
    """Show what a project's hooks do with a call.

    Args:
        project: The project.
        call: The call.
        dialect: That of the client that asks the hooks.
        expected: What has to happen to it; None for anything.
        as_json: Whether to print JSON.

    Returns:
        The exit code: 1 if something else happens than what is expected.

    Raises:
        RefusedError: A hook cannot be run.

    """
    handlers = find_covering(project, call, dialect, dialect.call)
    warning = find_covering(project, call, dialect, dialect.after) if dialect.after else []
    told = [run_hook(handler, write_event(call, dialect.name)) for handler in handlers]
    if not any(one.denied for one in told):  # what has to wait until the call is over
        over, names = write_event(call, dialect.name, after=True), [one.name for one in warning]
        told = [
            run_hook(handler, over) if handler.name in names else one
            for handler, one in zip(handlers, told, strict=True)
        ]
    ((_, outcomes),) = decide(handlers, [call], explains=True)
    matched = {(match.number, match.keyword) for one in outcomes for match in one.matched}
    ambiguous = []
    if matched:
        every = find_ambiguous(project.rendered_databases)
        ambiguous = [one for one in every if (one.number, one.keyword) in matched]
    if as_json:
        hooks = [export(project, *one) for one in zip(outcomes, told, strict=True)]
        row = {
            "client": dialect.name,
            "tool": dialect.name_tool(call.tool) or call.tool,
            "input": dialect.fill_input(call.tool, call.input),
            "hooks": hooks,
            "cannot": "" if handlers else explain_inability(call.tool, dialect),
        }
        print(dump(row | {"ambiguous": export_ambiguous(ambiguous)}, indent=2))
        return check_expected(expected, told)
    spans = [match.span for one in outcomes for match in one.matched if match.span]
    print_call(call, spans, dialect.name_tool(call.tool) or call.tool)
    for handler, outcome, one in zip(handlers, outcomes, told, strict=True):
        print_outcome(project, handler, outcome, one)
    if not handlers:
        inability = explain_inability(call.tool, dialect)
        print_line(inability or explain_silence(project, call.tool))
    for keyword in ambiguous:
        print_line(keyword.advice)
    return check_expected(expected, told)


def find_covering(project: Project, call: Call, dialect: Dialect, event: str) -> list[Handler]:
    """Return the handlers that a client runs for a call at an event; raises as `show_call`."""
    return [one for one in find_handlers(project, event, dialect.name) if one.covers(call.tool)]


def explain_inability(tool: str, dialect: Dialect) -> str:
    """Return why no hook of a client can be asked about a tool; "" if one can."""
    if dialect.name_tool(tool):
        return ""
    return f"no hook runs: {describe_choices('clients')[dialect.name].partition(' - ')[2]}"


def check_expected(expected: ExpectedOutcome | None, told: list[HookDecision]) -> int:
    """Say if something else happens to a call than what is expected; return the exit code."""
    denied = any(one.denied for one in told)
    if expected is None or denied == (expected is ExpectedOutcome.DENY):
        return 0
    say(f"expected {expected.value}, but the call is {'denied' if denied else 'allowed'}")
    return 1


def show_prompt(project: Project, prompt: str, dialect: Dialect, *, as_json: bool) -> int:
    """Show what a project's hooks add to a prompt, or why nothing; raises as `show_call`."""
    from hookwright.simulate.silence import find_silence  # with which HTTP is imported

    handlers = find_handlers(project, dialect.prompt, dialect.name)
    event = write_prompt(prompt, dialect.name)
    told = [run_hook(handler, event, explains=True) for handler in handlers]
    context = "\n".join(one.context for one in told if one.context)
    notes = [note for one in told for note in one.notes]
    asked = () if context else handlers
    silences = [one for one in (find_silence(handler, event) for handler in asked) if one]
    for kind, words in SAID_BETTER.items():
        if any(one.why == kind for one in silences):
            notes = [note for note in notes if not note.startswith(words)]
    notes += [one.line for one in silences]
    if not handlers:
        notes = [f"{project.name} does not have {LESSON_SEARCH.name}, the hook for prompts"]
    elif not context and not notes:
        notes = ["the server found nothing that matters to the prompt"]
    if as_json:
        row = {
            "client": dialect.name,
            "prompt": prompt,
            "context": context,
            "characters": len(context),
            "notes": notes,
        }
        why = [{"why": one.why, "details": one.details} for one in silences]
        print(dump(row | {"silence": why}, indent=2))
        return 0
    if not context:
        print_line("The agent gets nothing besides the prompt:")
    for note in () if context else notes:
        print_line(f"  {note}")
    if context:
        print_line(f"The agent gets {count(len(context), 'character')} besides the prompt:")
        print_text(context.rstrip("\n"))
    return 0


def print_call(call: Call, spans: list[Span], tool: str) -> None:
    """Print a call of a tool; on a terminal, with a line under each keyword."""
    parts, end = [(f"{tool}: ", "")], 0
    for start, stop in sorted(spans):
        parts += [(call.text[end : max(start, end)], "")]
        parts += [(call.text[max(start, end) : stop], "underline")]
        end = max(end, stop)
    parts.append((call.text[end:], ""))
    print_styled(*parts)


def print_outcome(project: Project, handler: Handler, outcome: Outcome, told: HookDecision) -> None:
    """Print what a hook does with a call, why, and what the agent gets."""
    does = "denies it" if told.denied else "warns about it" if told.context else "lets it through"
    print_line(f"{outcome.hook} {does}:")
    for line in explain(project, handler, outcome):
        print_line(f"  {line}")
    print_told(told)


def print_told(told: HookDecision) -> None:
    """Print exactly what the agent gets from a hook, and how long it is."""
    size = count(len(told.reason) + len(told.context), "character")
    if told.reason:
        print_line(f"The agent gets {size}. Its call fails with:")
        print_text(told.reason)
    if told.context:
        print_line("It also gets:" if told.reason else f"The agent gets {size} besides its result:")
        print_text(told.context)


def explain(project: Project, handler: Handler, outcome: Outcome) -> Iterator[str]:
    """Yield the reasons for a decision, line by line."""
    for match in outcome.matched:
        where = f"at character {match.span[0] + 1}" if match.span else "in the allowed domains"
        why = f", {match.evidence.describe()}" if match.evidence else ""
        yield f"{name(project, match.number)}: by {match.keyword!r} {where}{why}"
    for veto in outcome.vetoed:
        yield f"not {name(project, veto.number)}: {excerpt(explain_veto(project, veto), QUOTED)}"
    for number, tried in enumerate(outcome.tried, start=1):
        yield f"{number}. {tried.route}: {explain_route(tried)}"
    routes = read_routes(read_tables(handler.script)) if handler.script else {}
    rest = len(routes) - len(outcome.tried)
    if outcome.tried and outcome.tried[-1].outcome == "matches" and rest > 0:
        yield f"{count(rest, 'more route')} {'is' if rest == 1 else 'are'} not tried"
    if outcome.error:
        yield f"it raises {outcome.error}, so the call goes through"
    elif outcome.hook == DOCSEARCH.name and not outcome.matched and not outcome.vetoed:
        off = [name_database(one) for one in project.databases if is_disabled(one)]
        yield "no keyword of the project matches" + (f"; disabled: {', '.join(off)}" if off else "")


def explain_veto(project: Project, veto: Veto) -> str:
    """Return why a keyword does not count."""
    databases = project.rendered_databases
    known = databases[veto.number] if veto.number < len(databases) else {}
    if veto.field == "disabled":
        return f"disabled until {word_time(veto.words[0])}"
    meant = known.get("description", f"databases[{veto.number}]")
    if veto.evidence:
        return f"{veto.keyword!r} does not name {meant}: {veto.evidence.describe()}"
    lacks = f"has none of {[*known.get('with', ())]}"
    has = f"has {veto.words[0]!r}" if veto.field == "unless" else lacks
    return f"{veto.keyword!r} does not name {meant}: the query {has}"


def explain_silence(project: Project, tool: str) -> str:
    """Return why no hook of a project handles a tool."""
    hook = find_for_call(tool)
    add = f"add one with hookwright add {hook.record}"
    if hook.name in project.hooks:
        return f"no hook runs: no {hook.record} of {project.name} is for {tool}; {add}"
    return f"no hook runs: {project.name} does not have {hook.name}; {add}{name_others(hook.name)}"


def name_others(hook: str) -> str:
    """Return a note that names the installed projects with a hook, or ""."""
    installed = scripts.list_installed(find_config_folder())
    names = {one.project for one in installed if scripts.name_hook(one.path) == hook}
    listed = ", ".join(sorted(filter(None, names)))
    return f" (installed projects have it: {listed})" if listed else ""


def name(project: Project, number: int) -> str:
    """Return the name of a database in a rendered hook."""
    databases = project.rendered_databases
    return name_database(databases[number]) if number < len(databases) else f"databases[{number}]"


def export(project: Project, outcome: Outcome, told: HookDecision) -> dict[str, Any]:
    """Return what a hook does with a call, for scripts."""
    return {
        "hook": outcome.hook,
        "does": "deny" if told.denied else "warn" if told.context else "allow",
        "reason": told.reason,
        "context": told.context,
        "characters": len(told.reason) + len(told.context),
        "databases": [
            {
                "database": name(project, one.number),
                "keyword": one.keyword,
                "span": one.span,
                **export_evidence(one.evidence),
            }
            for one in outcome.matched
        ],
        "vetoed": [
            {
                "database": name(project, one.number),
                "keyword": one.keyword,
                "why": explain_veto(project, one),
                **export_evidence(one.evidence),
            }
            for one in outcome.vetoed
        ],
        "routes": [
            {"route": one.route, "action": one.action, "outcome": one.outcome, "on": one.text}
            for one in outcome.tried
        ],
        "error": outcome.error,
    }


def export_evidence(evidence: Evidence | None) -> dict[str, Any]:
    """Return for scripts what the words of a search say of a keyword, if that decides."""
    return evidence.export() if evidence else {"points": {}, "sum": None}


def export_ambiguous(found: list[Ambiguous]) -> list[dict[str, Any]]:
    """Return ambiguous keywords for scripts, with the fields that would fix them."""
    return [
        {"database": one.database, "keyword": one.keyword, "mending": one.mending} for one in found
    ]
