"""Check that the clients are recent enough, and that the project is installed in them."""

import json
import re
import shutil
import subprocess
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hookwright.clients.claude.settings import find_bans, find_faults
from hookwright.clients.claude.tool_names import is_unlisted, read_server
from hookwright.clients.dialects import FORMS, read_dialects
from hookwright.doctor.finding import Finding, Setup
from hookwright.doctor.installation import check_places
from hookwright.doctor.tools import list_uses
from hookwright.documentation.database_records import find_database
from hookwright.documentation.registration import find_server
from hookwright.installer import entries, files, registry
from hookwright.installer.client import CLAUDE, CLIENTS, Client, list_rendered
from hookwright.project.installer import (
    find_installed,
    find_lost_folder,
    find_scopes,
    list_clients,
    read_tolerantly,
)
from hookwright.project.reader import Project
from hookwright_console.errors import RefusedError
from hookwright_console.files.regular import read_object
from hookwright_console.objects import pick
from hookwright_console.programs import run_program

# Matches a hook script in a command, in any folder, and the project at the end of the script's
# name.
SCRIPT_NAME = re.compile(rf"/({entries.HOOKS})(?:-([a-z0-9-]+))?\.py\b")
TIME_LIMIT = 20  # seconds
HERE, PARENT = "TRUST_FOLDER", "TRUST_PARENT"  # the user's answers about a folder
DENIES = (2, 1, 90)  # first version that accepts a JSON decision with exit code 2
ASKS_ITSELF = (2, 1, 63)  # first version with HTTP hooks
CALLER = {"name": "hookwright", "version": "0"}
ASKED = 1  # ID of the request
MAX_LINE = 1_000_000  # characters per line


@dataclass(frozen=True)
class FoundHook:
    """A hook found by Codex, for example for preToolUse, and whether the user trusts it."""

    event: str
    command: str
    path: str
    is_trusted: bool


@dataclass(frozen=True)
class FoundHooks:
    """The hooks that Codex found in a folder, and its errors about files that it could not read."""

    hooks: tuple[FoundHook, ...]
    faults: tuple[str, ...]


def check_other_clients(setup: Setup, scope: str = "") -> Iterator[Finding]:
    """Check each other client's program and installation in a scope, or in all scopes ("").

    A client is also reported if its folder is unknown, because a variable such as CODEX_HOME is a
    relative path: it would use different settings in each folder.
    """
    project, hooks = setup.project, find_hooks_of_others()
    rendered = list_rendered(project.folder) if project else []
    wanted = list_clients(project) if project else [CLIENTS[name] for name in hooks]
    for other in CLIENTS.values():
        is_used = other in rendered if project else shutil.which(other.name)
        if other is CLAUDE:
            continue
        if is_used and (lost := find_lost_folder(other)):
            yield Finding(other.name, "fault", lost)
        elif other in wanted:
            yield from check_other_client(other, setup, scope, hooks.get(other.name, []))


def check_other_client(
    other: Client, setup: Setup, scope: str, hooks: list[str]
) -> Iterator[Finding]:
    yield check_program(other.name, other, "reinstall it")[0]
    if setup.project:
        found = [*check_places(other, setup.project, scope)]
    else:
        fix = "add --project DIR to see if it is up to date"
        lines = [f"{hook}, installed in {other.title}; {fix}" for hook in hooks]
        found = [Finding.ok(other.name, line) for line in lines]
    yield from found
    if registry.CLIENTS[other.name].get("lists_hooks") and (program := shutil.which(other.name)):
        is_clean = all(finding.status == "ok" for finding in found)
        yield from check_codex(other, program, setup, is_clean=is_clean)
    config = other.find_config_folder()
    folders = dict.fromkeys([config, Path.cwd() / Path(other.settings["project"]).parent])
    for name, switches in registry.CLIENTS[other.name].get("turned_off", {}).items():
        for path in [folder / name for folder in folders]:
            settings = read_settings(path)
            for switch, off in switches.items():
                if look_up(settings, switch) is off:
                    problem = f"{path} turns all hooks off"
                    yield Finding.fault(other.name, problem, f"remove {switch}")
    trusted = registry.CLIENTS[other.name].get("trusted_folders")
    scopes = find_scopes(setup.project, other) if setup.project and trusted else []
    if "project" in scopes and not is_trusted(config, trusted, setup.folder):
        problem = f"{other.title} does not trust this folder, and ignores its settings"
        yield Finding.warn(other.name, problem, "run /permissions there")


