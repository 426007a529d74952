"""Find where a project is installed, and the hooks and packages that clients have."""

import json
import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from hookwright.clients.claude.settings import find_config_folder, list_settings
from hookwright.installer import (
    client,
    entries,
    files,
    installation,
    json_text,
    registry,
)
from hookwright.installer.client import CLAUDE, CLIENTS, Client
from hookwright.installer.files import Fault, peek
from hookwright.installer.installation import EDITED, FORMER
from hookwright.installer.other_clients import read_interpreter
from hookwright.project.reader import Project
from hookwright.project.rendered_hooks import read_tables
from hookwright_console.errors import RefusedError
from hookwright_console.files.regular import read_object

ENABLED = "extension-enablement.json"  # next to the extensions: the folders where each is enabled
# A plugin in Codex's settings, up to the next table. Python before 3.11 cannot read TOML.
CODEX_PLUGIN = re.compile(
    r"""^[ \t]*\[[ \t]*plugins[ \t]*\.[ \t]*(?P<quote>["'])(?P<name>[^"'\n]+)(?P=quote)[ \t]*\]"""
    r"(?P<rest>(?:(?!^[ \t]*\[)[\s\S])*)",
    re.MULTILINE,
)
OFF = re.compile(r"^[ \t]*enabled[ \t]*=[ \t]*false\b", re.MULTILINE)


def find_scopes(project: Project, of: Client = CLAUDE) -> list[str]:
    """Return the scopes in which a project's hooks are installed, for the user and this folder.

    Settings are searched as text, so that broken ones are also found.
    """
    config, name = of.find_config_folder(), project.name
    # In the home folder, a project's shared settings are the user's own.
    settings = {
        resolve_path(of.locate_settings(config, scope, name)): scope
        for scope in reversed(of.settings)
    }
    places = reversed(settings.items())
    return [scope for path, scope in places if entries.runs_project(path, name)]


