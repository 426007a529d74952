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
from typing import NamedTuple

from . import files
from .client import CLAUDE, CLIENTS, list_installed, list_rendered, select_clients
from .entries import read_name
from .files import Changes, Fault
from .installation import EDITED, FORMER, Installation, find_faults, plan_changes

ATTEMPTS = 20  # maximum attempts while another program is changing the same files
KEPT = {EDITED: "your edit of {}", FORMER: "your previous settings"}  # by suffix


class Outcome(NamedTuple):
    """The result of a run."""

    lines: "list[str]"  # lines to print
    faults: "list[Fault]"  # errors, or reasons why nothing changed, for at least one client
    is_refused: bool = False  # whether the fault is the only result
    pending: Changes = {}  # noqa: RUF012 - never changed


def main(project: Path) -> int:
    """Run the command line; return 0 on success and 1 otherwise."""
    options = parse_options()
    mask = os.umask(0o022)
    os.umask(mask if mask & 0o002 else 0o022)  # not everybody may change what is installed
    for stream in (sys.stdout, sys.stderr):  # their encoding may not support a path
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    lines, faults, is_refused, _ = run(options, project)
    if options.check and not is_refused:
        lines = [*map(str, faults)] or ["all is well"]
    else:
        for fault in faults:
            print(f"install.py: {fault}", file=sys.stderr)
    try:
        print(*lines, sep="\n", end="\n" if lines else "", flush=True)
    except OSError as error:
        with suppress(OSError):  # otherwise Python would write the rest at exit and fail
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"install.py: {describe_error(error)}", file=sys.stderr)
        return 1
    return int(bool(faults))


def parse_options(arguments: "list[str] | None" = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Install the hooks of this folder.")
    add, verb = parser.add_argument, parser.add_mutually_exclusive_group()
    agents = "an agent, repeatable (default: all that the project is for and this machine has)"
    add("--client", action="append", choices=[*CLIENTS, "all"], default=[], help=agents)
    scopes = "your settings (user, the default), or this folder's: shared (project), yours (local)"
    add("--scope", choices=[*CLAUDE.settings], default="user", help=scopes)
    add("--take-over", action="store_true", help="replace the hooks that another folder installed")
    add("--dry-run", action="store_true", help="show the changes without making them")
    verb.add_argument("--uninstall", action="store_true", help="uninstall the hooks")
    verb.add_argument("--check", action="store_true", help="report problems, change nothing")
    return parser.parse_args(arguments)


def run(options: argparse.Namespace, project: Path, command: str = "") -> Outcome:
    """Carry out the options for a project; advice names `command` instead of install.py."""
    lines: list[str] = []
    faults: list[Fault] = []
    pending: Changes = {}
    try:
        installations = list_installations(options, project, command)
    except (Fault, OSError) as error:
        return Outcome(lines, [describe_error(error)], is_refused=True)
    for installation in installations:
        try:
            if options.check:
                faults += find_faults(installation)
            elif options.dry_run:
                changes = plan_changes(installation, uninstalls=options.uninstall)
                planned = files.select_pending(changes)
                pending.update(planned)
                lines += describe_changes(planned, installation)
            else:
                carry_out(installation, lines, uninstalls=options.uninstall)
        except (Fault, OSError) as error:  # noqa: PERF203 - which stops no other
            faults.append(describe_error(error))
            if len(installations) == 1:
                return Outcome(lines, faults, is_refused=True)
            faults[-1].fix += f" (--client {installation.client.name})"
    # With several clients, the same line may occur many times.
    return Outcome([*dict.fromkeys(lines)], faults, pending=pending)


def list_installations(
    options: argparse.Namespace, project: Path, command: str
) -> "list[Installation]":
    is_chosen = bool({*options.client} - {"all"})
    clients = list_installed(read_name(project)) if options.uninstall and not is_chosen else []
    clients = clients or select_clients(project, options.client)
    if not options.uninstall:  # if none can be installed, the first one's error says why
        rendered = list_rendered(project)
        clients = [client for client in clients if client in rendered] or clients[:1]
    there = [client for client in clients if options.scope in client.settings]
    if not there:
        problem = f"{clients[0].title} has no {options.scope} settings"
        raise Fault(None, problem, f"use --scope {' or '.join(clients[0].settings)}")
    scope, rival = options.scope, options.take_over
    return [Installation(project, client, scope, command, takes_over=rival) for client in there]


def describe_error(error: "Fault | OSError") -> Fault:
    if isinstance(error, Fault):
        return error
    path = Path(str(error.filename)) if error.filename else None
    problem = "cannot be used" if path else "the output cannot be written"
    return Fault(path, f"{problem} ({error.strerror})", "fix that, then try again")


def describe_changes(changes: Changes, installation: Installation) -> "list[str]":
    """Return a line for each change and, for settings, also the changed lines."""
    lines = []
    for path, content in changes.items():
        lines.append(files.escape(f"{files.name_change(path, content)} {path}"))
        if path == installation.settings and not installation.client.plugin:
            lines.append(files.write_patch(path, content))
    return lines or ["nothing to change"]


def carry_out(installation: Installation, lines: "list[str]", *, uninstalls: bool) -> None:
    """Apply a plan and add what was done to the lines; if a file changes meanwhile, plan again."""
    former, rival = installation.find_former_folder(), installation.find_rivalry()
    for _ in range(ATTEMPTS):
        files.read_file.cache_clear()
        changes = plan_changes(installation, uninstalls=uninstalls)
        try:
            pending = files.select_pending(changes)
            if files.apply_changes(pending, lines):
                break
        finally:
            for path in changes:
                files.clean_up(path, installation.config)
    else:
        problem = "is being changed by another program"
        raise Fault(installation.settings, problem, "try again in a moment")
    kept = [path for path in pending if path.suffix in KEPT]
    notes = [f"kept {KEPT[path.suffix].format(path.stem)} as {path}" for path in kept]
    notes += [] if pending else ["nothing to change"]
    if uninstalls:
        users = installation.list_users(installation.name)
        notes += [f"kept the hooks: {path} still runs them" for path in users]
    elif pending:
        step = installation.client.steps.get(installation.scope)
        notes += [f"{installation.client.title}: {step}"] if step else []
        how = "taken over" if rival else "moved here"
        notes += [f"{installation.name} was {how} from {former}"] if former else []
    lines += map(files.escape, notes)
