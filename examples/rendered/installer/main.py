"""Install the hooks of a project into coding agents, or take them out again.

For Claude Code the entries that are merged into the settings are those of the project's
settings.json; for others, those in its clients/ folder.
"""

import argparse
import io
import json
import os
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from . import entries
from .changes import (
    Changes,
    apply_changes,
    describe_changes,
    remove_empty_folders,
    select_pending,
    write_patches,
)
from .check import find_faults, find_leftover
from .client import (
    CLAUDE,
    CLIENTS,
    Client,
    find_sole_package,
    list_installed,
    list_left_out,
    list_rendered,
    select_clients,
)
from .files import Fault, InstallError, escape, read_file, remove_remnants
from .installation import Installation, find_scopes
from .plans import EDITED, plan_install, plan_uninstall
from .records import read_name
from .scripts import FOLDERS, name_hook

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Result = TypeVar("Result")
SCOPES = ("user", "project", "local")
ATTEMPTS = 20  # at changing files that another program changes at the same moment


class Outcome(NamedTuple):
    """What came of the options.

    Args:
        lines: What to print.
        faults: What is wrong, or why nothing was changed, at least for some clients.
        is_refused: Whether there is nothing but the fault for which it was refused.
        pending: What would be changed.

    """

    lines: "list[str]"
    faults: "list[Fault]"
    is_refused: bool = False
    pending: Changes = {}  # noqa: RUF012 - never changed


def main(project: Path) -> int:
    """Do what the command line asks; return 0 if all is well, or else 1."""
    options = parse_options()
    for stream in (sys.stdout, sys.stderr):  # which may be unable to show a path
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if not options.check and not options.uninstall:
        for line in list_left_out(project, options.client, options.scope):
            print(f"install.py: {line}", file=sys.stderr)
    lines, faults, is_refused, pending = run(options, project)
    if options.json:
        found = [*describe_changes(pending), *(fault._asdict() for fault in faults)]
        lines = [json.dumps(found, indent=2, default=str)]
    elif options.dry_run and not is_refused:
        lines = write_patches(pending)
    if options.check and not (options.json or is_refused):
        lines = [*map(str, faults)] or ["all is well"]
    elif not options.json:
        for fault in faults:
            print(f"install.py: {fault}", file=sys.stderr)
    return show(lines) or int(bool(faults))


def run(options: argparse.Namespace, project: Path, command: str = "") -> Outcome:
    """Do what the options ask.

    Advice names the command that installs the hooks, which is install.py unless it is given.
    """
    lines: list[str] = []
    try:
        if options.check or options.dry_run:
            pending, faults = look(options, project, command)
            return Outcome(lines, faults, pending=pending)
        installations = list_installations(options, project, command)
        plan = plan_uninstall if options.uninstall else plan_install
        refused: list[Fault] = []
        leftovers = list_leftovers(options, project, command)
        attempt(lambda one: carry_out(plan, one, lines), installations, refused)
        if len(installations) > 1:
            lines = [*dict.fromkeys(lines)]  # of which several say that nothing changes
        return Outcome(lines, [*refused, *leftovers])
    except InstallError as error:
        return Outcome(lines, [error.fault], is_refused=True)
    except OSError as error:
        return Outcome(lines, [describe_error(error)], is_refused=True)


def look(options: argparse.Namespace, project: Path, command: str) -> "tuple[Changes, list[Fault]]":
    pending: Changes = {}
    refused: list[Fault] = []
    installations = list_installations(options, project, command)
    leftovers = list_leftovers(options, project, command)
    if options.check:
        found = attempt(find_faults, installations, refused)
        return pending, [*leftovers, *(fault for each in found for fault in each), *refused]
    plan = plan_uninstall if options.uninstall else plan_install
    for changes in attempt(lambda one: select_pending(plan(one)), installations, refused):
        pending.update(changes)
    return pending, [*refused, *leftovers]


def attempt(
    act: "Callable[[Installation], Result]",
    installations: "list[Installation]",
    refused: "list[Fault]",
) -> "list[Result]":
    """Do something for each installation; of several, one that is refused stops no other.

    Return what came of them, and add the faults of those that are refused.
    """
    if len(installations) == 1:
        return [act(installations[0])]
    done = []
    for one in installations:
        with collect_refusal(one.client.name, refused):
            done.append(act(one))
    return done


@contextmanager
def collect_refusal(client: str, refused: "list[Fault]") -> "Iterator[None]":
    try:
        yield
    except (InstallError, OSError) as error:
        fault = error.fault if isinstance(error, InstallError) else describe_error(error)
        refused.append(fault._replace(fix=f"{fault.fix} (--client {client})"))


def list_leftovers(options: argparse.Namespace, project: Path, command: str) -> "list[Fault]":
    if options.uninstall or {*options.client} - {"all"}:
        return []
    places = [
        Installation(project, one.find_config_folder(), scope, program=command, client=one)
        for one in list_installed(read_name(project))
        for scope in (find_scopes(one, read_name(project)) or one.scopes)[:1]
    ]
    return [fault for place in places for fault in find_leftover(place)]


