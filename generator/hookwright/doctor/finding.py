"""The checks' input (the project and the installed hooks), and their findings."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from hookwright.answers.disabling import describe_disabled
from hookwright.answers.schema import name_database
from hookwright.documentation.database_records import list_installed_records
from hookwright.installer import client
from hookwright.project.installer import (
    ConfiguredHandler,
    find_scopes,
    list_scripts,
    list_scripts_of_others,
    read_handlers,
    read_lesson_url,
)
from hookwright.project.reader import Project, holds_project, open_project
from hookwright.project.rendered_hooks import read_databases, read_routes, read_tables

Status = Literal["ok", "warn", "fault"]


@dataclass(frozen=True)
class Finding:
    """A check's finding."""

    check: str  # such as interpreter
    status: Status  # warn: should be fixed; fault: does not work
    line: str  # the finding and how to fix it

    @classmethod
    def ok(cls, check: str, line: str) -> "Finding":
        return cls(check, "ok", line)

    @classmethod
    def warn(cls, check: str, problem: str, fix: str) -> "Finding":
        return cls(check, "warn", f"{problem}: {fix}")

    @classmethod
    def fault(cls, check: str, problem: str, fix: str) -> "Finding":
        return cls(check, "fault", f"{problem}: {fix}")


@dataclass(frozen=True)
class Setup:
    """The checks' input."""

    project: Project | None  # None if only the installed hooks are known
    folder: Path  # the current folder
    settings: Mapping[Path, Mapping[str, Any]]  # settings by file; {} for a broken file
    handlers: tuple[ConfiguredHandler, ...]  # handlers, including those of other programs
    databases: list[dict[str, Any]]  # from the project or the installed hook
    routes: dict[str, dict[str, Any]]
    lesson_url: str
    asks_itself: bool  # whether the client queries the lesson server itself
    is_for_claude: bool  # whether Claude Code has or should have the hooks

    def name_command(self, verb: str) -> str:
        return self.project.name_command(verb) if self.project else f"hookwright {verb}"

    @property
    def ours(self) -> list[ConfiguredHandler]:
        """The hooks rendered by Hookwright: the project's, or all of them without a project."""
        name = self.project.name if self.project else ""
        return [handler for handler in self.handlers if handler.hook and name in {"", handler.of}]


def find_setup(folder: Path | None) -> Setup:
    """Return the checks' input for a folder (project or not), or for the current one if None."""
    here = Path.cwd()
    project = open_project(folder or here) if folder or holds_project(here) else None
    settings, handlers = read_handlers(here)
    if project:
        answers = project.answers
        has_lessons = "lesson_search" in project.hooks
        return Setup(
            project,
            here,
            settings,
            handlers,
            drop_disabled(project.databases) if "docsearch" in project.hooks else [],
            drop_disabled_routes(project.routes) if "tool_routing" in project.hooks else {},
            str(answers.get("lesson_server_url", "")) if has_lessons else "",
            has_lessons and answers.get("transport") == "http",
            client.CLAUDE in client.list_rendered(project.folder) or bool(find_scopes(project)),
        )
    is_for_claude = any(handler.hook for handler in handlers) or not list_scripts_of_others()
    return Setup(None, here, settings, handlers, *read_installed(handlers), is_for_claude)


def read_installed(
    handlers: tuple[ConfiguredHandler, ...],
) -> tuple[list[dict[str, Any]], dict[str, dict[str, Any]], str, bool]:
    """Return the records and lesson servers of every client's installed hooks.

    A record that occurs in several clients is returned once.
    """
    scripts = list_scripts(handlers)
    databases = [database for script in scripts for database in read_databases(read_tables(script))]
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
    known = {
        (name_database(database), str(database.get("path"))): database
        for database in reversed(databases)
    }
    databases = drop_disabled(reversed(known.values()))
    return databases, drop_disabled_routes(routes), lesson_url, asks_itself


def drop_disabled(databases: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [database for database in databases if not describe_disabled(database)]


def drop_disabled_routes(routes: Mapping[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {name: route for name, route in routes.items() if not describe_disabled(route)}