def resolve_path(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path


def list_clients(project: Project, names: Sequence[str] = ()) -> list[Client]:
    """Return the clients that a project is or should be installed in; see `install.py`."""
    try:
        there = [] if names else client.list_installed(project.name)
        wanted = client.select_clients(project.folder, [*names]) if names or not there else []
        rendered = [] if names else client.list_rendered(project.folder)
        wanted += [other for other in rendered if other.is_found()]
        return [other for other in CLIENTS.values() if other in (*there, *wanted)]
    except Fault as refused:
        raise RefusedError(str(refused)) from None


def list_places(project: Project) -> list[tuple[Client, str]]:
    clients = [
        other for other in CLIENTS.values() if other is CLAUDE or other.has_record(project.name)
    ]
    return [(name, scope) for name in clients for scope in find_scopes(project, name)]


def explain_elsewhere(project: Project, command: str, *, names_scope: bool = False) -> str:
    """Return a message if a project's hooks are installed for another folder, or "".

    `command` is the command to run there; `names_scope` is whether it defaults to the user's
    settings.
    """
    for folder, scope in list_elsewhere(project):
        option = f" --scope {scope}" if names_scope else ""
        run = f"hookwright {command}{option} --project {shlex.quote(str(project.folder))}"
        return f"{project.name} is installed for {folder}: there, run {run}"
    return ""


def list_elsewhere(project: Project) -> Iterator[tuple[Path, str]]:
    here = Path.cwd()
    for name, base in find_bases().items():
        of = CLIENTS[name]
        config = of.find_config_folder()
        locations = {
            scope: of.locate_settings(config, scope, project.name) for scope in of.settings
        }
        own = set(map(resolve_path, locations.values()))
        found = entries.find_settings(base, project.name)
        others = [path for path in found if resolve_path(path) not in own]
        for scope, location in locations.items():
            # A folder's settings are at the same relative path, such as .claude/settings.json.
            end = location.relative_to(here).parts if scope != "user" else ()
            for path in others if end else ():
                if path.parts[-len(end) :] == end:
                    yield path.parents[len(end) - 1], scope


def list_kept_copies(project: Project) -> list[Path]:
    """Return the copies of hooks that the user had edited, and of replaced settings."""
    end, found = f"{project.name}.py{EDITED}", []
    for name, base in find_bases().items():
        edited = sorted(base.glob(f"hooks/*/*{end}"))
        # Another project's name may end in the same way.
        found += [path for path in edited if path.name.partition("-")[2] == end]
        of = CLIENTS[name]
        for scope in of.settings:
            settings = of.locate_settings(of.find_config_folder(), scope, project.name)
            found.append(Path(f"{files.name_backup(settings)}{FORMER}"))
    return [path for path in dict.fromkeys(found) if path.exists()]


def is_packaged(project: Project) -> bool:
    """Return whether a client has a project as a plugin or extension."""
    return any(find_packages(other, project) for other in CLIENTS.values())


def find_bases() -> dict[str, Path]:
    bases = {CLAUDE.name: find_config_folder()}
    for name, other in CLIENTS.items():
        if other is not CLAUDE:
            with suppress(Fault):  # raised if a variable does not name a folder
                bases[name] = other.find_config_folder() / other.ours
    return bases


def find_lost_folder(of: Client) -> str:
    """Return why a client's folder is unknown, such as a relative CODEX_HOME, or ""."""
    try:
        of.find_config_folder()
    except Fault as refused:
        return str(refused)
    return ""


def find_memories() -> list[Path]:
    """Return the folders in which the clients' hooks log blocks."""
    return [base / "hooks" if name == CLAUDE.name else base for name, base in find_bases().items()]


def find_installed() -> list[tuple[str, entries.InstalledHook]]:
    return [
        (name, hook) for name, base in find_bases().items() for hook in entries.list_hooks(base)
    ]


def find_project_folder(name: str) -> Path | None:
    """Return the folder that a project was installed from, in any client, or None."""
    folders = (entries.find_source(base, name) for base in find_bases().values())
    return next(filter(None, folders), None)


def is_installed_from(project: Project) -> bool:
    """Return whether the installed hooks with a project's name were installed from its folder."""
    folder = project.folder.resolve()
    return any(entries.find_source(base, project.name) == folder for base in find_bases().values())


def find_rivalry(project: Project) -> str:
    """Return a message if another folder's project with the same name is installed, or ""."""
    others = [other for other in CLIENTS.values() if other.has_record(project.name)]
    command = project.name_command("install")
    with suppress(Fault):  # raised if it differs from the rendered version
        for other in others:
            installed = installation.Installation(project.folder, other, "user", command)
            if fault := installed.find_rivalry():
                return str(fault)
    return ""


def find_packages(client: Client, project: Project) -> list[str]:
    """Return the packages through which a client has a project, such as "the plugin x@x"."""
    with suppress(Fault):  # no home folder
        config = client.find_config_folder()
        found = [f"the plugin {plugin}" for plugin in list_plugins(client, config, project)]
        own = registry.CLIENTS[client.name].get("lists_plugins", {})
        extension = config / own.get("extensions", "") / project.name
        if "extensions" in own and extension.is_dir() and is_on(extension):
            found.append(f"the extension in {extension}")
        return found
    return []


def find_sole_package(client: Client, project: Project) -> str:
    """Return a client's packages of a project, or "" if its settings contain the project."""
    there = client.has_record(project.name)
    found = [] if there else find_packages(client, project)
    return " and ".join(found)


def list_plugins(client: Client, config: Path, project: Project) -> list[str]:
    found: list[str] = []
    for path in list_plugin_settings(client, config):
        if path.suffix == ".toml":
            tables = CODEX_PLUGIN.finditer(peek(path).decode("utf-8-sig", "replace"))
            on = [table["name"] for table in tables if not OFF.search(table["rest"])]
            found += [plugin for plugin in on if plugin.startswith(f"{project.name}@")]
        elif client.plugin:
            found += list_plugin_files(path, client.locate_snippet(project.folder))
        else:
            found += list_enabled(read_tolerantly(path), project.name)
    return list(dict.fromkeys(found))


def list_enabled(settings: Any, project: str) -> list[str]:
    enabled = settings.get("enabledPlugins")
    plugins = enabled if isinstance(enabled, dict) else {}
    return [name for name in plugins if name.startswith(f"{project}@") and plugins[name]]


def list_plugin_settings(client: Client, config: Path) -> list[Path]:
    """Return the settings that list a client's plugins."""
    if client is CLAUDE:  # its administrator may also enable plugins
        return [path for _, path in list_settings(Path.cwd())]
    own = registry.CLIENTS[client.name].get("lists_plugins", {})
    if not own:
        return [client.locate_settings(config, scope) for scope in client.settings]
    here = [Path.cwd() / name for name in own.get("folder_files", ())]
    return [*(config / name for name in own.get("files", ())), *here]


def list_plugin_files(path: Path, snippet: Path) -> list[str]:
    named = read_tolerantly(path).get("plugin")
    for item in named if isinstance(named, list) else ():
        text = item[0] if isinstance(item, list) and item else item  # a list if it has options
        own = (snippet.as_uri(), os.path.realpath(snippet))
        if isinstance(text, str) and (text in own or locate_plugin(text, path.parent) in own):
            return [str(snippet)]
    return []


def locate_plugin(text: str, folder: Path) -> str:
    scheme, found, rest = text.partition("file://")
    path = unquote(rest) if found and not scheme else text
    try:
        return os.path.realpath(folder / path)
    except ValueError:  # an invalid path
        return ""


def is_on(extension: Path) -> bool:
    """Return whether an extension is enabled in the current folder: the last rule decides."""
    rules = read_tolerantly(extension.parent / ENABLED).get(extension.name)
    overrides = rules.get("overrides") if isinstance(rules, dict) else None
    answer, here = True, f"{Path.cwd()}/"
    for rule in overrides if isinstance(overrides, list) else ():
        if fnmatchcase(here, str(rule).lstrip("!")):
            answer = not str(rule).startswith("!")
    return answer


def read_tolerantly(path: Path) -> dict[str, Any]:
    try:
        text = peek(path).decode("utf-8-sig", "replace")
        value = json.loads(json_text.blank_comments(text))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


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
