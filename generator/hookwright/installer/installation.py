"""Find installed hooks: their location, project, and settings."""

import json
import os
import re
import shlex
import sys
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from . import changes, commands, entries
from .client import CLAUDE, Client, explain_how_to_add
from .files import Fault, InstallError, peek, read_file
from .records import (
    NAME,
    PLUGIN,
    find_settings,
    find_source,
    locate_record,
    match_entry,
    normalize,
    read_name,
    read_record,
)
from .scripts import (
    FOLDERS,
    IDS,
    digest,
    find_companion,
    find_loader,
    is_hook,
    list_installed,
    name_hook,
)

# Matches a constant that the installation writes into a plugin file.
CONSTANT = re.compile(r"^const (HOOKS|PYTHON|SCOPE) = .*;$", re.MULTILINE)
SCRIPT = re.compile(rf'"script": "({"|".join(IDS)})\.py"')
MARKER = re.compile(rb"^(?:<{7}|>{7}) ", re.MULTILINE)  # conflict marker of an unfinished merge
NAMED_PYTHON = re.compile(rb'^const PYTHON = "([^"\\\n]+)";$', re.MULTILINE)


class Installation(NamedTuple):
    """A project's hooks for a client and a scope."""

    project: Path  # folder of the rendered hooks
    config: Path  # the client's own folder
    scope: str
    takes_over: bool = False  # whether it replaces a project of this name in another folder
    program: str = ""  # shown in advice instead of install.py
    client: Client = CLAUDE
    package: str = ""  # the client's own package of the project, if installed

    @property
    def base(self) -> Path:
        return self.config / self.client.ours

    @property
    def settings(self) -> Path:
        return self.locate_settings(self.scope)

    @property
    def memory(self) -> Path:
        return self.base / "hooks" if self.client is CLAUDE else self.base

    def locate_settings(self, scope: str) -> Path:
        return self.client.locate_settings(self.config, scope, self.name)

    def list_settings(self) -> "list[Path]":
        return list(dict.fromkeys(map(self.locate_settings, self.client.settings)))

    def read_settings(self) -> Any:
        return changes.read_json(self.settings, has_comments=self.client.has_comments)

    @property
    def name(self) -> str:
        name = read_name(self.project)
        if not NAME.fullmatch(name):
            path = self.project / PLUGIN
            raise InstallError(path, "has no valid name", "restore it from git")
        return name

    @property
    def command(self) -> str:
        script = shlex.quote(str(self.project / "install.py"))
        client = "" if self.client is CLAUDE else f" --client {self.client.name}"
        return f"{self.program or f'python3 {script}'} --scope {self.scope}{client}"

    @property
    def record(self) -> Path:
        return locate_record(self.base, self.name)

    @property
    def names(self) -> "list[str]":
        """Return the project's name, and the former names under which it was installed."""
        return [self.name, *self.list_former_names()]

    @property
    def wanted(self) -> "dict[str, Any]":
        """Return the rendered entries, with the commands that run the installed scripts."""
        path = self.client.locate_snippet(self.project)
        if not self.is_rendered:
            problem = f"{self.name} has no hooks that {self.client.title} can run"
            raise InstallError(None, problem, explain_how_to_add(self.project, self.client.name))
        wanted: dict[str, Any] = entries.rewrite_commands(
            changes.read_json(path), self.write_command
        )
        ours = entries.list_ours(wanted)
        if not ours or ours != entries.list_handlers(wanted):
            raise InstallError(path, "differs from what was rendered", "restore it from git")
        return wanted

    @property
    def is_rendered(self) -> bool:
        return self.client.has_hooks(self.project)

    @property
    def wanted_scripts(self) -> "list[Path]":
        if self.client.plugin:
            rendered = sorted(self.client.locate_hooks(self.project).glob("*.py"))
            return [self.place_script(path.stem) for path in rendered if path.stem in IDS]
        scripts = entries.list_scripts(self.wanted)
        loaded = filter(None, map(find_companion, scripts))
        return [*scripts, *(script for script in loaded if self.locate_hook(script).exists())]

    def place_script(self, hook: str) -> Path:
        return Path("hooks", FOLDERS[hook], f"{hook}-{self.name}.py")

    def write_command(self, rendered: str) -> str:
        if self.client is CLAUDE:
            return commands.fit_command(rendered, self.name, self.scope, find_interpreter())
        found = commands.PLACED.search(rendered)
        if not found:
            return rendered
        script, python = str(self.base / self.place_script(found[1])), self.find_interpreter()
        for path in (script, python) if self.client.fills_variables else ():
            if "$" in path:
                problem = f"cannot name {path}, because {self.client.title} expands $"
                raise InstallError(self.settings, problem, "use a path without it")
        home = os.path.expanduser("~") + os.sep  # noqa: PTH111 - there may be none
        word = shlex.quote(script)
        if self.scope == "project" and script.startswith(home):  # other users' home folders differ
            word = f"~/{shlex.quote(script[len(home) :])}"
        return commands.write_command(word, self.scope, python)

    def write_plugin(self) -> bytes:
        """Return the plugin file with its scripts' location, their interpreter, and the scope."""
        folder, is_shared = str(self.base), self.scope == "project"
        home = os.path.expanduser("~")  # noqa: PTH111 - there may be none
        values = {
            "HOOKS": json.dumps(folder),
            "PYTHON": json.dumps("python3" if is_shared else self.find_interpreter()),
            "SCOPE": json.dumps(self.scope),
        }
        if is_shared and folder.startswith(home + os.sep):  # other users' home folders differ
            values["HOOKS"] = f"process.env.HOME + {json.dumps(folder[len(home) :])}"
        text = read_rendered(self.client.locate_snippet(self.project)).decode()
        text = CONSTANT.sub(lambda found: f"const {found[1]} = {values[found[1]]};", text)

        def place(hook: str) -> str:
            return json.dumps({"script": self.place_script(hook).as_posix()})[1:-1]

        return SCRIPT.sub(lambda found: place(found[1]), text).encode()

    def find_interpreter(self) -> str:
        """Return the Python in the entries: after a change, a client may ask for trust again."""
        named = {python for python in self.list_interpreters() if os.access(python, os.X_OK)}
        return named.pop() if len(named) == 1 else find_interpreter()

    def list_interpreters(self) -> "list[str]":
        if self.client.plugin:
            found = NAMED_PYTHON.search(peek(self.settings))
            return [found[1].decode("utf-8", "replace")] if found else []
        owned = entries.list_owned(self.read_settings(), [self.name])
        return [entries.read_interpreter(handler) for _, _, handler in owned]

    def list_installed(self) -> "list[Path]":
        """Return the project's scripts in the client's folder, as relative paths."""
        names = self.names
        return [
            hook.path.relative_to(self.base)
            for hook in list_installed(self.base)
            if hook.project in names and hook.path.parent.name == FOLDERS.get(name_hook(hook.path))
        ]

    def list_former_names(self) -> "list[str]":
        records = sorted((self.base / "hooks").glob("hookwright-*.json"))
        names = [path.stem.partition("-")[2] for path in records]
        own = self.project.resolve()
        folders = {name: find_source(self.base, name) for name in names if name != self.name}
        return [name for name, folder in folders.items() if folder == own]

    def list_unused_records(self) -> "list[Path]":
        names = [name for name in self.list_former_names() if not self.is_used_elsewhere(name)]
        return [locate_record(self.base, name) for name in names]

    def list_other_folders(self) -> "list[Path]":
        found = [path for name in self.names for path in find_settings(self.base, name)]
        here = self.list_settings()
        return [path for path in dict.fromkeys(found) if path not in here]

    def list_other_scopes(self) -> "list[str]":
        """Return the other scopes whose settings here run the project, if this scope's do not."""
        entry, scopes = match_entry(self.name), self.client.settings
        found = [
            scope for scope in scopes if entry.search(normalize(peek(self.locate_settings(scope))))
        ]
        return found if self.scope not in found else []

    def write_record(self, folder: Path, *, is_used: bool, plugin: bytes = b"") -> bytes:
        """Return the record, which lists settings other than the user's if they run the hooks.

        It also contains the digests of installed scripts and plugin files.
        """
        shared = {*find_settings(self.base, self.name)} - {self.settings}
        if is_used and self.settings != self.locate_settings("user"):
            shared.add(self.settings)
        record = {**read_record(self.base, self.name), "folder": str(folder)}
        record["settings"] = sorted(map(str, shared))
        if is_used:
            scripts = self.wanted_scripts
            installed = {script.name: digest(self.read_hook(script)) for script in scripts}
            if plugin:
                installed[str(self.settings)] = digest(plugin)
            record["hooks"] = {**self.read_digests(self.name), **installed}
        return f"{json.dumps(record)}\n".encode()

    def read_other_scopes(self) -> "list[str]":
        others = {*self.list_settings()}
        others.discard(self.settings)  # in the home folder, two scopes are identical
        return [normalize(peek(path)) for path in [*others, *self.list_other_folders()]]

    def is_run_elsewhere(self, script: Path) -> bool:
        runs = find_loader(script).as_posix()
        return any(runs in text for text in self.read_other_scopes())

    def is_used_elsewhere(self, name: str) -> bool:
        entry = match_entry(name)
        return any(entry.search(text) for text in self.read_other_scopes())

    def find_former_folder(self) -> "Path | None":
        folder = find_source(self.base, self.name)
        return folder if folder != self.project.resolve() else None

    def find_rival(self) -> "Path | None":
        """Return the former folder if it still contains a project of this name; otherwise None."""
        former = self.find_former_folder()
        return former if former and read_name(former) == self.name else None

    def find_rivalry(self) -> "Fault | None":
        rival = self.find_rival()
        problem = f"{self.name} is installed from another folder, {rival}"
        fix = f"change project_name here, or run {self.command} --take-over"
        return Fault(None, problem, fix) if rival else None

    def refuse_rival(self, fix: str = "") -> None:
        fault = self.find_rivalry()
        if fault and not self.takes_over:
            raise InstallError(fault.file, fault.problem, fix or fault.fix)

    def refuse_package(self) -> None:
        """Reject a project that is also a plugin here: two copies of a hook always deny."""
        if self.package:
            problem = f"{self.client.title} has {self.name} as {self.package}"
            raise InstallError(None, problem, "nothing is left to do, or remove that first")

    def is_foreign(self, path: Path) -> bool:
        return bool(peek(path)) and not is_hook(path) and not self.is_edited(path)

    def is_edited(self, path: Path, wanted: bytes = b"") -> bool:
        """Return whether an installed file differs from its installed version and the new one."""
        digests = self.read_digests(path.stem.partition("-")[2] or self.name)
        known, found = digests.get(path.name) or digests.get(str(path)), digest(peek(path))
        return bool(known) and found not in (known, digest(wanted), digest(b""))

    def read_digests(self, project: str) -> "dict[str, Any]":
        """Return the digests of installed scripts by name, and those of plugin files by path."""
        record = read_record(self.base, project)
        parts = [record.get("plugins"), record.get("hooks")]  # older versions stored two parts
        return {key: part[key] for part in parts if isinstance(part, dict) for key in part}

    def read_hook(self, script: Path) -> bytes:
        return read_rendered(self.locate_hook(script))

    def locate_hook(self, script: Path) -> Path:
        return self.client.locate_hooks(self.project) / f"{name_hook(script)}.py"


