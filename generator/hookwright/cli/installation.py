"""Install and uninstall a project's hooks: show the changes, ask to confirm, and apply them."""

import shlex
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

import typer

from hookwright.cli.current_project import choose_installed_folder, open_current
from hookwright.cli.options import HERE, AsJson, InProject, Scope, Yes
from hookwright.cli.terminal import print_note, show_diff
from hookwright.clients.claude.settings import find_faults, list_settings
from hookwright.documentation.database_records import list_connected, list_unused
from hookwright.installer import client, files, main
from hookwright.installer.client import CLAUDE
from hookwright.project.installer import (
    explain_elsewhere,
    find_scopes,
    is_packaged,
    list_clients,
    list_kept_copies,
    list_places,
)
from hookwright.project.own_installer import (
    list_left_out,
    plan_installation,
    run_own_installer,
)
from hookwright.project.reader import Project
from hookwright.project.status import open_or_stand_in
from hookwright.simulate.run import is_known
from hookwright_console.terminal import agree, dump, print_line, show_progress
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


def warn_of_records(
    project: Project,
    databases: Sequence[Mapping[str, Any]] = (),
    routes: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
) -> None:
    """Report tools and paths in records that are missing, and how to fix them."""
    if not databases and not routes:
        return
    from hookwright.doctor.tools import check_records

    with show_progress("MCP servers") as progress:
        found = [*check_records(databases, routes, project.servers, progress)]
    print_note(*(finding.line for finding in found if finding.status != "ok"))


def change_installation(
    project: Project,
    options: list[str],
    ask: str | None,
    *,
    diff: bool,
    yes: bool,
    as_json: bool,
) -> int:
    """Show and apply the changes of an installation or uninstallation; return the exit code.

    `options` are the options of install.py. If the user is not asked, the changes are only shown.
    """
    if ask and as_json and not yes:
        raise typer.BadParameter("--json never prompts: add --yes or --dry-run")
    parsed = main.parse_options(options)
    with redirect_stdout(StringIO() if as_json else sys.stdout):
        changes, faults = plan_installation(project, *options)
        code = int(bool(faults))
        left_out = [] if parsed.uninstall else list_left_out(project, parsed.client, parsed.scope)
        print_note(*left_out)
        if not changes and not faults:
            current = f"{project.name} is installed and up to date"
            print_line("nothing to change" if parsed.uninstall else current)
        for change in changes if diff or not (ask and yes) else ():
            if diff:
                show_diff(change["patch"])
            else:
                print_line(f"{change['does']:6}  {shorten_home(change['file'])}")
        if not (ask and yes and changes):
            print_note(*map(str, faults))
        if ask and changes:
            agree(ask, yes=yes, default=not parsed.uninstall)
            code = run_installer(project, options, uninstalls=parsed.uninstall)
    if as_json:
        kept = [{"file": "", "does": "nothing", "reason": line} for line in left_out]
        print(dump([*changes, *kept], indent=2))
    return code


def run_installer(project: Project, options: list[str], *, uninstalls: bool) -> int:
    done = run_own_installer(project, *options)
    show_outcome(done)
    if not done.faults and uninstalls:
        print_line(f"Uninstalled {project.name}")
    elif not done.faults:
        installed = f"Installed {project.name}: new sessions have its hooks"
        print_line(installed, "Check them: hookwright doctor")
        paths = [path for _, path in list_settings(Path.cwd())] if find_scopes(project) else []
        print_note(*dict.fromkeys(fault for path in paths for fault in find_faults(path)))
    return int(bool(done.faults))


def show_outcome(outcome: main.Outcome) -> None:
    """Print the installer's lines, such as "wrote PATH", and its faults."""
    parts = (line.partition(" ") for line in outcome.lines)
    print_line(*(f"{does} {shorten_home(path)}" for does, _, path in parts))
    print_note(*map(str, outcome.faults))


def install(
    *,
    project: InProject = HERE,
    client: InClients = None,
    scope: InScope = Scope.USER,
    take_over: Annotated[
        bool,
        typer.Option("--take-over", help="Replace the hooks that another folder installed."),
    ] = False,
    dry_run: DryRun = False,
    diff: Diff = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> int:
    """Install the hooks of a project into Claude Code and other agents."""
    opened = open_current(project, yes=yes)
    options = ["--scope", scope.value, *(["--take-over"] if take_over else [])]
    options += [f"--client={name}" for name in client or ()]
    for name in opened.script_names:
        path = opened.find_hook(name)
        content = files.peek(path)
        if content and not is_known(name, content, opened):
            print_note(
                f"{path} differs from what this version renders: review it before you trust it"
            )
    ask = None if dry_run else f"Install {opened.name}?"
    code = change_installation(opened, options, ask, diff=diff, yes=yes, as_json=as_json)
    if ask:
        warn_of_records(opened, opened.rendered_databases, opened.rendered_routes)
    return code


def uninstall(
    *,
    project: InProject = HERE,
    client: InClients = None,
    scope: InScope = Scope.USER,
    take_over: Annotated[
        bool, typer.Option("--take-over", help="Remove the hooks that another folder installed.")
    ] = False,
    dry_run: DryRun = False,
    diff: Diff = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> int:
    """Uninstall the hooks of a project from Claude Code and other agents."""
    options = ["--scope", scope.value, "--uninstall", *(["--take-over"] if take_over else [])]
    options += [f"--client={name}" for name in client or ()]
    folder = choose_installed_folder(project, yes=yes)
    if not folder:
        print_line("[]" if as_json else "no hooks are installed")
        return 0
    with open_or_stand_in(folder) as opened:
        ask = None if dry_run else f"Uninstall {opened.name}?"
        code = change_installation(opened, options, ask, diff=diff, yes=yes, as_json=as_json)
        for name in list_clients(opened, client or []):
            others = [other for other in find_scopes(opened, name) if other != scope.value]
            if others:
                where = f"the {' and '.join(others)} settings"
                where += "" if name is CLAUDE else f" of {name.title}"
                print_note(f"{opened.name} is also in {where}: use --scope {others[0]}")
        if elsewhere := explain_elsewhere(opened, "uninstall", names_scope=True):
            print_note(elsewhere)
        if not (dry_run or code):
            report_databases(opened)
    return code


def report_databases(project: Project) -> None:
    if list_places(project) or is_packaged(project):
        return
    kept = (shorten_home(str(path)) for path in list_kept_copies(project))
    print_note(*(f"kept {path}: delete it if you do not need it" for path in kept))
    connected = list_connected(project.databases)
    for names, effect in (
        (list_unused(project), "deletes the pages and the index"),
        (connected, "removes the server from the settings"),
    ):
        if names:
            command = project.name_command(shlex.join(["remove", *names]))
            print_note(f"agents can still search {', '.join(names)}: {command} {effect}")