def look_up(value: Any, place: str) -> Any:
    for key in place.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value


def read_settings(path: Path) -> dict[str, Any]:
    if path.suffix != ".toml":
        return read_tolerantly(path)
    with suppress(RefusedError, ModuleNotFoundError):  # reading TOML needs the [docs] extra
        from hookwright.clients.toml_tables import parse_tables

        return parse_tables(files.peek(path).decode("utf-8", "replace"), path)
    return {}


def find_hooks_of_others() -> dict[str, list[str]]:
    """Return the installed hooks, with their projects, of each client but Claude Code."""
    found: dict[str, list[str]] = {}
    for name, hook in find_installed():
        if name != CLAUDE.name:
            of = f" of {hook.project}" if hook.project else ""
            found.setdefault(name, []).append(f"{entries.name_hook(hook.path)}{of}")
    return found


def check_program(check: str, client: Client, fix: str) -> tuple[Finding, tuple[int, ...]]:
    """Return the finding about a client's program, and its version, which is () if unknown."""
    program = shutil.which(client.name)
    if not program:
        problem = f"{client.name} is not on PATH"
        return Finding.warn(check, problem, f"install {client.title}"), ()
    ended = run_program([program, "--version"], TIME_LIMIT)
    found = re.search(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})", ended.stdout) if ended else None
    if not found:
        return Finding.warn(check, f"{program} does not print its version", fix), ()
    return Finding.ok(check, f"{client.title} {found[0]}"), tuple(map(int, found.groups()))


def check_codex(client: Client, program: str, setup: Setup, *, is_clean: bool) -> Iterator[Finding]:
    found = ask_codex(program, setup.folder, TIME_LIMIT)
    if found is None:
        problem = f"{program} does not report which hooks it trusts"
        yield Finding.warn(client.name, problem, "see /hooks in codex")
        return
    for fault in found.faults:
        yield Finding.fault(client.name, f"Codex cannot read its hooks ({fault})", "fix that file")
    ours = [(hook, name) for hook in found.hooks if (name := name_hook(hook, setup))]
    untrusted = list(dict.fromkeys(name for hook, name in ours if not hook.is_trusted))
    if untrusted:
        problem = f"{', '.join(untrusted)}: not trusted, so Codex does not run it"
        yield Finding.warn(client.name, problem, "run /hooks in codex")
    elif ours:
        yield Finding.ok(client.name, "Codex trusts the hooks")
    for (_, name), number in Counter((hook.event, name) for hook, name in ours).items():
        if number > 1 and setup.project and is_clean:  # otherwise they may be several projects'
            paths = " and ".join(dict.fromkeys(hook.path for hook, own in ours if own == name))
            yield Finding.fault(client.name, f"{name} runs twice, by {paths}", "keep one")


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
    for other in list_clients(project) if project else ():
        if project and other.name in FORMS and not find_lost_folder(other):
            yield from check_servers(other, project)


def check_servers(client: Client, project: Project) -> Iterator[Finding]:
    """Check that a client has the server of each MCP tool named by its hooks.

    Reads only the client's user-level file, and starts no server.
    """
    form, dialect = FORMS[client.name], read_dialects()[client.name]
    path, hooks = form.locate(client), client.locate_hooks(project.folder)
    databases = project.rendered_databases if (hooks / "docsearch.py").exists() else []
    routes = project.rendered_routes if (hooks / "tool_routing.py").exists() else {}
    built = {record["mcp_tool_name"]: find_database(record) for record in databases}
    for tool in dict.fromkeys(use.tool for use in list_uses(databases, routes)):
        name, called = read_server(tool), dialect.name_tool(tool)
        if is_unlisted(name):
            continue
        try:
            found = find_server(form, path, name)
        except RefusedError as refused:
            yield Finding(client.name, "fault", str(refused))
            return
        if found is not None:
            yield Finding.ok(client.name, f"{called}: the server {name} is configured")
        else:
            problem = f"{called}: the server {name} is not configured in {client.title}"
            own = built.get(tool)
            fix = f"run hookwright setup {own}" if own else f"add it to {path}"
            yield Finding.fault(client.name, problem, fix)


