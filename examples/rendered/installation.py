"""Find what is installed: where the client keeps it, whose it is, and which settings run it."""

import hashlib
import json
import os
import re
import shlex
import sys
from pathlib import Path
from typing import Any, NamedTuple

import entries
from changes import read_json
from files import Fault, InstallError, read_file

PLUGIN = Path(".claude-plugin", "plugin.json")  # which has the project's name
SCOPES = ("user", "project", "local")
# By this line a hook is known in every version, whatever else of it changes.
IDS = {
    "docsearch": b"0a09286d8b9e568a09b4433bd4d25c60",
    "tool_routing": b"1593892e4ab84b4c2b8d352590ec4410",
    "lesson_search": b"430a1ead26d2310654cc251fff626aa0",
}
FOLDERS = {
    "docsearch": "PreToolUse",
    "tool_routing": "PreToolUse",
    "lesson_search": "UserPromptSubmit",
}
# Older versions wrote the project below the ID: their copies have no project in their names.
HEAD = re.compile(
    rb"^# ID: ([0-9a-f]{32})\r?\n(?:# Hookwright project: ([a-z0-9-]+))?", re.MULTILINE
)
OLD_HEAD = re.compile(rb"rendered by Hookwright for ([a-z0-9-]+)")  # before hooks had an ID
NAME = re.compile("[a-z0-9-]+")  # of a project, which becomes part of the names of files


