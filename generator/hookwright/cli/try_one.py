"""Show a project's decision on one call or prompt, and exactly what the agent receives."""

from collections.abc import Sequence
from enum import Enum
from typing import Any

from hookwright.answers.schema import describe_choices
from hookwright.cli.terminal import print_note
from hookwright.clients.dialects import Dialect
from hookwright.discovery.ambiguous_keywords import Ambiguous, find_ambiguous
from hookwright.hooks.registry import LESSON_SEARCH, find_for_call
from hookwright.project.reader import Project
from hookwright.simulate.batch import Evidence
from hookwright.simulate.calls import Call, write_prompt
from hookwright.simulate.run import find_handlers, run_hook
from hookwright.simulate.trial import Trial, explain_veto, name_redirected, try_call
from hookwright_console.terminal import count, dump, print_line, print_styled, print_text

Span = tuple[int, int]
# Hook phrases that the server's explanation replaces, by kind.
SAID_BETTER = {"no server": "let through because of", "ruled out": "the server is not asked"}


class ExpectedOutcome(str, Enum):
    """The outcome a user expects for a call; a warning counts as allowed."""

    DENY = "deny"
    ALLOW = "allow"


def show_call(
    projects: Sequence[Project],
    call: Call,
    dialect: Dialect,
    expected: ExpectedOutcome | None = None,
    *,
    as_json: bool,
) -> int:
    """Show projects' decisions on a call; return 1 if any decision is not as expected."""
    tried = [(project, trial) for project in projects for trial in try_call(project, call, dialect)]
    trials = [trial for _, trial in tried]
    ambiguous = [
        keyword
        for project, trial in tried
        if trial.outcome.matched
        for keyword in find_ambiguous(project.rendered_databases)
        if (keyword.number, keyword.keyword)
        in {(match.number, match.keyword) for match in trial.outcome.matched}
    ]
    if as_json:
        hooks = [export(project, trial) for project, trial in tried]
        row = {
            "client": dialect.name,
            "tool": dialect.name_tool(call.tool) or call.tool,
            "input": dialect.fill_input(call.tool, call.input),
            "hooks": hooks,
            "cannot": "" if trials else explain_inability(call.tool, dialect),
        }
        print(dump(row | {"ambiguous": export_ambiguous(ambiguous)}, indent=2))
        return check_expected(expected, trials)
    spans = [match.span for trial in trials for match in trial.outcome.matched if match.span]
    print_call(call, spans, dialect.name_tool(call.tool) or call.tool)
    for project, trial in tried:
        print_trial(trial, f" ({project.name})" if len(projects) > 1 else "")
    if not trials:
        print_line(explain_inability(call.tool, dialect) or explain_silence(projects, call.tool))
    print_line(*(keyword.advice for keyword in ambiguous))
    return check_expected(expected, trials)


def explain_inability(tool: str, dialect: Dialect) -> str:
    """Return why a client's hooks cannot handle a tool, or ""."""
    if dialect.name_tool(tool):
        return ""
    return f"no hook runs: {describe_choices('clients')[dialect.name].partition(' - ')[2]}"


def check_expected(expected: ExpectedOutcome | None, trials: list[Trial]) -> int:
    denied = any(trial.decision.denied for trial in trials)
    if expected is None or denied == (expected is ExpectedOutcome.DENY):
        return 0
    print_note(f"expected {expected.value}, but the call is {'denied' if denied else 'allowed'}")
    return 1


