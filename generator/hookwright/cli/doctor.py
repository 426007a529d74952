"""Check that the hooks work, and that their tools respond."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from hookwright.cli.options import AsJson, Scope, read_folder
from hookwright.doctor.clients import (
    check_client,
    check_other_clients,
    check_other_servers,
    check_settings,
)
from hookwright.doctor.documentation import check_documentation
from hookwright.doctor.finding import Finding, Setup, find_setup
from hookwright.doctor.installation import (
    check_installed,
    check_interpreter,
    check_neighbours,
    check_unreadable,
    check_vs_code,
)
from hookwright.doctor.lessons import check_lessons
from hookwright.doctor.project import (
    check_commands,
    check_examples,
    check_paths,
    check_patterns,
    check_rendered,
)
from hookwright.doctor.tools import check_tools
from hookwright.project.current import list_installed
from hookwright.project.reader import holds_project
from hookwright_console.terminal import count, dump, fit, print_line, print_styled, show_progress
from hookwright_console.text import escape_hidden, shorten_home

CHECK = 13  # width of a check's name
SIGNS = {"ok": ("ok", "green"), "warn": ("!", "yellow"), "fault": ("x", "red")}


def doctor(
    *,
    project: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="The project.",
            show_default="the current project, or the installed ones",
            parser=read_folder,
        ),
    ] = None,
    scope: Annotated[
        Scope | None,
        typer.Option(help="The settings to check.", show_default="all"),
    ] = None,
    start: Annotated[
        bool,
        typer.Option(help="Query your MCP servers for their tools; start them if needed."),
    ] = True,
    time_limit: Annotated[
        float, typer.Option(min=0.1, max=600, help="Seconds to wait for each answer.")
    ] = 10,
    as_json: AsJson = False,
) -> int:
    """Check that the hooks work and their tools answer."""
    chosen = scope.value if scope else ""
    found: dict[tuple[str, str], Finding] = {}
    folders: list[Path | None] = [project]  # None for the current folder
    if not project and not holds_project(Path.cwd()):
        folders = [installed.folder for installed in list_installed()] or [None]
    for folder in folders:
        setup = find_setup(folder)
        if setup.project and folder != project and not as_json:
            print_line(f"{setup.project.name} in {shorten_home(str(folder))}:")
        with show_progress("MCP servers") as progress:
            for finding in run_checks(setup, chosen, time_limit, progress, starts=start):
                # Another check, or the same check of another project, may have found it too, with
                # other details in parentheses.
                key = (finding.status, finding.line.partition(" (")[0])
                if key not in found and not as_json:
                    show_finding(finding)
                found.setdefault(key, finding)
    faults, warnings = (
        sum(status == wanted for status, _ in found) for wanted in ("fault", "warn")
    )
    if as_json:
        print(dump([asdict(finding) for finding in found.values()], indent=2))
    else:
        print_line(f"{count(faults, 'fault')}, {count(warnings, 'warning')}")
    return int(faults > 0)


def show_finding(finding: Finding) -> None:
    sign, colour = SIGNS[finding.status]
    line = f"{finding.check:{CHECK}} {' '.join(escape_hidden(finding.line).split())}"
    start = f"{sign:2} "
    rest = fit(f"{start}{line}", sys.stdout, " " * (len(start) + CHECK + 1))[len(start) :]
    print_styled((start, colour), (rest, ""))


def run_checks(
    setup: Setup,
    scope: str,
    time_limit: float,
    progress: Callable[[int, int], object],
    *,
    starts: bool,
) -> Iterator[Finding]:
    """Return each check's findings in a scope, or in all scopes ("").

    An MCP server has `time_limit` seconds to answer; if `starts` is false, no server is queried.
    """
    own = setup.is_for_claude
    return chain(
        check_installed(setup, scope) if own else (),
        check_unreadable(setup),
        check_neighbours(setup) if own else (),
        check_vs_code(setup) if own else (),
        check_rendered(setup),
        check_interpreter(setup) if own else (),
        check_settings(setup) if own else (),
        check_client(setup) if own else (),
        check_other_clients(setup, scope),
        check_tools(setup, time_limit, progress, starts=starts) if own else (),
        check_other_servers(setup),
        check_paths(setup),
        check_documentation(setup),
        check_commands(setup.routes),
        check_patterns(setup),
        check_lessons(setup),
        check_examples(setup),
    )
