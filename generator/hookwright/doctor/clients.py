"""Check that the clients are recent enough, and that the project is installed in them."""

import re
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from hookwright.clients.claude.settings import find_bans, find_faults
from hookwright.clients.claude.tool_names import find_named, is_mcp, is_unlisted, read_server
from hookwright.clients.codex.app_server import FoundHook, list_hooks
from hookwright.clients.dialects import read_dialects
from hookwright.clients.server_forms import FORMS
from hookwright.doctor.finding import Finding, Setup
from hookwright.documentation.database_records import find_database
from hookwright.documentation.registration import find_server
from hookwright.installer import commands, files, registry, scripts
from hookwright.installer.check import find_switches
from hookwright.installer.client import CLAUDE, CLIENTS, Client, list_rendered
from hookwright.project.installation_check import check_installation
from hookwright.project.installer import (
    find_installed,
    find_lost_folder,
    find_scopes,
    list_clients,
    list_packages,
    read_tolerantly,
)
from hookwright.project.own_installer import name_command
from hookwright.project.reader import Project
from hookwright.project.status import find_refusal
from hookwright_console.errors import RefusedError
from hookwright_console.files.regular import read_object
from hookwright_console.objects import pick
from hookwright_console.programs import run_program

# Matches a hook script in a command, in any folder, and the project at the end of the script's
# name.
SCRIPT_NAME = re.compile(rf"/({commands.HOOKS})(?:-([a-z0-9-]+))?\.py\b")
TIME_LIMIT = 20  # seconds
HERE, PARENT = "TRUST_FOLDER", "TRUST_PARENT"  # the user's answers about a folder
NAME, COMMAND = "Claude Code", "claude"
DENIES = (2, 1, 90)  # first version that accepts a JSON decision with exit code 2
ASKS_ITSELF = (2, 1, 63)  # first version with HTTP hooks


def check_other_clients(setup: Setup, scope: str = "") -> Iterator[Finding]:
    """Check each other client's program and installation in a scope, or in all scopes ("")."""
    others = find_hooks_of_others()
    project = setup.project
    lost = find_lost(project)
    yield from lost.values()
    clients = list_clients(project) if project else [CLIENTS[name] for name in others]
    for other in clients:
        if other is not CLAUDE and other.name not in lost:
            program = shutil.which(other.name)
            fault, version = check_version(other, program, "reinstall it")
            title = f"{other.title} {format_version(version)}"
            yield fault or Finding(other.name, "ok", title)
            if project:
                found = [*check_places(other, project, scope)]
            else:
                found = [describe_hook(other, hook) for hook in others[other.name]]
            yield from found
            if registry.CLIENTS[other.name].get("lists_hooks") and program:
                is_clean = all(finding.status == "ok" for finding in found)
                yield from check_codex(other, program, setup, is_clean=is_clean)
            for switch in find_switches(other, read_settings):
                yield Finding(other.name, "fault", str(switch))
            trusted = registry.CLIENTS[other.name].get("trusted_folders")
            scopes = find_scopes(project, other) if project and trusted else []
            config = other.find_config_folder()
            if "project" in scopes and not is_trusted(config, trusted, setup.folder):
                line = (
                    "does not trust this folder, and ignores its settings: run /permissions there"
                )
                yield Finding(other.name, "warn", f"{other.title} {line}")


def read_settings(path: Path) -> dict[str, Any]:
    if path.suffix != ".toml":
        return read_tolerantly(path)
    with suppress(RefusedError, ModuleNotFoundError):  # reading TOML needs the [docs] extra
        from hookwright.clients.toml_tables import parse_tables

        return parse_tables(files.peek(path).decode("utf-8", "replace"), path)
    return {}


def find_lost(project: Project | None) -> dict[str, Finding]:
    """Return the faults of the other clients whose folders are unknown, by client name.

    This happens if a variable such as CODEX_HOME is a relative path: the client would use different
    settings in each folder. Without a project, the clients on PATH are checked.
    """
    rendered = list_rendered(project.folder) if project else []
    wanted = [
        other
        for other in CLIENTS.values()
        if other is not CLAUDE and (other in rendered if project else shutil.which(other.name))
    ]
    lost = {other.name: find_lost_folder(other) for other in wanted}
    return {name: Finding(name, "fault", line) for name, line in lost.items() if line}


