"""Show the changes of an installation or uninstallation, confirm, and apply them."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Annotated, Any

import typer

from hookwright.cli.options import Scope
from hookwright.cli.terminal import agree, print_note, show_diff
from hookwright.installer import client
from hookwright.project.own_installer import (
    list_left_out,
    plan_installation,
    run_own_installer,
)
from hookwright.project.reader import Project
from hookwright_console.terminal import dump, print_line, show_progress
from hookwright_console.text import shorten_home

CLIENT_NAMES = (*client.CLIENTS, "all")


def read_client(text: str) -> str:
    if text not in CLIENT_NAMES:
        raise typer.BadParameter(f"{text!r} is not one of {', '.join(CLIENT_NAMES)}")
    return text


InScope = Annotated[
    Scope,
    typer.Option(
        help="The settings: yours (user), or this folder's, shared (project) or yours (local)."
    ),
]
InClients = Annotated[
    list[str] | None,
    typer.Option(
        "--client",
        metavar=f"[{'|'.join(CLIENT_NAMES)}]",
        parser=read_client,
        help="The agent, repeatable; all: each one on this machine that the project has hooks for.",
        show_default="those on this machine",
    ),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show the changes without making them.")]
Diff = Annotated[bool, typer.Option("--diff", help="Show all changed lines.")]


def name_clients(clients: list[str] | None) -> list[str]:
    """Return the install.py options that name clients."""
    return [word for name in clients or () for word in ("--client", name)]


def warn_of_records(
    project: Project,
    databases: Sequence[Mapping[str, Any]] = (),
    routes: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
) -> None:
    """Report missing tools and paths in records, and how to fix them."""
    if not databases and not routes:
        return
    from hookwright.doctor.tools import check_records

    with show_progress("MCP servers") as progress:
        found = [*check_records(databases, routes, project.servers, progress)]
    for finding in found:
        if finding.status != "ok":
            print_note(finding.line)


def change_installation(
    project: Project,
    options: list[str],
    ask: str | None,
    *,
    diff: bool,
    yes: bool,
    as_json: bool,
) -> int:
    """Show an installation's or uninstallation's changes, confirm, apply; return the exit code.

    `options` are those of install.py. Without a question, the changes are only shown.
    """
    if ask and as_json and not yes:
        raise typer.BadParameter("--json does not ask: add --yes or --dry-run")
    changes, faults = plan_installation(project, *options)
    left_out = [] if "--uninstall" in options else report_left_out(project, options)
    if not as_json and not changes and not faults:
        removes = "--uninstall" in options
        current = f"{project.name} is installed and up to date"
        print_line("nothing to change" if removes else current)
    elif not as_json and (diff or not (ask and yes)):
        show_changes(changes, diff=diff)
    code = int(bool(faults))
    if ask and changes:
        for fault in faults if not yes else ():
            print_note(str(fault))
        agree(ask, yes=yes, default="--uninstall" not in options)
        code = run_installer(project, options, is_silent=as_json)
        if code and not faults:
            return code
    else:
        for fault in faults:
            print_note(str(fault))
    if as_json:
        print(dump([*changes, *left_out], indent=2))
    return code


def run_installer(project: Project, options: list[str], *, is_silent: bool) -> int:
    done = run_own_installer(project, *options)
    for line in done.lines if not is_silent else ():
        show_written(line)
    for fault in done.faults:
        print_note(str(fault))
    if done.faults or is_silent:
        return int(bool(done.faults))
    if "--uninstall" in options:
        print_line(f"Uninstalled {project.name}")
    else:
        print_line(f"Installed {project.name}: new sessions have its hooks")
        print_line("Check them: hookwright doctor")
    return 0


def report_left_out(project: Project, options: list[str]) -> list[dict[str, str]]:
    given = list(pairwise(options))
    scope = next((value for name, value in given if name == "--scope"), Scope.USER.value)
    names = [value for name, value in given if name == "--client"]
    lines = list_left_out(project, names, scope)
    for line in lines:
        print_note(line)
    return [{"file": "", "does": "nothing", "reason": line} for line in lines]


def show_changes(changes: list[dict[str, Any]], *, diff: bool) -> None:
    for change in changes:
        if diff:
            show_diff(change["patch"])
        else:
            print_line(f"{change['does']:6}  {shorten_home(change['file'])}")


def show_written(line: str) -> None:
    """Print a line of the installer, such as "wrote PATH"."""
    does, _, path = line.partition(" ")
    print_line(f"{does} {shorten_home(path)}")
