"""Find what there is to check: the project, and which hooks are installed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hookwright.clients.claude.configuration import find_config_folder, list_settings
from hookwright.clients.json_objects import read_object
from hookwright.documentation.removal import list_installed_records
from hookwright.project.hook_tables import read_databases, read_routes, read_tables
from hookwright.project.installer import find_installed, find_scopes
from hookwright.project.reader import Project, holds_project, open_project
from hookwright.project.record_changes import name_database
from hookwright.template.modules import client, entries, files, scripts


@dataclass(frozen=True)
class ConfiguredHandler:
    """A hook in the client's settings."""

    scope: str  # managed, user, project or local
    path: Path  # the settings file
    event: str
    matcher: str  # the tools it runs for, as in the settings; "" for all
    command: str
    url: str  # that it asks, or ""
    of: str  # its project, or "" if that is unknown
    hook: str  # the rendered hook that it runs, or ""
    interpreter: str  # "" for python3
    script: Path | None  # in the client's folder


@dataclass(frozen=True)
class Setup:
    """What there is to check."""

    project: Project | None  # None if only what is installed is known
    folder: Path  # the current folder
    settings: Mapping[Path, Mapping[str, Any]]  # by file; {} for a broken one
    handlers: tuple[ConfiguredHandler, ...]  # those of others too
    databases: list[dict[str, Any]]  # from the project or the installed hook
    routes: dict[str, dict[str, Any]]
    lesson_url: str
    asks_itself: bool  # the client asks the lesson server directly, without a hook
    is_for_claude: bool  # Claude Code has the hooks, or should have them

    @property
    def ours(self) -> list[ConfiguredHandler]:
        """The hooks that Hookwright rendered: of the project if there is one, else of any."""
        name = self.project.name if self.project else ""
        return [one for one in self.handlers if one.hook and name in {"", one.of}]

    @property
    def own_lesson_urls(self) -> list[str]:
        """The lesson servers that the user trusts.

        These are the servers that hooks in the client's folder ask, and those that the client asks
        directly, by managed or user settings. A project cannot add to them.
        """
        installed = [*list_scripts(self.handlers), *list_scripts_of_others()]
        servers = [read_lesson_url(read_tables(script)) for script in installed]
        asked = [one for one in self.handlers if one.hook and one.scope in {"managed", "user"}]
        return [*servers, *(one.url.partition("/hooks/")[0] for one in asked)]


def find_setup(folder: Path | None) -> Setup:
    """Return what there is to check; None is the current folder, a project or not."""
    here = Path.cwd()
    project = open_project(folder or here) if folder or holds_project(here) else None
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
            project.rendered_databases if "docsearch" in project.hooks else [],
            project.rendered_routes if "tool_routing" in project.hooks else {},
            str(answers.get("lesson_server_url", "")) if has_lessons else "",
            has_lessons and answers.get("transport") == "http",
            client.CLAUDE in client.list_rendered(project.folder) or bool(find_scopes(project)),
        )
    is_for_claude = any(one.hook for one in handlers) or not list_scripts_of_others()
    return Setup(None, here, settings, handlers, *read_installed(handlers), is_for_claude)


def read_installed(
    handlers: tuple[ConfiguredHandler, ...],
) -> tuple[list[dict[str, Any]], dict[str, dict[str, Any]], str, bool]:
    """Return what a Setup has of records and lessons, read from the hooks of every client.

    The same record of several clients counts once.
    """
    scripts = list_scripts(handlers)
    databases = [one for script in scripts for one in read_databases(read_tables(script))]
    databases += [record for _, record in list_installed_records()]
    routes: dict[str, dict[str, Any]] = {}
    lesson_url, asks_itself = "", False
    for script in [*list_scripts_of_others(), *scripts]:
        tables = read_tables(script)
        routes |= read_routes(tables)
        lesson_url = read_lesson_url(tables) or lesson_url
    for handler in handlers:
        if handler.hook and handler.url:
            lesson_url, asks_itself = handler.url.partition("/hooks/")[0], True
    known = {(name_database(one), str(one.get("path"))): one for one in reversed(databases)}
    return [*reversed(known.values())], routes, lesson_url, asks_itself


def read_lesson_url(tables: Mapping[str, Any]) -> str:
    server = tables.get("SERVER")
    return f"http://{server}" if isinstance(server, str) else ""


def list_scripts_of_others() -> list[Path]:
    return [Path(hook.path) for name, hook in find_installed() if name != client.CLAUDE.name]


def list_scripts(handlers: tuple[ConfiguredHandler, ...]) -> list[Path]:
    scripts = dict.fromkeys(one.script for one in handlers if one.hook and one.script)
    return [find_config_folder() / script for script in scripts]


def list_handlers(
    scope: str, path: Path, settings: Mapping[str, Any]
) -> Iterator[ConfiguredHandler]:
    """Yield the hooks of settings; skip malformed ones."""
    for event, matcher, record in entries.list_handlers(settings):
        of, hook = find_owner(record)
        yield ConfiguredHandler(
            scope,
            path,
            event,
            matcher if isinstance(matcher, str) else "",
            entries.read_command(record),
            record["url"] if isinstance(record.get("url"), str) else "",
            of,
            hook,
            entries.read_interpreter(record),
            entries.find_script(record),
        )


def find_owner(record: dict[str, Any]) -> tuple[str, str]:
    """Return the project and the name of a hook in settings; "" if Hookwright did not render it."""
    asking = entries.find_asking(record)
    if asking is not None:
        return asking, "lesson_search"
    script = entries.find_script(record)
    if not script:
        return "", ""
    project = scripts.find_project(script, files.peek(find_config_folder() / script))
    return ("", "") if project is None else (project, scripts.name_hook(script))
