"""Read the hooks in the client's settings, including those of other programs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hookwright.clients.claude.settings import find_config_folder, list_settings
from hookwright.installer import client, entries, files
from hookwright.installer.other_clients import read_interpreter
from hookwright.project.installer import find_installed
from hookwright.project.rendered_hooks import read_tables
from hookwright_console.files.regular import read_object


@dataclass(frozen=True)
class ConfiguredHandler:
    """A hook in the client's settings."""

    scope: str  # managed, user, project or local
    path: Path  # the settings file
    event: str
    matcher: str  # the tools it runs for, as in the settings; "" for all
    command: str
    url: str  # URL of its server, or ""
    of: str  # the hook's project, or "" if unknown
    hook: str  # the rendered hook that it runs, or ""
    interpreter: str  # "" for python3
    script: Path | None  # script in the client's folder


def read_handlers(
    folder: Path,
) -> tuple[dict[Path, Mapping[str, Any]], tuple[ConfiguredHandler, ...]]:
    """Return the content of each settings file for a folder, and the hooks in them."""
    files = list_settings(folder)
    if files[1][1] == files[2][1]:  # in the home folder, the project's settings are also the user's
        del files[2]
    settings: dict[Path, Mapping[str, Any]] = {path: read_object(path) for _, path in files}
    return settings, tuple(
        handler for scope, path in files for handler in list_handlers(scope, path, settings[path])
    )


def list_trusted_urls(handlers: Sequence[ConfiguredHandler]) -> list[str]:
    """Return the lesson servers that the user trusts.

    These are the servers queried by hooks in the client's folder, and those that the client itself
    queries because of managed or user settings. A project cannot add any.
    """
    installed = [*list_scripts(handlers), *list_scripts_of_others()]
    servers = [read_lesson_url(read_tables(script)) for script in installed]
    asked = [
        handler for handler in handlers if handler.hook and handler.scope in {"managed", "user"}
    ]
    return [*servers, *(handler.url.partition("/hooks/")[0] for handler in asked)]


def read_lesson_url(tables: Mapping[str, Any]) -> str:
    server = tables.get("SERVER")
    return f"http://{server}" if isinstance(server, str) else ""


def list_scripts_of_others() -> list[Path]:
    return [Path(hook.path) for name, hook in find_installed() if name != client.CLAUDE.name]


def list_scripts(handlers: Sequence[ConfiguredHandler]) -> list[Path]:
    scripts = dict.fromkeys(
        handler.script for handler in handlers if handler.hook and handler.script
    )
    return [find_config_folder() / script for script in scripts]


def list_handlers(
    scope: str, path: Path, settings: Mapping[str, Any]
) -> Iterator[ConfiguredHandler]:
    """Yield the hooks in settings; skip malformed ones."""
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
            read_interpreter(record),
            entries.find_script(record),
        )


def find_owner(record: dict[str, Any]) -> tuple[str, str]:
    """Return the project and name of a hook in settings, or "" if Hookwright did not render it."""
    asking = entries.find_asking(record)
    if asking is not None:
        return asking, "lesson_search"
    script = entries.find_script(record)
    if not script:
        return "", ""
    project = entries.name_project(script, files.peek(find_config_folder() / script))
    return ("", "") if project is None else (project, entries.name_hook(script))