def find_hooks_of_others() -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for name, hook in find_installed():
        if name != CLAUDE.name:
            found.setdefault(name, []).append((scripts.name_hook(hook.path), hook.project))
    return found


def describe_hook(client: Client, hook: tuple[str, str]) -> Finding:
    name, project = hook
    what = f"{name}{f' of {project}' if project else ''}, installed in {client.title}"
    return Finding(client.name, "ok", f"{what}; add --project DIR to see if it is up to date")


def check_version(
    client: Client, program: str | None, way_out: str
) -> tuple[Finding | None, tuple[int, ...]]:
    """Return what is wrong with a client's program, or None, and its version."""
    if not program:
        line = f"{client.name} is not on PATH: install {client.title}"
        return Finding(client.name, "warn", line), ()
    ended = run_program([program, "--version"], TIME_LIMIT)
    found = re.search(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})", ended.stdout) if ended else None
    if not found:
        line = f"{program} does not print its version: {way_out}"
        return Finding(client.name, "warn", line), ()
    return None, tuple(map(int, found.groups()))


def check_places(client: Client, project: Project, scope: str) -> Iterator[Finding]:
    scopes = [scope] if scope in client.settings else [] if scope else find_scopes(project, client)
    packages = list_packages(project, client)
    is_left_over = client not in list_rendered(project.folder)
    if not scopes and not scope and is_left_over and client.has_record(project.name):
        scopes = ["user"]  # scopes that can be checked
    if packages and not scopes:
        yield Finding(client.name, "ok", f"as {' and '.join(packages)} of {client.title}")
    elif not scopes and not scope:
        install = f"{name_command('install', project)} --client {client.name}"
        line = f"{project.name} is not installed in {client.title}: run {install}"
        line = find_refusal(project, client) or find_dead_link(project, client, install) or line
        yield Finding(client.name, "fault", line)
    for name in scopes:
        faults = check_installation(project, name, client.name)
        for fault in faults:
            yield Finding(client.name, "fault", str(fault))
        if not faults:
            yield Finding(client.name, "ok", f"up to date in the {name} settings of {client.title}")


def find_dead_link(project: Project, client: Client, install: str) -> str:
    config = client.find_config_folder()
    for path in (client.locate_settings(config, scope, project.name) for scope in client.settings):
        if path.is_symlink() and not path.exists():
            return f"{path} is a broken link: remove it, then run {install}"
    return ""


def check_codex(client: Client, program: str, setup: Setup, *, is_clean: bool) -> Iterator[Finding]:
    found = list_hooks(program, setup.folder, TIME_LIMIT)
    if found is None:
        line = f"{program} does not report which hooks it trusts: see /hooks in codex"
        yield Finding(client.name, "warn", line)
        return
    for fault in found.faults:
        yield Finding(client.name, "fault", f"Codex cannot read its hooks ({fault}): fix that file")
    ours = [(hook, name) for hook in found.hooks if (name := name_hook(hook, setup))]
    untrusted = list(dict.fromkeys(name for hook, name in ours if not hook.is_trusted))
    if untrusted:
        line = f"{', '.join(untrusted)}: not trusted, so Codex does not run it: run /hooks in codex"
        yield Finding(client.name, "warn", line)
    elif ours:
        yield Finding(client.name, "ok", "Codex trusts the hooks")
    for (_, name), number in Counter((hook.event, name) for hook, name in ours).items():
        if number > 1 and setup.project and is_clean:  # otherwise they may be several projects'
            paths = " and ".join(dict.fromkeys(hook.path for hook, own in ours if own == name))
            yield Finding(client.name, "fault", f"{name} runs twice, by {paths}: keep one")