def check_client(setup: Setup) -> Iterator[Finding]:
    found, version = check_program("client", CLAUDE, f"run {CLAUDE.name} doctor")
    uses = {"denials": DENIES} if setup.databases or setup.routes else {}
    uses |= {"HTTP hooks": ASKS_ITSELF} if setup.asks_itself else {}
    for what, first in uses.items() if version else ():
        if version < first:
            problem = f"{found.line} is too old, {what} need {'.'.join(map(str, first))}"
            yield Finding.fault("client", problem, f"run {CLAUDE.name} update")
            return
    yield Finding.ok("client", f"{found.line} is new enough") if version else found


def check_settings(setup: Setup) -> Iterator[Finding]:
    url = f"{setup.lesson_url}/hooks/user-prompt-submit" if setup.asks_itself else ""
    faults = [fault for path in setup.settings for fault in find_faults(path)]
    faults += find_bans(setup.settings, url)
    for fault in faults:
        yield Finding("settings", "fault", fault)
    read = [str(path) for path in setup.settings if path.exists()]
    if not faults:
        line = f"valid: {', '.join(read)}" if read else "no settings files here"
        yield Finding.ok("settings", line)


def ask_codex(program: str, folder: Path, seconds: float) -> FoundHooks | None:
    """Return the hooks that Codex finds in a folder, or None if it does not answer in time.

    `codex app-server` answers hooks/list over stdin and stdout without a login, one JSON object per
    line (observed with version 0.169.0). A version without that method counts as unresponsive.
    """
    questions: list[dict[str, Any]] = [
        {"id": 0, "method": "initialize", "params": {"clientInfo": CALLER}},
        {"method": "initialized"},
        {"id": ASKED, "method": "hooks/list", "params": {"cwds": [str(folder)]}},
    ]
    try:
        process = subprocess.Popen(  # noqa: S603 - the user's own
            [program, "app-server"],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            errors="replace",
        )
    except (OSError, ValueError):
        return None
    ending = threading.Timer(seconds, process.kill)
    ending.start()
    try:
        with suppress(OSError, ValueError), process:
            if process.stdin and process.stdout:
                process.stdin.write("".join(f"{json.dumps(question)}\n" for question in questions))
                process.stdin.flush()
                while line := process.stdout.readline(MAX_LINE):
                    if (answer := read_answer(line)) is not None:
                        return parse_answer(answer)
    finally:
        ending.cancel()
        process.kill()
    return None


def read_answer(line: str) -> dict[str, Any] | None:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) and message.get("id") == ASKED else None


def parse_answer(answer: dict[str, Any]) -> FoundHooks | None:
    """Return an answer's content, or None for an error."""
    data = pick(answer, "result").get("data")
    if not isinstance(data, list):
        return None
    folders = list_objects(data)
    hooks = tuple(
        FoundHook(
            str(hook.get("eventName")),
            str(hook.get("command")),
            str(hook.get("sourcePath")),
            hook.get("trustStatus") != "untrusted" and hook.get("enabled") is not False,
        )
        for folder in folders
        for hook in list_objects(folder.get("hooks"))
    )
    faults = tuple(
        format_fault(fault)
        for folder in folders
        for fault in (*(folder.get("errors") or ()), *(folder.get("warnings") or ()))
    )
    return FoundHooks(hooks, faults)


def list_objects(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def format_fault(fault: object) -> str:
    if not isinstance(fault, dict):
        return " ".join(str(fault).split())
    words = [str(fault[key]) for key in ("path", "message") if fault.get(key)]
    return " ".join(": ".join(words or [json.dumps(fault)]).split())
