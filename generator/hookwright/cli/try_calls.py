"""Try a project's hooks on a call, a prompt, or a file of calls: what the agent receives."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from hookwright.cli.current_project import open_shown
from hookwright.cli.options import HERE, AsJson, ExpectedOutcome, InProject
from hookwright.cli.terminal import print_note
from hookwright.cli.try_corpus import show_survey
from hookwright.clients.claude.tool_names import SEARCH
from hookwright.clients.dialects import CLAUDE, Dialect, read_dialects
from hookwright.discovery.ambiguous_keywords import find_ambiguous
from hookwright.hooks.registry import LESSON_SEARCH, find_for_call
from hookwright.project.installer import explain_elsewhere, list_places
from hookwright.project.reader import Project, holds_project
from hookwright.simulate.batch import Call, Evidence, read_input, search_or_fetch, write_prompt
from hookwright.simulate.run import find_handlers, run_hook
from hookwright.simulate.trial import (
    Trial,
    choose_dialect,
    explain_inability,
    explain_veto,
    name_redirected,
    try_call,
)
from hookwright_console.terminal import count, dump, print_line, print_styled, print_text
from hookwright_console.text import shorten

Span = tuple[int, int]
# Hook phrases that the server's explanation replaces, by kind.
SAID_BETTER = {"no server": "let through because of", "ruled out": "the server is not asked"}
TRANSCRIPTS = "transcripts"
QUOTED = ("--bash", "--prompt")  # options with multi-word values


def try_calls(
    text: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="QUERY|URL", help="A web search, or a URL to fetch.", show_default=False
        ),
    ] = None,
    *,
    bash: Annotated[str | None, typer.Option(metavar="COMMAND", help="A shell command.")] = None,
    prompt: Annotated[str | None, typer.Option(metavar="TEXT", help="A prompt.")] = None,
    tool: Annotated[
        str | None, typer.Option(metavar="NAME", help="Another tool, with --input.")
    ] = None,
    tool_input: Annotated[
        str | None, typer.Option("--input", metavar="JSON", help="The input of that tool.")
    ] = None,
    corpus: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|transcripts",
            help="Count what fires on a file of queries, URLs and calls, or on past sessions.",
        ),
    ] = None,
    samples: Annotated[
        int, typer.Option(min=0, max=1000, help="How many calls to show for each record.")
    ] = 3,
    expected: Annotated[
        ExpectedOutcome | None,
        typer.Option("--expect", help="Exit with 1 unless that happens to the call, or to all."),
    ] = None,
    client: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The coding agent, such as codex.", show_default=False),
    ] = None,
    project: InProject = HERE,
    as_json: AsJson = False,
) -> int:
    """Show what the hooks do with a call or prompt."""
    query = None if text is None else " ".join(text)
    calls = {"QUERY": query, "--bash": bash, "--prompt": prompt, "--tool": tool, "--corpus": corpus}
    chosen = [name for name, value in calls.items() if value is not None]
    if query is not None and (
        option := next((option_name for option_name in QUOTED if calls[option_name]), "")
    ):
        quoted = shlex.quote(shorten(f"{calls[option]} {query}"))
        raise typer.BadParameter(
            f"QUERY and {option} cannot be combined: put several words in quotes, as in "
            f"{option} {quoted}"
        )
    if len(chosen) != 1:
        what = f"{chosen[0]} and {chosen[1]} cannot be combined" if chosen else "nothing to try"
        raise typer.BadParameter(f"{what}: use one of a query, a URL, {', '.join(list(calls)[1:])}")
    if (tool is None) != (tool_input is None):
        raise typer.BadParameter("--tool and --input must be used together")
    if not (calls[chosen[0]] or "").strip():
        raise typer.BadParameter(f"{chosen[0]} is empty: write what to try")
    if prompt is not None and expected:
        raise typer.BadParameter(
            "--prompt and --expect cannot be combined: prompts are never denied"
        )
    if client is not None and client not in read_dialects():
        raise typer.BadParameter(
            f"{shorten(client)} is not a client: choose one of {', '.join(read_dialects())}"
        )
    projects = open_shown(project)
    if project == HERE and not holds_project(Path.cwd()):
        absent = (opened for opened in projects if not list_places(opened))
        print_note(*filter(None, (explain_elsewhere(opened, "try") for opened in absent)))
    call = None if corpus or prompt else read_call(query, bash, tool, tool_input)
    used = call.tool if call else SEARCH if corpus else ""
    able = [project for project in projects if client in {None, CLAUDE, *project.clients}]
    dialect = choose_dialect((able or projects)[0], client, used)
    able = [project for project in projects if dialect.name in project.clients] or projects[:1]
    if corpus is not None:
        path = None if corpus == TRANSCRIPTS else Path(corpus)
        return show_survey(able, path, samples, expected, dialect=dialect, as_json=as_json)
    if call is None:
        return show_prompt(able, str(prompt), dialect, as_json=as_json)
    return show_call(able, call, dialect, expected, as_json=as_json)


def read_call(
    query: str | None, command: str | None, tool: str | None, tool_input: str | None
) -> Call:
    if tool is not None and tool_input is not None:
        return Call(tool, read_input(tool, tool_input))
    return search_or_fetch(query) if query is not None else Call("Bash", {"command": command})


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
        hooks = [export_trial(project, trial) for project, trial in tried]
        row = {
            "client": dialect.name,
            "tool": dialect.name_tool(call.tool) or call.tool,
            "input": dialect.fill_input(call.tool, call.input),
            "hooks": hooks,
            "cannot": "" if trials else explain_inability(call.tool, dialect),
        }
        print(dump(row | {"ambiguous": [keyword.export() for keyword in ambiguous]}, indent=2))
        return check_expected(expected, trials)
    spans = [match.span for trial in trials for match in trial.outcome.matched if match.span]
    print_call(call, spans, dialect.name_tool(call.tool) or call.tool)
    for project, trial in tried:
        print_trial(trial, f" ({project.name})" if len(projects) > 1 else "")
    if not trials:
        print_line(explain_inability(call.tool, dialect) or explain_no_hook(projects, call.tool))
    print_line(*(keyword.advice for keyword in ambiguous))
    return check_expected(expected, trials)


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
    from hookwright.simulate.run import NoContext, explain_no_context  # imports an HTTP client

    found = [
        (f"{project.name}: " if len(projects) > 1 else "", handler)
        for project in projects
        for handler in find_handlers(project, dialect.prompt, dialect.name)
    ]
    event = write_prompt(prompt, dialect.name)
    decisions = [run_hook(handler, event, explains=True) for _, handler in found]
    context = "\n".join(decision.context for decision in decisions if decision.context)
    notes: list[str] = []
    causes: list[NoContext] = []
    for (name, handler), decision in zip(found, decisions, strict=True):
        cause = None if context else explain_no_context(handler, event)
        replaced = SAID_BETTER.get(cause.why, ()) if cause else ()
        lines = [note for note in decision.notes if not note.startswith(replaced)]
        if cause:
            causes.append(cause)
            lines.append(cause.line)
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
        why = [{"why": cause.why, "details": cause.details} for cause in causes]
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
    decision = trial.decision
    does = {"deny": "Denied", "warn": "Allowed with a warning", "allow": "Allowed"}[trial.does]
    print_line(f"{does} by {trial.outcome.hook}{of}:", *(f"  {line}" for line in trial.why))
    size = count(len(decision.reason) + len(decision.context), "character")
    if decision.reason:
        print_line(f"The agent gets {size} instead of the result:")
        print_text(decision.reason)
    if decision.context:
        print_line(
            "It also gets:" if decision.reason else f"The agent gets {size} besides its result:"
        )
        print_text(decision.context)


def explain_no_hook(projects: Sequence[Project], tool: str) -> str:
    hook = find_for_call(tool)
    add = f"add one with {projects[0].name_command(f'add {hook.record}')}"
    if having := [project.name for project in projects if hook.name in project.hooks]:
        return f"no hook runs: no {hook.record} of {' and '.join(having)} is for {tool}; {add}"
    return f"no hook runs: {name_lacking(projects)} {hook.name}; {add}"


def name_lacking(projects: Sequence[Project]) -> str:
    names = [project.name for project in projects]
    return f"{' and '.join(names)} {'does' if len(names) == 1 else 'do'} not have"


def export_trial(project: Project, trial: Trial) -> dict[str, Any]:
    outcome, decision = trial.outcome, trial.decision
    return {
        "hook": outcome.hook,
        "does": trial.does,
        "reason": decision.reason,
        "context": decision.context,
        "characters": len(decision.reason) + len(decision.context),
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
