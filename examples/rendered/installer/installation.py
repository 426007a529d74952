"""A project's hooks in a client and a scope: what is installed, and changes to what is wanted."""

import json
import re
import shlex
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from . import entries, files
from .client import CLAUDE, Client, explain_how_to_add, list_rendered
from .entries import (
    COMPANIONS,
    FOLDERS,
    digest,
    list_hooks,
    locate_record,
    name_hook,
    read_name,
    read_record,
)
from .files import Changes, Fault, peek, read_file, read_json

HOOK = re.compile(rf"\b({entries.HOOKS})\.py\b")  # in rendered entries or a plugin file
MARKER = re.compile(rb"^(?:<{7}|>{7}) ", re.MULTILINE)  # conflict marker of an unfinished merge
EDITED = ".edited"  # suffix for the copy of an installed file that the user edited
FORMER = ".former"  # suffix for a backup of settings that were replaced since
PROBLEMS = {"add": "is missing", "change": "is stale", "remove": "is no longer needed"}


class Installation:
    """A project's hooks for a client and a scope."""

    def __init__(
        self, project: Path, client: Client, scope: str, program: str, *, takes_over: bool = False
    ) -> None:
        """Describe an installation; advice names `program` instead of install.py."""
        self.project = project  # folder of the rendered hooks
        self.config = config = client.find_config_folder()
        self.client, self.scope, self.program = client, scope, program
        self.takes_over = takes_over  # whether it replaces a project of this name elsewhere
        self.name = read_name(project)
        if not entries.NAME.fullmatch(self.name):
            path = project / entries.PLUGIN
            raise Fault(path, "has no valid name", "restore it from git")
        script = shlex.quote(str(project / "install.py"))
        option = "" if client is CLAUDE else f" --client {client.name}"
        self.command = f"{program or f'python3 {script}'} --scope {scope}{option}"
        self.base = config / client.ours
        self.memory = self.base / "hooks" if client is CLAUDE else self.base
        self.record = entries.locate_record(self.base, self.name)
        places = {name: client.locate_settings(config, name, self.name) for name in client.settings}
        self.settings = places[scope]
        self.places = list(dict.fromkeys(places.values()))  # all scopes' settings, the user's first

    def read_settings(self) -> Any:
        return read_json(self.settings, has_comments=self.client.has_comments)

    @property
    def names(self) -> "list[str]":
        """Return the project's name, and the former names under which it was installed."""
        records = sorted((self.base / "hooks").glob("hookwright-*.json"))
        names, own = [path.stem.partition("-")[2] for path in records], self.project.resolve()
        former = [name for name in names if entries.find_source(self.base, name) == own]
        return list(dict.fromkeys([self.name, *former]))

    @property
    def wanted(self) -> "dict[str, Any]":
        """Return the rendered entries, with the commands that run the installed scripts."""
        self.refuse_client()
        path = self.client.locate_snippet(self.project)
        wanted: dict[str, Any] = read_json(path)
        for _, _, handler in entries.list_handlers(wanted):
            if command := entries.read_command(handler):
                handler["command"] = self.write_command(command)
        ours = entries.list_ours(wanted)
        if not ours or ours != entries.list_handlers(wanted):
            raise Fault(path, "differs from what was rendered", "restore it from git")
        return wanted

    @property
    def wanted_scripts(self) -> "list[Path]":
        """Return the scripts that the client will run, and the modules that these load."""
        snippet = peek(self.client.locate_snippet(self.project)).decode("utf-8", "replace")
        hooks = list(dict.fromkeys(HOOK.findall(snippet)))
        loaded = [COMPANIONS[hook] for hook in hooks if hook in COMPANIONS]
        hooks += [name for name in loaded if self.locate_hook(Path(name)).exists()]
        return list(map(self.place_script, hooks))

    def place_script(self, hook: str) -> Path:
        return self.base / "hooks" / FOLDERS[hook] / f"{hook}-{self.name}.py"

    def locate_hook(self, script: Path) -> Path:
        return self.client.locate_hooks(self.project) / f"{name_hook(script)}.py"

    def write_command(self, rendered: str) -> str:
        if self.client is CLAUDE:
            return entries.fit_command(rendered, self.name, self.scope, find_interpreter())
        return str(load_others().write_command(self, rendered))

    def write_plugin(self) -> bytes:
        """Return the plugin file with its scripts' location, their interpreter, and the scope."""
        self.refuse_client()
        return bytes(load_others().write_plugin(self))

    def list_installed(self) -> "list[Path]":
        """Return the project's scripts in the client's folder."""
        names, hooks = self.names, entries.list_hooks(self.base)
        found = [hook.path for hook in hooks if hook.project in names]
        return [path for path in found if path.parent.name == FOLDERS.get(name_hook(path))]

    def list_users(self, name: str) -> "list[Path]":
        """Return the settings, of all scopes here and of other folders, that run a project."""
        here = [path for path in self.places if entries.runs_project(path, name)]
        return list(dict.fromkeys([*here, *entries.find_settings(self.base, name)]))

    def is_used_elsewhere(self, name: str) -> bool:
        return any(path != self.settings for path in self.list_users(name))

    def write_record(self, users: "set[Path]", contents: "dict[Path, bytes]") -> bytes:
        """Return the record: the project's folder, its users, and digests of what is installed.

        The user's own settings are not listed.
        """
        names = {path: str(path) if path == self.settings else path.name for path in contents}
        digests = {names[path]: digest(content) for path, content in contents.items()}
        record = {**read_record(self.base, self.name), "folder": str(self.project.resolve())}
        record["settings"] = sorted(map(str, users - {self.places[0]}))
        record["hooks"] = {**self.read_digests(self.name), **digests}
        return f"{json.dumps(record)}\n".encode()

    def read_digests(self, project: str) -> "dict[str, Any]":
        """Return the digests of installed scripts by name, and those of plugin files by path."""
        record = read_record(self.base, project)
        parts = [record.get("plugins"), record.get("hooks")]  # older versions stored two parts
        return {key: part[key] for part in parts if isinstance(part, dict) for key in part}

    def is_edited(self, path: Path, wanted: bytes = b"") -> bool:
        """Return whether an installed file differs from its installed version and the new one."""
        digests = self.read_digests(path.stem.partition("-")[2] or self.name)
        known, found = digests.get(path.name) or digests.get(str(path)), digest(peek(path))
        return bool(known) and found not in (known, digest(wanted), digest(b""))

    def is_foreign(self, path: Path) -> bool:
        content = read_file(path) or b""
        return bool(content) and not entries.is_ours(content) and not self.is_edited(path)

    def find_former_folder(self) -> "Path | None":
        folder = entries.find_source(self.base, self.name)
        return folder if folder != self.project.resolve() else None

    def find_rivalry(self) -> "Fault | None":
        """Return the fault if the former folder still contains a project of this name."""
        former = self.find_former_folder()
        problem = f"{self.name} is installed from another folder, {former}"
        fix = f"change project_name here, or run {self.command} --take-over"
        is_rival = former is not None and read_name(former) == self.name
        return Fault(None, problem, fix) if is_rival else None

    def refuse_client(self) -> None:
        if self.client not in list_rendered(self.project):
            problem = f"{self.name} has no hooks that {self.client.title} can run"
            raise Fault(None, problem, explain_how_to_add(self.project, self.client.name))

    def refuse_rival(self, fix: str = "") -> None:
        fault = self.find_rivalry()
        if fault and not self.takes_over:
            fault.fix = fix or fault.fix
            raise fault