def list_installations(
    options: argparse.Namespace, project: Path, command: str
) -> "list[Installation]":
    clients = list_installed(read_name(project)) if options.uninstall else []
    if not clients or {*options.client} - {"all"}:
        clients = select_clients(project, options.client)
    if len(clients) > 1 and not options.uninstall:  # a single one is refused where it is read
        rendered = list_rendered(project)
        clients = [one for one in clients if one in rendered] or clients[:1]
        wanted = [
            one
            for one in clients
            if one.name in options.client or not find_sole_package(one, project)
        ]
        clients = wanted or clients[:1]
    if clients == [CLAUDE] and options.client and not options.uninstall:
        check_rendered(CLAUDE, project)
    found = []
    for one in clients:
        if options.scope in one.scopes:
            given = (project, one.find_config_folder(), options.scope, options.take_over)
            found.append(Installation(*given, command, one))
    if not found:
        problem = f"{clients[0].title} has no {options.scope} settings"
        raise InstallError(None, problem, f"use --scope {' or '.join(clients[0].scopes)}")
    return found


def check_rendered(client: Client, project: Path) -> None:
    if client not in list_rendered(project):
        problem = f"{read_name(project)} is not for {client.title}"
        raise InstallError(None, problem, f"run hookwright add client {client.name}")


def show(output: "list[str]") -> int:
    try:
        for text in output:
            print(text)
        sys.stdout.flush()
    except OSError as error:
        with suppress(OSError):  # or else Python tries to write the rest when it ends
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
    parser.add_argument("--dry-run", action="store_true", help="show the changes, make none")
    verb = parser.add_mutually_exclusive_group()
    verb.add_argument("--uninstall", action="store_true", help="take the hooks out again")
    verb.add_argument("--check", action="store_true", help="show what is wrong, change nothing")
    parser.add_argument("--json", action="store_true", help="with those two: print JSON")
    options = parser.parse_args(arguments)
    if options.json and not (options.check or options.dry_run):
        parser.error("--json needs --check or --dry-run")
    return options


def describe_error(error: OSError) -> Fault:
    path = Path(str(error.filename)) if error.filename else None
    problem = "cannot be used" if path else "the output cannot be written"
    return Fault(path, f"{problem} ({error.strerror})", "fix that, then try again")


def carry_out(
    plan: "Callable[[Installation], Changes]", installation: Installation, output: "list[str]"
) -> None:
    """Make the changes of a plan; plan again if another program changed a file meanwhile."""
    settings = [path.parent for path in installation.list_settings()]
    hooks = installation.base / "hooks"
    for folder in dict.fromkeys([*settings, hooks, *(hooks / name for name in FOLDERS.values())]):
        remove_remnants(folder)
    former, rival = installation.find_former_folder(), installation.find_rival()
    for _ in range(ATTEMPTS):
        read_file.cache_clear()
        changes = plan(installation)
        resets = describe_resets(installation) if plan is plan_install else []
        try:
            pending = select_pending(changes)
            if apply_changes(pending, output):
                kept = [path for path in pending if path.suffix == EDITED]
                output += [escape(f"kept your edit of {path.stem} as {path}") for path in kept]
                if not pending:
                    output.append("nothing to change")
                elif plan is plan_uninstall:
                    for path in installation.list_other_folders():
                        output.append(escape(f"kept the hooks: {path} still runs them"))
                else:
                    output += resets
                    output += describe_requests(installation)
                    if step := installation.client.steps.get(installation.scope):
                        output.append(f"{installation.client.title}: {step}")
                    if former:
                        how = "taken over" if rival else "moved here"
                        output.append(escape(f"{installation.name} was {how} from {former}"))
                return
        finally:
            for path in changes:
                remove_empty_folders(path, installation.config)
    problem = "is being changed by another program"
    raise InstallError(installation.settings, problem, "try again in a moment")


def describe_requests(installation: Installation) -> "list[str]":
    if installation.client.is_plugin:
        return []
    handlers = entries.list_ours(installation.snippet)
    if any(handler.get("type") == "http" for _, _, handler in handlers):
        return ["transport http is for Claude Code and Qwen Code: Codex CLI drops the whole file"]
    return []


def describe_resets(installation: Installation) -> "list[str]":
    if installation.client.is_plugin:
        return []
    wanted = read_timeouts(installation.wanted, installation)
    present = {**wanted, **read_timeouts(installation.read_settings(), installation)}
    reset = {
        hook: seconds
        for (event, hook), seconds in wanted.items()
        if present[event, hook] != seconds
    }
    return [f"reset timeout of {hook} to {seconds}" for hook, seconds in reset.items()]


def read_timeouts(settings: Any, installation: Installation) -> "dict[tuple[str, str], Any]":
    found = {}
    for event, _, handler in entries.list_owned(settings, installation.heir):
        script = entries.find_script(handler)
        found[event, name_hook(script) if script else "lesson_search"] = handler.get("timeout")
    return found