def show_prompt(
    projects: Sequence[Project], prompt: str, dialect: Dialect, *, as_json: bool
) -> int:
    """Show what projects' hooks add to a prompt, or why nothing; errors are as in `show_call`."""
    from hookwright.simulate.silence import Silence, find_silence  # imports an HTTP client

    found = [
        (f"{project.name}: " if len(projects) > 1 else "", handler)
        for project in projects
        for handler in find_handlers(project, dialect.prompt, dialect.name)
    ]
    event = write_prompt(prompt, dialect.name)
    told = [run_hook(handler, event, explains=True) for _, handler in found]
    context = "\n".join(decision.context for decision in told if decision.context)
    notes: list[str] = []
    silences: list[Silence] = []
    for (name, handler), decision in zip(found, told, strict=True):
        silence = None if context else find_silence(handler, event)
        replaced = SAID_BETTER.get(silence.why, ()) if silence else ()
        lines = [note for note in decision.notes if not note.startswith(replaced)]
        if silence:
            silences.append(silence)
            lines.append(silence.line)
        notes += [f"{name}{line}" for line in lines]
    if not found:
        add = projects[0].name_command("add lessons")
        notes = [f"{name_lacking(projects)} {LESSON_SEARCH.name}: run {add}"]
    elif not context and not notes:
        notes = ["the server found nothing relevant to the prompt"]
    if as_json:
        row = {
            "client": dialect.name,
            "prompt": prompt,
            "context": context,
            "characters": len(context),
            "notes": notes,
        }
        why = [{"why": silence.why, "details": silence.details} for silence in silences]
        print(dump(row | {"silence": why}, indent=2))
        return 0
    if not context:
        print_line("The agent gets nothing besides the prompt:", *(f"  {note}" for note in notes))
    else:
        print_line(f"The agent gets {count(len(context), 'character')} besides the prompt:")
        print_text(context.rstrip("\n"))
    return 0


def print_call(call: Call, spans: list[Span], tool: str) -> None:
    """Print a tool call; on a terminal, underline each keyword."""
    parts, end = [(f"{tool}: ", "")], 0
    for start, stop in sorted(spans):
        parts += [(call.text[end : max(start, end)], "")]
        parts += [(call.text[max(start, end) : stop], "underline")]
        end = max(end, stop)
    parts.append((call.text[end:], ""))
    print_styled(*parts)


def print_trial(trial: Trial, of: str) -> None:
    told = trial.decision
    does = {"deny": "Denied", "warn": "Allowed with a warning", "allow": "Allowed"}[trial.does]
    print_line(f"{does} by {trial.outcome.hook}{of}:", *(f"  {line}" for line in trial.why))
    size = count(len(told.reason) + len(told.context), "character")
    if told.reason:
        print_line(f"The agent gets {size} instead of the result:")
        print_text(told.reason)
    if told.context:
        print_line("It also gets:" if told.reason else f"The agent gets {size} besides its result:")
        print_text(told.context)


def explain_silence(projects: Sequence[Project], tool: str) -> str:
    hook = find_for_call(tool)
    add = f"add one with {projects[0].name_command(f'add {hook.record}')}"
    if having := [project.name for project in projects if hook.name in project.hooks]:
        return f"no hook runs: no {hook.record} of {' and '.join(having)} is for {tool}; {add}"
    return f"no hook runs: {name_lacking(projects)} {hook.name}; {add}"


def name_lacking(projects: Sequence[Project]) -> str:
    names = [project.name for project in projects]
    return f"{' and '.join(names)} {'does' if len(names) == 1 else 'do'} not have"


def export(project: Project, trial: Trial) -> dict[str, Any]:
    outcome, told = trial.outcome, trial.decision
    return {
        "hook": outcome.hook,
        "does": trial.does,
        "reason": told.reason,
        "context": told.context,
        "characters": len(told.reason) + len(told.context),
        "databases": [
            {
                "database": name_redirected(project, match.number),
                "keyword": match.keyword,
                "span": match.span,
                **export_evidence(match.evidence),
            }
            for match in outcome.matched
        ],
        "vetoed": [
            {
                "database": name_redirected(project, veto.number),
                "keyword": veto.keyword,
                "why": explain_veto(project, veto),
                **export_evidence(veto.evidence),
            }
            for veto in outcome.vetoed
        ],
        "routes": [
            {
                "route": trial.route,
                "action": trial.action,
                "outcome": trial.outcome,
                "on": trial.text,
            }
            for trial in outcome.tried
        ],
        "error": outcome.error,
    }


def export_evidence(evidence: Evidence | None) -> dict[str, Any]:
    return evidence.export() if evidence else {"points": {}, "sum": None}


def export_ambiguous(found: list[Ambiguous]) -> list[dict[str, Any]]:
    return [
        {"database": ambiguous.database, "keyword": ambiguous.keyword, "mending": ambiguous.mending}
        for ambiguous in found
    ]
