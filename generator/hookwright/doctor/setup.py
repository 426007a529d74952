"""Find out what there is to look at: the project, and what of ours is installed."""

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hookwright.clients.claude.configuration import find_config_folder, list_settings
from hookwright.clients.json_objects import pick, read_object
from hookwright.project.hook_tables import read_databases, read_routes, read_tables
from hookwright.project.reader import ANSWERS, Project, open_project
from hookwright_console.regular_files import read_regular

SCRIPT = re.compile(r"/hooks/(\w+)/(\w+)\.py\b")  # in a command of ours
MARK = re.compile(rb"rendered by Hookwright for ([a-z0-9-]+)")  # what each hook says of itself
INTERPRETER = re.compile(
    r"""\AP=((?:'[^'\0]*'|"[^"\\\0]*"|[^\s;'"\\\0])+); """
)  # which a command names
HEADER = "Hookwright-Project"  # of a request of ours


@dataclass(frozen=True)
class Handler:
    """A hook in the client's settings.

    Args:
        scope: Whose settings: managed, user, project or local.
        path: The settings.
        event: When it runs.
        matcher: For which tools, as the settings have it; "" for all.
        command: What it runs, or "".
        url: What it asks, or "".
        of: The project that it is of, or "" where it is none of ours.
        hook: The name of our hook that it runs, or "".

    """

    scope: str
    path: Path
    event: str
    matcher: str
    command: str
    url: str
    of: str
    hook: str

    @property
    def interpreter(self) -> str:
        """The Python that the command names, or "" where it takes python3."""
        found = INTERPRETER.search(self.command)
        return shlex.split(found[1])[0] if found else ""


@dataclass(frozen=True)
class Setup:
    """What there is to look at.

    Args:
        project: The project; None where only what is installed is known.
        folder: The current folder.
        settings: What each settings file holds, by its path; of a broken one nothing.
        handlers: The hooks in these, of ours and of others.
        databases: The records of the databases, of the project or else of the installed hook.
        routes: The records of the routes by their names, likewise.
        lesson_url: Where the lesson server is asked, or "".
        asks_itself: Whether the client asks that itself, without a process of ours.

    """

    project: Project | None
    folder: Path
    settings: Mapping[Path, Mapping[str, Any]]
    handlers: tuple[Handler, ...]
    databases: list[dict[str, Any]]
    routes: dict[str, dict[str, Any]]
    lesson_url: str
    asks_itself: bool

    @property
    def ours(self) -> list[Handler]:
        """The hooks in the settings that are ours: the project's, or any project's."""
        name = self.project.name if self.project else ""
        return [one for one in self.handlers if one.of and name in {"", one.of}]

    @property
    def own_lesson_urls(self) -> list[str]:
        """Where the user's own hooks ask lesson servers: those copied to the client's folder.

        And what the client asks itself, by settings that no folder brings along.
        """
        scripts = dict.fromkeys(locate_script(one) for one in self.handlers if one.of)
        servers = [read_server(read_tables(script)) for script in scripts]
        asked = [one for one in self.handlers if one.of and one.scope in {"managed", "user"}]
        return [*servers, *(one.url.partition("/hooks/")[0] for one in asked)]


def find_setup(folder: Path | None) -> Setup:
    """Return what there is to look at.

    Args:
        folder: The project's; None for the current one, which need not be a project.

    Raises:
        RefusedError: There is no project where one is named, or it cannot be read.

    """
    here = Path.cwd()
    project = open_project(folder or here) if folder or (here / ANSWERS).exists() else None
    files = list_settings(here)
    if files[1][1] == files[2][1]:  # in the home folder, the project's settings are the user's
        del files[2]
    settings = {path: read_object(path) for _, path in files}
    handlers = tuple(
        handler for scope, path in files for handler in list_handlers(scope, path, settings[path])
    )
    if project:
        answers = project.answers
        has_lessons = "lesson_search" in project.hooks
        return Setup(
            project,
            here,
            settings,
            handlers,
            project.databases if "docsearch" in project.hooks else [],
            project.routes if "tool_routing" in project.hooks else {},
            str(answers.get("lesson_server_url", "")) if has_lessons else "",
            has_lessons and answers.get("transport") == "http",
        )
    return Setup(None, here, settings, handlers, *read_installed(handlers))


def read_installed(
    handlers: tuple[Handler, ...],
) -> tuple[list[dict[str, Any]], dict[str, dict[str, Any]], str, bool]:
    """Return the databases, the routes, the lesson server and who asks it, of installed hooks."""
    databases: list[dict[str, Any]] = []
    routes: dict[str, dict[str, Any]] = {}
    lesson_url, asks_itself = "", False
    for script in dict.fromkeys(locate_script(one) for one in handlers if one.of and not one.url):
        tables = read_tables(script)
        databases = databases or read_databases(tables)
        routes = routes or read_routes(tables)
        lesson_url = read_server(tables) or lesson_url
    for handler in handlers:
        if handler.of and handler.url:
            lesson_url, asks_itself = handler.url.partition("/hooks/")[0], True
    return databases, routes, lesson_url, asks_itself


def read_server(tables: Mapping[str, Any]) -> str:
    """Return where a hook with these tables asks its lesson server, or ""."""
    server = tables.get("SERVER")
    return f"http://{server}" if isinstance(server, str) else ""


def locate_script(handler: Handler) -> Path:
    """Return the path of the installed hook that a handler of ours runs."""
    found = SCRIPT.search(handler.command)
    event, hook = (found[1], found[2]) if found else ("", "")
    return find_config_folder() / "hooks" / event / f"{hook}.py"


def list_handlers(scope: str, path: Path, settings: Mapping[str, Any]) -> Iterator[Handler]:
    """Yield the hooks of settings; what has not the shape of one is passed over."""
    for event, entries in pick(settings, "hooks").items():
        for entry in entries if isinstance(entries, list) else ():
            if not isinstance(entry, dict) or not isinstance(entry.get("hooks"), list):
                continue
            for record in entry["hooks"]:
                if isinstance(record, dict):
                    matcher, command, url = (
                        text if isinstance(text, str) else ""
                        for text in (entry.get("matcher"), record.get("command"), record.get("url"))
                    )
                    of, hook = find_owner(record, command, url)
                    yield Handler(scope, path, event, matcher, command, url, of, hook)


def find_owner(record: Mapping[str, Any], command: str, url: str) -> tuple[str, str]:
    """Return the project that a hook is of and which of its hooks it is; "" for none of ours."""
    project = pick(record, "headers").get(HEADER)
    if url and isinstance(project, str):
        return project, "lesson_search"
    found = SCRIPT.search(command)
    if not found:
        return "", ""
    script = find_config_folder() / "hooks" / found[1] / f"{found[2]}.py"
    try:
        mark = MARK.search(read_regular(script))
    except OSError:
        return "", ""
    return (mark[1].decode(), found[2]) if mark else ("", "")