def load_others() -> Any:
    """Return the module for other clients than Claude Code; only their projects contain it."""
    return import_module(".other_clients", __package__)


def read_rendered(path: Path) -> bytes:
    """Return a file of the project; raises Fault if it is missing or broken."""
    content = read_file(path) or b""
    if not content.strip():
        problem = "is missing" if read_file(path) is None else "is empty"
        raise Fault(path, problem, "restore it from git")
    if marker := MARKER.search(content):
        line = content.count(b"\n", 0, marker.start()) + 1
        problem = f"has a merge marker (line {line})"
        raise Fault(path, problem, "keep one of its two versions, then try again")
    try:
        compile(content if path.suffix == ".py" else b"", path, "exec")
    except (SyntaxError, ValueError) as error:
        number = getattr(error, "lineno", None)
        problem = f"is not valid Python{f' (line {number})' if number else ''}"
        raise Fault(path, problem, "restore it from git") from None
    return content


def find_interpreter() -> str:
    """Return this Python or, in a virtual environment, the one that it was made with."""
    names = [f"bin/python{sys.version_info[0]}.{sys.version_info[1]}", "bin/python3", "python.exe"]
    paths = [Path(sys.base_prefix, name) for name in names if sys.prefix != sys.base_prefix]
    return str(next((path for path in paths if path.exists()), sys.executable))


