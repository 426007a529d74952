"""The supported coding agents, and the location and format of their settings."""

import os
import shutil
from pathlib import Path
from typing import Any, NamedTuple

from . import registry
from .entries import locate_record, read_object
from .files import Fault, peek

NAME = "NAME"  # placeholder for the project's name in the path of its settings


class Client(NamedTuple):
    """A coding agent."""

    name: str
    title: str
    home: str  # the agent's folder in the user's home folder
    variable: str  # environment variable for this folder, or for the parent of `inner`
    settings: "dict[str, str]"  # by scope: for user in the agent's folder, else the current one
    inner: str = ""
    ours: str = "hookwright"  # subfolder for all our files
    start: "dict[str, Any]" = {}  # noqa: RUF012 - never changed; what settings without entries hold
    has_comments: bool = False  # whether its settings may contain comments
    fills_variables: bool = False  # whether it expands $NAME in its settings before a shell does
    plugin: str = ""  # a project file, not JSON, that replaces the settings
    steps: "dict[str, str]" = {}  # noqa: RUF012 - never changed; what is left to do, by the scope

    def find_config_folder(self) -> Path:
        named = os.environ.get(self.variable)
        home = os.path.expanduser("~")  # noqa: PTH111 - there may be none
        folder = Path(named, self.inner) if named else Path(home, self.home)
        if not folder.is_absolute():
            problem = f"{self.variable if named else 'HOME'} is a relative path, {named or home}"
            raise Fault(None, problem, "set it to an absolute one")
        return folder

    def is_found(self) -> bool:
        try:
            return bool(shutil.which(self.name)) or self.find_config_folder().is_dir()
        except Fault:
            return self is CLAUDE

    def has_record(self, project: str) -> bool:
        try:
            return locate_record(self.find_config_folder() / self.ours, project).is_file()
        except Fault:
            return False

    def locate_settings(self, config: Path, scope: str, project: str = NAME) -> Path:
        path = self.settings[scope].replace(NAME, project)
        return config / path if scope == "user" else Path.cwd() / path

    def locate_snippet(self, project: Path) -> Path:
        if self is CLAUDE:
            return project / "settings.json"
        return project / "clients" / self.name / (self.plugin or "hooks.json")

    def locate_hooks(self, project: Path) -> Path:
        return self.locate_snippet(project).parent / "hooks"

    def has_hooks(self, project: Path) -> bool:
        """Return whether a project has hooks that the client can run."""
        if self.plugin:
            return any(self.locate_hooks(project).glob("*.py"))
        return self is CLAUDE or b'"type"' in peek(self.locate_snippet(project))


CLIENTS = {
    name: Client(name, row["title"], **row["installation"])
    for name, row in registry.CLIENTS.items()
}
CLAUDE = CLIENTS["claude"]  # every project has hooks for Claude Code


def list_rendered(project: Path) -> "list[Client]":
    """Return the clients that a project has hooks for and names in its answers."""
    answers = peek(project / ".copier-answers.yml").decode("utf-8", "replace")
    names = read_object(answers.partition("\n")[2]).get("clients")
    chosen = names if isinstance(names, list) else CLIENTS  # older versions store no names
    there = [client for client in CLIENTS.values() if client.has_hooks(project)]
    return [client for client in there if client.name in chosen] or [CLAUDE]


def explain_how_to_add(project: Path, *names: str) -> str:
    """Return how to render hooks for another client, with our command line or with Copier."""
    clients = ", ".join([*(other.name for other in list_rendered(project)), names[0]])
    command = f"hookwright add client {' or '.join(names)}"
    return f"run {command}, or copier update -A -d 'clients=[{clients}]'"


def list_installed(name: str) -> "list[Client]":
    return [client for client in CLIENTS.values() if client.has_record(name)]


def select_clients(project: Path, names: "list[str]") -> "list[Client]":
    """Return the clients in which to install a project's hooks.

    Without names, or with the name all, these are the project's clients on this machine.
    """
    named = [client for client in CLIENTS.values() if client.name in names]
    if names and "all" not in names:
        return named
    rendered = list_rendered(project)
    if len(rendered) == 1 and not names:  # there is only one choice
        return rendered
    found = [other for other in rendered if other in named or other.is_found()]
    if not found:
        titles = " and ".join(other.title for other in rendered)
        here = [client.name for client in CLIENTS.values() if client.is_found()]
        fix = explain_how_to_add(project, *here) if here else "name one with --client"
        raise Fault(None, f"this project is for {titles}, not found here", fix)
    return found
