"""Try a project's hooks on a call, a prompt, or a file of calls."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from hookwright.cli.current_project import open_shown
from hookwright.cli.options import HERE, AsJson, InProject
from hookwright.cli.try_corpus import show_survey
from hookwright.cli.try_one import ExpectedOutcome, show_call, show_prompt
from hookwright.clients.claude.tool_names import SEARCH
from hookwright.clients.dialects import CLAUDE, read_dialects
from hookwright.simulate.calls import Call, read_input, search_or_fetch
from hookwright.simulate.trial import choose_dialect
from hookwright_console.text import shorten

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
    ways = {"QUERY": query, "--bash": bash, "--prompt": prompt, "--tool": tool, "--corpus": corpus}
    chosen = [way for way, value in ways.items() if value is not None]
    if query is not None and (
        option := next((option_name for option_name in QUOTED if ways[option_name]), "")
    ):
        quoted = shlex.quote(shorten(f"{ways[option]} {query}"))
        raise typer.BadParameter(
            f"QUERY and {option} cannot be combined: put several words in quotes, as in "
            f"{option} {quoted}"
        )
    if len(chosen) != 1:
        what = f"{chosen[0]} and {chosen[1]} cannot be combined" if chosen else "nothing to try"
        raise typer.BadParameter(f"{what}: use one of a query, a URL, {', '.join(list(ways)[1:])}")
    if (tool is None) != (tool_input is None):
        raise typer.BadParameter("--tool and --input must be used together")
    if not (ways[chosen[0]] or "").strip():
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
