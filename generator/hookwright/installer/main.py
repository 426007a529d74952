"""Install a project's hooks into coding agents, or uninstall them.

For Claude Code, the entries of the project's settings.json are merged into the user's settings; for
other clients, those in the project's clients/ folder.
"""

import argparse
import io
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from .changes import Changes, apply_changes, clean_up, name_change, select_pending, write_patch
from .check import find_faults, find_switches
from .client import (
    CLAUDE,
    CLIENTS,
    explain_how_to_add,
    list_installed,
    list_rendered,
    select_clients,
)
from .files import Fault, InstallError, escape, read_file
from .installation import Installation
from .plans import EDITED, FORMER, plan_install, plan_uninstall
from .records import read_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SCOPES = ("user", "project", "local")
ATTEMPTS = 20  # maximum attempts while another program is changing the same files


class Outcome(NamedTuple):
    """The result of a run."""

    lines: "list[str]"  # lines to print
    faults: "list[Fault]"  # errors, or reasons why nothing changed, for at least one client
    is_refused: bool = False  # whether the fault is the only result
    pending: Changes = {}  # noqa: RUF012 - never changed


def main(project: Path) -> int:
    """Run the command line; return 0 on success and 1 otherwise."""
    options = parse_options()
    for stream in (sys.stdout, sys.stderr):  # their encoding may not support a path
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    lines, faults, is_refused, _ = run(options, project)
    if options.check and not is_refused:
        for installation in list_installations(options, project, "", {}):
            faults += find_switches(installation.client)
        lines = [*map(str, faults)] or ["all is well"]
    else:
        for fault in faults:
            print(f"install.py: {fault}", file=sys.stderr)
    return show(lines) or int(bool(faults))


def run(
    options: argparse.Namespace,
    project: Path,
    command: str = "",
    packages: "Mapping[str, str] | None" = None,
) -> Outcome:
    """Carry out the command-line options.

    Args:
        options: The options of install.py.
        project: The folder of the rendered hooks.
        command: The command to show in advice instead of install.py.
        packages: The clients' own packages of the project, by client.

    """
    lines: list[str] = []
    faults: list[Fault] = []
    pending: Changes = {}
    try:
        installations = list_installations(options, project, command, packages or {})
    except (InstallError, OSError) as error:
        return Outcome(lines, [describe_error(error)], is_refused=True)
    plan = plan_uninstall if options.uninstall else plan_install
    for installation in installations:
        try:
            if options.check:
                faults += find_faults(installation)
            elif options.dry_run:
                planned = select_pending(plan(installation))
                pending.update(planned)
                lines += describe_changes(planned, installation)
            else:
                carry_out(plan, installation, lines)
        except (InstallError, OSError) as error:  # noqa: PERF203 - which stops no other
            refused = describe_error(error)
            if len(installations) == 1:
                return Outcome(lines, [refused], is_refused=True)
            faults.append(
                refused._replace(fix=f"{refused.fix} (--client {installation.client.name})")
            )
    # With several clients, the same line may occur many times.
    return Outcome([*dict.fromkeys(lines)], faults, pending=pending)


def list_installations(
    options: argparse.Namespace, project: Path, command: str, packages: "Mapping[str, str]"
) -> "list[Installation]":
    clients = list_installed(read_name(project)) if options.uninstall else []
    if not clients or {*options.client} - {"all"}:
        clients = select_clients(project, options.client)
    if len(clients) > 1 and not options.uninstall:  # a single client raises an error when read
        rendered = list_rendered(project)
        able = [
            client
            for client in clients
            if client in rendered and (client.name in options.client or client.name not in packages)
        ]
        clients = able or clients[:1]
    is_asked = bool(options.client) and not options.uninstall
    if clients == [CLAUDE] and is_asked and CLAUDE not in list_rendered(project):
        problem = f"{read_name(project)} is not for {CLAUDE.title}"
        raise InstallError(None, problem, explain_how_to_add(project, CLAUDE.name))
    found = []
    for client in clients:
        if options.scope in client.settings:
            place = (project, client.find_config_folder(), options.scope, options.take_over)
            found.append(Installation(*place, command, client, packages.get(client.name, "")))
    if not found:
        problem = f"{clients[0].title} has no {options.scope} settings"
        raise InstallError(None, problem, f"use --scope {' or '.join(clients[0].settings)}")
    return found