def plan_changes(installation: Installation, *, uninstalls: bool = False) -> Changes:
    installation.refuse_rival("uninstall it there, or add --take-over" if uninstalls else "")
    client, settings = installation.client, installation.settings
    wanted = installation.wanted_scripts
    contents: dict[Path, bytes] = {}
    if not uninstalls:
        contents = {path: read_rendered(installation.locate_hook(path)) for path in wanted}
        contents.update({settings: installation.write_plugin()} if client.plugin else {})
    changes: Changes = {}
    for path, content in contents.items():
        if installation.is_foreign(path):
            raise Fault(path, "is not a hook of Hookwright", "move it away, then try again")
        changes.update({**keep_edit(installation, path, content), path: content})
    changes.update(plan_removal(installation, wanted, contents))
    if not client.plugin:
        plan = plan_entries_removal if uninstalls else plan_entries
        changes.update(plan(installation))
    elif uninstalls and not installation.is_foreign(settings):
        changes.update({**keep_edit(installation, settings), settings: None})
    unused = [name for name in installation.names[1:] if not installation.is_used_elsewhere(name)]
    changes.update({locate_record(installation.base, name): None for name in unused})
    users = {*installation.list_users(installation.name)} - {settings}
    record: Changes = {installation.record: None}
    if not uninstalls:
        record = {installation.record: installation.write_record(users | {settings}, contents)}
    elif users:
        record = {}
    # An existing record is written last, because unchanged hooks would otherwise look edited after
    # a killed installation.
    is_known = files.read_file(installation.record) is not None
    return {**changes, **record} if is_known else {**record, **changes}


def keep_edit(installation: Installation, path: Path, wanted: bytes = b"") -> Changes:
    """Return the change that saves an edited file under a name that no client loads."""
    return keep_copy(path, EDITED) if installation.is_edited(path, wanted) else {}


def keep_backup(installation: Installation) -> Changes:
    """Return the change that saves a backup of other settings, before a new one replaces it."""
    backup = files.name_backup(installation.settings)
    is_same = files.read_file(backup) in (None, files.read_file(installation.settings))
    return {} if is_same else keep_copy(backup, FORMER)


def keep_copy(path: Path, suffix: str) -> Changes:
    kept = path.with_name(path.name + suffix)
    if files.read_file(kept) not in (None, files.read_file(path)):
        raise Fault(kept, f"is in the way of {path}", "move one of them away")
    return {kept: files.read_file(path)}


def plan_entries(installation: Installation) -> Changes:
    path, before = installation.settings, installation.read_settings()
    content = files.read_file(path)
    if files.is_blank(content):
        before = {**installation.client.start}
    try:
        after = entries.merge_entries(before, installation.wanted, installation.names)
    except TypeError:
        problem = 'cannot take the hooks ("hooks" is not an object of lists)'
        raise Fault(path, problem, "fix it, then try again") from None
    if after == before:
        return {path: content}
    edited = files.edit_json(path, after, has_comments=installation.client.has_comments)
    if entries.list_ours(before):
        return {path: edited}
    return {**keep_backup(installation), files.name_backup(path): content, path: edited}