def read_rendered(path: Path) -> bytes:
    """Return a file of the project; raises InstallError if it is missing or broken."""
    file = read_file(path)
    if not file:
        raise InstallError(path, "is missing", "restore it from git")
    refuse_broken(path, file.content)
    return file.content


@cache
def refuse_broken(path: Path, content: bytes) -> None:
    if not content.strip():
        raise InstallError(path, "is empty", "restore it from git")
    marker = MARKER.search(content)
    if marker:
        line = content.count(b"\n", 0, marker.start()) + 1
        problem = f"has a merge marker (line {line})"
        raise InstallError(path, problem, "keep one of its two versions, then try again")
    if path.suffix == ".py":
        try:
            compile(content, path, "exec")
        except (SyntaxError, ValueError) as error:
            number = getattr(error, "lineno", None)
            where = f" (line {number})" if number else ""
            raise InstallError(path, f"is not valid Python{where}", "restore it from git") from None


def find_interpreter() -> str:
    if sys.prefix == sys.base_prefix:
        return sys.executable
    names = [f"bin/python{sys.version_info[0]}.{sys.version_info[1]}", "bin/python3", "python.exe"]
    paths = [Path(sys.base_prefix, name) for name in names]
    return str(next((path for path in paths if path.exists()), sys.executable))