def show(output: "list[str]") -> int:
    try:
        for text in output:
            print(text)
        sys.stdout.flush()
    except OSError as error:
        with suppress(OSError):  # otherwise Python would write the rest at exit and fail
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"install.py: {describe_error(error)}", file=sys.stderr)
        return 1
    return 0


def parse_options(arguments: "list[str] | None" = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Install the hooks of this folder.")
    parser.add_argument(
        "--client",
        action="append",
        choices=[*CLIENTS, "all"],
        default=[],
        help="the agent to install them in, repeatable; all, and the default: those that the "
        "project has hooks for and this machine has",
    )
    parser.add_argument(
        "--scope",
        choices=SCOPES,
        default=SCOPES[0],
        help="the settings to add them to: yours (user, the default), or those of the current "
        "folder, shared (project) or your own (local)",
    )
    parser.add_argument(
        "--take-over",
        action="store_true",
        help="go on if another folder installed a project of this name",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="show the changes without making them"
    )
    verb = parser.add_mutually_exclusive_group()
    verb.add_argument("--uninstall", action="store_true", help="uninstall the hooks")
    verb.add_argument("--check", action="store_true", help="report problems, change nothing")
    return parser.parse_args(arguments)


def describe_error(error: "InstallError | OSError") -> Fault:
    if isinstance(error, InstallError):
        return error.fault
    path = Path(str(error.filename)) if error.filename else None
    problem = "cannot be used" if path else "the output cannot be written"
    return Fault(path, f"{problem} ({error.strerror})", "fix that, then try again")


def describe_changes(changes: Changes, installation: Installation) -> "list[str]":
    """Return a line for each change and, for settings, also the changed lines."""
    lines = []
    for path, content in changes.items():
        lines.append(escape(f"{name_change(path, content)} {path}"))
        if path == installation.settings and not installation.client.plugin:
            lines.append(write_patch(path, content))
    return lines or ["nothing to change"]


def carry_out(
    plan: "Callable[[Installation], Changes]", installation: Installation, output: "list[str]"
) -> None:
    """Apply a plan; if another program changed a file meanwhile, plan again."""
    former, rival = installation.find_former_folder(), installation.find_rival()
    for _ in range(ATTEMPTS):
        read_file.cache_clear()
        changes = plan(installation)
        try:
            pending = select_pending(changes)
            if apply_changes(pending, output):
                break
        finally:
            for path in changes:
                clean_up(path, installation.config)
    else:
        problem = "is being changed by another program"
        raise InstallError(installation.settings, problem, "try again in a moment")
    kept = [path for path in pending if path.suffix == EDITED]
    output += [escape(f"kept your edit of {path.stem} as {path}") for path in kept]
    kept = [path for path in pending if path.suffix == FORMER]
    output += [escape(f"kept your previous settings as {path}") for path in kept]
    if not pending:
        scopes = installation.list_other_scopes() if plan is plan_uninstall else ()
        here = f" here: add --scope {' or '.join(scopes)}" if scopes else ""
        output.append(f"nothing to change{here}")
    elif plan is plan_uninstall:
        for path in installation.list_other_folders():
            output.append(escape(f"kept the hooks: {path} still runs them"))
    else:
        if step := installation.client.steps.get(installation.scope):
            output.append(f"{installation.client.title}: {step}")
        if former:
            how = "taken over" if rival else "moved here"
            output.append(escape(f"{installation.name} was {how} from {former}"))