class Installation(NamedTuple):
    """A project's hooks in the settings of a scope."""

    project: Path  # the folder that the hooks are rendered to
    config: Path  # the client's own folder
    scope: str
    takes_over: bool = False  # from another folder with a project of this name
    program: str = ""  # what advice names, instead of install.py

    @property
    def settings(self) -> Path:
        """The settings of the scope."""
        return locate_settings(self.config, self.scope)

    @property
    def name(self) -> str:
        """What the project, and so its plugin, is called."""
        name = read_name(self.project)
        if not NAME.fullmatch(name):
            path = self.project / PLUGIN
            raise InstallError(path, "has no valid name", "restore it from git")
        return name

    @property
    def command(self) -> str:
        """The command that installs the hooks."""
        script = shlex.quote(str(self.project / "install.py"))
        return f"{self.program or f'python3 {script}'} --scope {self.scope}"

    @property
    def record(self) -> Path:
        """The file that says which folder the project was installed from."""
        return locate_record(self.config, self.name)

    @property
    def owner(self) -> entries.Owner:
        """The project, by what its entries are known."""
        plain = [script for script in self.list_installed() if script.stem in IDS]
        return entries.Owner(self.name, frozenset(plain), tuple(self.list_former_names()))

    @property
    def heir(self) -> entries.Owner:
        """The same, with the plain scripts that are gone: nobody else can use their entries."""
        snippet = entries.list_scripts(self.snippet)
        gone = [script for script in snippet if not os.path.lexists(self.config / script)]
        return self.owner._replace(plain=self.owner.plain.union(gone))

    @property
    def snippet(self) -> "dict[str, Any]":
        """The entries that the project has for any settings."""
        path = self.project / "settings.json"
        snippet: dict[str, Any] = read_json(path)
        ours = entries.list_ours(snippet)
        if not ours or ours != entries.list_handlers(snippet):
            raise InstallError(path, "is not as it was rendered", "restore it from git")
        return snippet

    @property
    def wanted(self) -> "dict[str, Any]":
        """The same, as the settings of the scope should have them."""
        python = find_interpreter()
        fitted: dict[str, Any] = entries.fit_commands(self.snippet, self.name, self.scope, python)
        return fitted

    def list_installed(self) -> "list[Path]":
        """Return the project's scripts in the client's folder, as paths below that.

        A plain script is the project's if it says so, or if it equals the project's hook.
        """
        names, found = [self.name, *self.list_former_names()], []
        for hook in list_installed(self.config):
            in_place = hook.path.parent.name == FOLDERS.get(name_hook(hook.path))
            rendered = self.project / "hooks" / hook.path.name
            copy = not hook.project and hook.content == peek(rendered)
            if in_place and (hook.project in names or copy):
                found.append(hook.path.relative_to(self.config))
        return found

    def list_former_names(self) -> "list[str]":
        """Return the names under which this folder installed the project before."""
        records = sorted((self.config / "hooks").glob("hookwright-*.json"))
        names = [path.stem.partition("-")[2] for path in records]
        own = self.project.resolve()
        folders = {name: find_folder(self.config, name) for name in names if name != self.name}
        return [name for name, folder in folders.items() if folder == own]

    def list_unused_records(self) -> "list[Path]":
        """Return the records of the project's former names that no other scope here needs."""
        names = [name for name in self.list_former_names() if not self.is_used_elsewhere(name)]
        return [locate_record(self.config, name) for name in names]

    def list_other_folders(self) -> "list[Path]":
        """Return the settings in other folders that have entries of the project, by its records."""
        names = [self.name, *self.list_former_names()]
        found = [path for name in names for path in find_recorded(self.config, name)]
        here = [locate_settings(self.config, scope) for scope in SCOPES]
        return [path for path in dict.fromkeys(found) if path not in here]

    def write_record(self, folder: Path, *, is_used: bool) -> bytes:
        """Return the record, with the settings besides the user's; these are in it if used."""
        shared = {*find_recorded(self.config, self.name)} - {self.settings}
        if is_used and self.settings != locate_settings(self.config, "user"):
            shared.add(self.settings)
        record = {**read_record(self.config, self.name), "folder": str(folder)}
        record["settings"] = sorted(map(str, shared))
        if is_used:
            scripts = entries.list_scripts(self.wanted)
            record["hooks"] = {script.name: digest(self.read_hook(script)) for script in scripts}
        return f"{json.dumps(record)}\n".encode()

    def read_other_scopes(self) -> "list[str]":
        """Return the settings of the other scopes, here and in other folders, as texts."""
        others = {locate_settings(self.config, scope) for scope in SCOPES}
        others.discard(self.settings)  # in the home folder two scopes are one
        here = [file.content for file in map(read_file, others) if file]
        return list(map(normalize, [*here, *map(peek, self.list_other_folders())]))

    def is_run_elsewhere(self, script: Path) -> bool:
        """Tell whether another scope runs a script."""
        return any(script.as_posix() in text for text in self.read_other_scopes())

    def is_used_elsewhere(self, name: str) -> bool:
        """Tell whether another scope has an entry of the project so named."""
        entry = match_entry(name)
        return any(entry.search(text) for text in self.read_other_scopes())

    def find_former_folder(self) -> "Path | None":
        """Return the other folder that the project was installed from, or None."""
        folder = find_folder(self.config, self.name)
        return folder if folder != self.project.resolve() else None

    def find_rival(self) -> "Path | None":
        """Return the former folder if it still has a project of this name, or None."""
        former = self.find_former_folder()
        return former if former and read_name(former) == self.name else None

    def find_rivalry(self) -> "Fault | None":
        """Return the fault that another folder's project of this name is installed, or None."""
        rival = self.find_rival()
        problem = f"{self.name} is installed from another folder, {rival}"
        fix = f"change project_name here, or run {self.command} --take-over"
        return Fault(None, problem, fix) if rival else None

    def refuse_rival(self, fix: str = "") -> None:
        """Refuse to change what another folder installed, unless it is taken over."""
        fault = self.find_rivalry()
        if fault and not self.takes_over:
            raise InstallError(fault.file, fault.problem, fix or fault.fix)

    def is_edited(self, script: Path) -> bool:
        """Tell whether a script is another than was installed, and than would be."""
        hooks = read_record(self.config, self.name).get("hooks")
        known = hooks.get(script.name) if isinstance(hooks, dict) else None
        found = digest(peek(self.config / script))
        return bool(known) and found not in (known, digest(self.read_hook(script)), digest(b""))

    def read_hook(self, script: Path) -> bytes:
        """Return the project's hook that is to be installed as a script."""
        path = self.project / "hooks" / f"{name_hook(script)}.py"
        file = read_file(path)
        if not file:
            raise InstallError(path, "is missing", "restore it from git")
        return file.content


class InstalledHook(NamedTuple):
    """A hook in the client's folder."""

    path: Path
    content: bytes
    project: str  # "" where neither its name nor its content says which


def find_config_folder() -> Path:
    """Return the folder that the client keeps its configuration in."""
    named = os.environ.get("CLAUDE_CONFIG_DIR")
    try:
        folder = Path(named or Path.home() / ".claude")
    except RuntimeError:
        raise InstallError(None, "no home folder", "set HOME or CLAUDE_CONFIG_DIR") from None
    if not folder.is_absolute():
        problem = f"CLAUDE_CONFIG_DIR is a relative path, {named}"
        if not named:
            problem = f"HOME is a relative path, {folder.parent}"
        raise InstallError(None, problem, "set it to an absolute one")
    return folder


def locate_settings(config: Path, scope: str) -> Path:
    """Return the path of a scope's settings."""
    if scope == "user":
        return config / "settings.json"
    name = "settings.json" if scope == "project" else "settings.local.json"
    return Path.cwd() / ".claude" / name