def name_hook(hook: FoundHook, setup: Setup) -> str:
    """Return the name of a project's hook that Codex runs from settings or a plugin, or ""."""
    project = setup.project.name if setup.project else ""
    found = SCRIPT_NAME.search(hook.command)
    if not found or not project:
        return found[1] if found else ""
    is_plugin = not found[2] and f"/{project}/" in hook.command
    return found[1] if found[2] == project or is_plugin else ""


def is_trusted(config: Path, file: str, folder: Path) -> bool:
    """Return whether a client trusts a folder, according to the client's files."""
    security = pick(pick(read_object(config / "settings.json"), "security"), "folderTrust")
    if security.get("enabled") is False:
        return True
    answers = read_object(config / file)
    trusted = {Path(path) for path, answer in answers.items() if answer == HERE}
    trusted |= {Path(path).parent for path, answer in answers.items() if answer == PARENT}
    return bool(trusted & {folder, *folder.parents})


def check_other_servers(setup: Setup) -> Iterator[Finding]:
    """Check the MCP servers of each other client that the project is or should be installed in."""
    project = setup.project
    for name in list_clients(project) if project else ():
        if project and name.name in FORMS and not find_lost_folder(name):
            yield from check_servers(name, project)


def check_servers(client: Client, project: Project) -> Iterator[Finding]:
    """Check that a client has the server of each MCP tool named by its hooks.

    Reads only the client's user-level file, and starts no server.
    """
    form, dialect = FORMS[client.name], read_dialects()[client.name]
    path = form.locate(client)
    for tool, way_out in list_tools(client, project).items():
        name = read_server(tool)
        try:
            found = find_server(form, path, name)
        except RefusedError as refused:
            yield Finding(client.name, "fault", str(refused))
            return
        called = dialect.name_tool(tool)
        if found is None:
            line = f"{called}: the server {name} is not configured in {client.title}"
            yield Finding(client.name, "fault", f"{line}: {way_out or f'add it to {path}'}")
        else:
            yield Finding(client.name, "ok", f"{called}: the server {name} is configured")


def list_tools(client: Client, project: Project) -> dict[str, str]:
    """Return the MCP tools named by a client's hooks, and how to configure each one's server.

    The command is "" if the user has to write the configuration.
    """
    hooks, found = client.locate_hooks(project.folder), {}
    if (hooks / "docsearch.py").exists():
        for database in project.rendered_databases:
            name = find_database(database)
            way_out = f"run hookwright setup {name}" if name else ""
            found[str(database.get("mcp_tool_name"))] = way_out
    if (hooks / "tool_routing.py").exists():
        for route in project.rendered_routes.values():
            found |= dict.fromkeys(find_named(str(route.get("message", ""))), "")
    return {
        tool: way_out
        for tool, way_out in found.items()
        if is_mcp(tool) and not is_unlisted(read_server(tool))
    }


def check_client(setup: Setup) -> Iterator[Finding]:
    fault, version = check_version(CLAUDE, shutil.which(COMMAND), f"run {COMMAND} doctor")
    if fault:
        yield replace(fault, check="client")
        return
    name = f"{NAME} {format_version(version)}"
    uses = {"denials": DENIES} if setup.databases or setup.routes else {}
    uses |= {"HTTP hooks": ASKS_ITSELF} if setup.asks_itself else {}
    for what, first in uses.items():
        if version < first:
            line = f"{name} is too old, {what} need {format_version(first)}"
            yield Finding("client", "fault", f"{line}: run {COMMAND} update")
            return
    yield Finding("client", "ok", f"{name} is new enough")


def format_version(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def check_settings(setup: Setup) -> Iterator[Finding]:
    url = f"{setup.lesson_url}/hooks/user-prompt-submit" if setup.asks_itself else ""
    faults = [fault for path in setup.settings for fault in find_faults(path)]
    faults += find_bans(setup.settings, url)
    for fault in faults:
        yield Finding("settings", "fault", fault)
    read = [str(path) for path in setup.settings if path.exists()]
    if not faults:
        line = f"valid: {', '.join(read)}" if read else "no settings files here"
        yield Finding("settings", "ok", line)
