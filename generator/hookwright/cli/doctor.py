"""Look whether the hooks work, and what they send the agent to is there."""

import sys
from dataclasses import asdict
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from hookwright.cli.options import AsJson
from hookwright.doctor.finding import Finding
from hookwright_console.terminal import count, dump, print_line, show_progress
from hookwright_console.unseen import escape_hidden

SIGNS = {"ok": ("ok", "green"), "warn": ("!", "yellow"), "fault": ("x", "red")}


class Scope(str, Enum):
    """The settings that hooks are installed in."""

    USER = "user"
    PROJECT = "project"
    LOCAL = "local"


def doctor(
    *,
    project: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The project.", show_default="here, if it is one"),
    ] = None,
    scope: Annotated[
        Scope | None,
        typer.Option(help="The settings that it is installed in.", show_default="all"),
    ] = None,
    start: Annotated[
        bool, typer.Option(help="Ask your MCP servers for their tools, starting those of commands.")
    ] = True,
    time_limit: Annotated[
        float, typer.Option(min=0.1, max=600, help="Seconds that each may take to answer.")
    ] = 10,
    as_json: AsJson = False,
) -> int:
    """Look whether hooks are installed and work, and their tools are there."""
    from hookwright.doctor.examination import examine
    from hookwright.doctor.setup import find_setup

    setup = find_setup(project)
    named = scope.value if scope else ""
    findings = []
    with show_progress("MCP servers") as progress:
        for finding in examine(setup, named, time_limit, progress, starts=start):
            findings.append(finding)
            if not as_json:
                show_finding(finding)
    faults, warnings = (
        sum(one.status == status for one in findings) for status in ("fault", "warn")
    )
    if as_json:
        print(dump([asdict(finding) for finding in findings], indent=2))
    else:
        print_line(f"{count(faults, 'fault')}, {count(warnings, 'warning')}")
    return int(faults > 0)


def show_finding(finding: Finding) -> None:
    """Print a finding with its sign, which is coloured on a terminal."""
    sign, colour = SIGNS[finding.status]
    line = f"{finding.check:13} {' '.join(escape_hidden(finding.line).split())}"
    if not sys.stdout.isatty():
        print(f"{sign:2} {line}", flush=True)
        return
    from rich.console import Console
    from rich.text import Text

    text = Text.assemble((f"{sign:2} ", colour), line)
    Console(highlight=False).print(text, soft_wrap=True)