def find_interpreter() -> str:
    """Return the Python that runs this, by its own path and not that of a virtual environment."""
    if sys.prefix == sys.base_prefix:
        return sys.executable
    names = [f"bin/python{sys.version_info[0]}.{sys.version_info[1]}", "bin/python3", "python.exe"]
    paths = [Path(sys.base_prefix, name) for name in names]
    return str(next((path for path in paths if path.exists()), sys.executable))


def locate_record(config: Path, project: str) -> Path:
    """Return the path of the file that says which folder a project was installed from."""
    return config / "hooks" / f"hookwright-{project}.json"


def read_record(config: Path, project: str) -> "dict[str, Any]":
    """Return the record of a project, or an empty one if there is none, or a damaged one."""
    try:
        record = json.loads(peek(locate_record(config, project)))
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) and NAME.fullmatch(project) else {}


def find_folder(config: Path, project: str) -> "Path | None":
    """Return the folder that a project was installed from, or None if no record says so."""
    try:
        folder = Path(read_record(config, project)["folder"])
        return folder.resolve() if folder.is_absolute() else None
    except (ValueError, TypeError, KeyError, OSError, RuntimeError):  # a loop
        return None


def find_recorded(config: Path, project: str) -> "list[Path]":
    """Return the settings that the record of a project names, and that have an entry of it."""
    try:
        paths = list(map(Path, read_record(config, project)["settings"]))
    except (TypeError, KeyError):
        return []
    entry = match_entry(project)
    return [path for path in paths if path.is_absolute() and entry.search(normalize(peek(path)))]


def read_name(folder: Path) -> str:
    """Return the name of the project in a folder, or "" if there is none."""
    try:
        name = json.loads(peek(folder / PLUGIN))["name"]
    except (ValueError, TypeError, LookupError, RecursionError):
        return ""
    return name if isinstance(name, str) else ""


def name_hook(script: Path) -> str:
    """Return the hook that a script is a copy of: docsearch for docsearch-my-hooks.py."""
    return script.stem.partition("-")[0]


def find_project(script: Path, content: bytes) -> "str | None":
    """Return the project of an installed hook.

    It is "" for a copy that somebody made by hand, and None for a file that is not ours.
    """
    head, old = HEAD.search(content), OLD_HEAD.search(content)
    known = head if head and head[1] in IDS.values() else None
    if not known and not old:
        return None
    marked = (known and known[2]) or (old and old[1]) or b""
    return script.stem.partition("-")[2] or marked.decode()


def list_installed(config: Path) -> "list[InstalledHook]":
    """Return the hooks of all projects in the client's folder."""
    found = []
    for path in sorted((config / "hooks").glob("*/*.py")):
        content = peek(path)
        project = find_project(path, content)
        if project is not None:
            found.append(InstalledHook(path, content, project))
    return found


def match_entry(project: str) -> "re.Pattern[str]":
    """Return what finds an entry of a project in settings as text."""
    name = re.escape(project)
    return re.compile(rf'/hooks/\w+/\w+-{name}\.py\b|"{entries.OUR_HEADER}"\s*:\s*"{name}"')


def find_scopes(config: Path, project: str) -> "list[str]":
    """Return the scopes whose settings run a project's hooks, or ask its lesson search server.

    Settings are searched as text, for those that are broken have to be found as well.
    """
    hooks = [hook.path for hook in list_installed(config) if hook.project == project]
    scripts = [path.relative_to(config).as_posix() for path in hooks]
    entry = match_entry(project)
    # In the home folder the settings that a project would share are the user's own.
    settings = {resolve(locate_settings(config, scope)): scope for scope in reversed(SCOPES)}
    found = []
    for path, scope in reversed(settings.items()):
        text = normalize(peek(path))
        if any(script in text for script in scripts) or entry.search(text):
            found.append(scope)
    return found


def resolve(path: Path) -> Path:
    """Return a path without links, or as it is if they are a loop."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path


def digest(content: bytes) -> str:
    """Return by what the content of a hook is recorded."""
    return hashlib.sha256(content).hexdigest()


def normalize(content: bytes) -> str:
    """Return settings as a text without escapes, also if they are broken."""
    text = content.decode("utf-8-sig", "replace")
    try:
        return json.dumps(json.loads(text), ensure_ascii=False)
    except (ValueError, RecursionError):
        return text.replace("\\/", "/")


def peek(path: Path) -> bytes:
    """Return what a file holds now, or nothing where it cannot be read."""
    try:
        file = read_file.__wrapped__(path)
    except (OSError, ValueError, InstallError):  # a path that cannot be is a ValueError
        return b""
    return file.content if file else b""