def plan_entries_removal(installation: Installation) -> Changes:
    path, client = installation.settings, installation.client
    backup = files.read_file(files.name_backup(path))
    before, content = installation.read_settings(), files.read_file(path)
    after = entries.remove_entries(before, installation.names)
    if after == before:
        is_needed = backup != content  # if equal, an installation was killed early
    else:
        content = files.edit_json(path, after, has_comments=client.has_comments)
        if holds_nothing(content, client):  # without a backup, the installation created the file
            content = backup if backup is not None and holds_nothing(backup, client) else None
        is_needed = content is None  # the backup holds settings that the user no longer has
    is_needed = is_needed or bool(entries.list_ours(after))
    removal = {files.name_backup(path): backup if is_needed else None}
    # If the process is killed in between, the next one recognises a backup that is no longer needed
    # only by its equal content.
    return {path: content, **removal} if content == backup else {**removal, path: content}


def holds_nothing(content: bytes, client: Client) -> bool:
    start = json.dumps(client.start, separators=(",", ":"))
    return "".join(content.decode("utf-8-sig", "replace").split()) in ("", start)


def plan_removal(
    installation: Installation, wanted: "list[Path]", staying: "dict[Path, bytes]"
) -> Changes:
    """Return the removal of scripts, and of their files, unless other settings run the project."""
    changes: Changes = {}
    names, hooks = installation.names, list_hooks(installation.base)
    others = [hook.path for hook in hooks if hook.project not in names]
    running = {name_hook(path) for path in [*others, *staying]}
    scripts = dict.fromkeys([*wanted, *installation.list_installed()])
    for script in [script for script in scripts if script not in staying]:
        hook, _, project = script.stem.partition("-")
        if installation.is_foreign(script) or installation.is_used_elsewhere(project):
            continue
        state = rf"state-{project}-\w*-" + "[0-9a-f]" * 16  # Jinja would interpret two braces
        found = find_files(installation.memory, rf"{hook}-({state}\.json|blocks-{state})")
        found += find_files(script.parent / "__pycache__", rf"{script.stem}\.[\w.-]+\.pyc")
        if hook not in running:  # all projects with this hook share its block log
            found += find_files(installation.memory, rf"{hook}-blocks\.tsv(\.old)?")
        changes.update(dict.fromkeys([*found, script]))
        changes.update(keep_edit(installation, script))
    return changes


def find_files(folder: Path, names: str) -> "list[Path]":
    found = [path for path in sorted(folder.glob("*")) if re.fullmatch(names, path.name)]
    return [path for path in found if path.is_file() and not path.is_symlink()]


def find_faults(installation: Installation) -> "list[Fault]":
    """Return the missing or outdated parts of an installation, without changing anything."""
    if rivalry := installation.find_rivalry():
        return [rivalry]
    pending = files.select_pending(plan_changes(installation))  # raises if it cannot be installed
    settings, record = installation.settings, installation.record
    fix, is_recorded = f"run {installation.command}", files.read_file(record) is not None
    if not is_recorded and not installation.list_installed():
        return [Fault(None, f"{installation.name} is not installed", fix)]
    faults = []
    if former := installation.find_former_folder():
        faults.append(Fault(None, f"{installation.name} was moved here from {former}", fix))
    for path, content in pending.items():
        is_missing = path == record and not is_recorded
        if path.suffix == ".py" or is_missing or (path == settings and installation.client.plugin):
            faults.append(Fault(path, PROBLEMS[files.name_change(path, content)], fix))
        elif path == settings and not has_entries(installation):
            users = installation.list_users(installation.name)
            there = f"they are in {users[0]}, or " if users and path not in users else ""
            faults.append(Fault(path, "has no entry for the hooks, or a stale one", there + fix))
    return faults


def has_entries(installation: Installation) -> bool:
    """Return whether the settings run the hooks, with any interpreter."""
    found = entries.list_ours(installation.read_settings(), installation.names)
    wanted = entries.list_ours(installation.wanted)
    return entries.unname_interpreter(found) == entries.unname_interpreter(wanted)
