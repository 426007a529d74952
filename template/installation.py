"""Find what is installed: where the client keeps it, whose it is, and which settings run it."""

import os
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

import entries
from changes import read_json
from files import InstallError, read_file

SCOPES = ("user", "project", "local")
# By this line a hook is known in every version, whatever else of it changes.
IDS = {
    "docsearch": b"0a09286d8b9e568a09b4433bd4d25c60",
    "tool_routing": b"1593892e4ab84b4c2b8d352590ec4410",
    "lesson_search": b"430a1ead26d2310654cc251fff626aa0",
}
HEAD = re.compile(rb"^# ID: ([0-9a-f]{32})\r?\n# Hookwright project: ([a-z0-9-]+)", re.MULTILINE)
OLD_HEAD = re.compile(rb"rendered by Hookwright for ([a-z0-9-]+)")  # before hooks had an ID


class Installation(NamedTuple):
    """A project's hooks in the settings of a scope."""

    project: Path  # the folder that the hooks are rendered to
    config: Path  # the client's own folder
    scope: str

    @property
    def settings(self) -> Path:
        """The settings of the scope."""
        return locate_settings(self.config, self.scope)

    @property
    def name(self) -> str:
        """What the project, and so its plugin, is called."""
        path = self.project / ".claude-plugin" / "plugin.json"
        name = read_json(path).get("name")
        if not isinstance(name, str):
            raise InstallError(path, "has no name", "restore it from git")
        return name

    @property
    def snippet(self) -> "dict[str, Any]":
        """The entries that the project has for any settings."""
        snippet: dict[str, Any] = read_json(self.project / "settings.json")
        return snippet

    @property
    def wanted(self) -> "dict[str, Any]":
        """The same, as the settings of the scope should have them."""
        fitted: dict[str, Any] = entries.fit_commands(self.snippet, self.scope, find_interpreter())
        return fitted

    def read_hook(self, script: Path) -> bytes:
        """Return the project's hook that is to be installed as a script."""
        path = self.project / "hooks" / script.name
        file = read_file(path)
        if not file:
            raise InstallError(path, "is missing", "restore it from git")
        return file.content


class InstalledHook(NamedTuple):
    """A hook in the client's folder."""

    path: Path
    content: bytes
    project: str


def find_config_folder() -> Path:
    """Return the folder that the client keeps its configuration in."""
    try:
        folder = Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude")
    except RuntimeError:
        raise InstallError(None, "no home folder", "set HOME or CLAUDE_CONFIG_DIR") from None
    if not folder.is_absolute():
        problem = f"CLAUDE_CONFIG_DIR is a relative path, {folder}"
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


def find_project(hook: bytes) -> "str | None":
    """Return the project that a hook was rendered for, or None for a file that is not ours."""
    found = HEAD.search(hook)
    if found and found[1] in IDS.values():
        return found[2].decode()
    found = OLD_HEAD.search(hook)
    return found[1].decode() if found else None


def list_installed(config: Path) -> "list[InstalledHook]":
    """Return the hooks of all projects in the client's folder."""
    found = []
    for path in sorted((config / "hooks").glob("*/*.py")):
        content = peek(path)
        project = find_project(content)
        if project:
            found.append(InstalledHook(path, content, project))
    return found


def find_scopes(config: Path, project: str) -> "list[str]":
    """Return the scopes whose settings run a project's hooks, or ask its lesson search server.

    Settings are searched as text, for those that are broken have to be found as well.
    """
    hooks = [hook.path for hook in list_installed(config) if hook.project == project]
    scripts = [path.relative_to(config).as_posix() for path in hooks]
    request = re.compile(rf'"{entries.OUR_HEADER}"\s*:\s*"{re.escape(project)}"')
    # In the home folder the settings that a project would share are the user's own.
    settings = {locate_settings(config, scope).resolve(): scope for scope in reversed(SCOPES)}
    found = []
    for path, scope in reversed(settings.items()):
        text = peek(path).decode("utf-8", "replace")
        if any(script in text for script in scripts) or request.search(text):
            found.append(scope)
    return found


def peek(path: Path) -> bytes:
    """Return what a file holds now, or nothing where it cannot be read."""
    try:
        file = read_file.__wrapped__(path)
    except (OSError, InstallError):
        return b""
    return file.content if file else b""
