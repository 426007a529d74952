"""Find what of a project is installed, and where, like its install.py."""

import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from hookwright.clients.claude.configuration import find_config_folder, list_settings
from hookwright.clients.json_objects import read_object
from hookwright.installer import (
    client,
    files,
    installation,
    records,
    scripts,
)
from hookwright.project import packages
from hookwright.project.reader import Project
from hookwright_console.errors import RefusedError

if TYPE_CHECKING:
    from hookwright.installer.client import Client
    from hookwright.installer.scripts import InstalledHook

CLAUDE = client.CLAUDE


def find_scopes(project: Project, of: "Client" = CLAUDE) -> list[str]:
    """Return the scopes that a project's hooks are installed in: the user's, and this folder's.

    Settings are searched as text, so that broken ones are found too.
    """
    config, name = of.find_config_folder(), project.name
    base = config / of.ours
    hooks = [hook.path for hook in scripts.list_installed(base) if hook.project == name]
    installed = [path.relative_to(base).as_posix() for path in hooks]
    entry = records.match_entry(name)
    # In the home folder, a project's shared settings are the user's own.
    settings = {
        resolve(of.locate_settings(config, scope, name)): scope for scope in reversed(of.settings)
    }
    found = []
    for path, scope in reversed(settings.items()):
        text = records.normalize(files.peek(path))
        if any(script in text for script in installed) or entry.search(text):
            found.append(scope)
    return found


def resolve(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path


def list_clients(project: Project, names: Sequence[str] = ()) -> "list[Client]":
    """Return the clients that a project is or should be installed in; see `install.py`."""
    try:
        there = [] if names else client.list_installed(project.name)
        wanted = client.select_clients(project.folder, [*names]) if names or not there else []
        rendered = [] if names else client.list_rendered(project.folder)
        wanted += [other for other in rendered if other.is_found()]
        return [other for other in client.CLIENTS.values() if other in (*there, *wanted)]
    except files.InstallError as refused:
        raise RefusedError(str(refused)) from None


def list_places(project: Project) -> "list[tuple[Client, str]]":
    clients = [
        other
        for other in client.CLIENTS.values()
        if other is CLAUDE or other.has_record(project.name)
    ]
    return [(name, scope) for name in clients for scope in find_scopes(project, name)]


def explain_elsewhere(project: Project, command: str, *, names_scope: bool = False) -> str:
    """Return which other folder a project's hooks are installed for, or "".

    `command` is what to run there; `names_scope` says whether it defaults to the user's settings.
    """
    for folder, scope in list_elsewhere(project):
        option = f" --scope {scope}" if names_scope else ""
        run = f"hookwright {command}{option} --project {shlex.quote(str(project.folder))}"
        return f"{project.name} is installed for {folder}: there, run {run}"
    return ""


def list_elsewhere(project: Project) -> Iterator[tuple[Path, str]]:
    here = Path.cwd()
    for name, base in find_bases().items():
        of = client.CLIENTS[name]
        config = of.find_config_folder()
        locations = {
            scope: of.locate_settings(config, scope, project.name) for scope in of.settings
        }
        own = set(map(resolve, locations.values()))
        found = records.find_settings(base, project.name)
        others = [path for path in found if resolve(path) not in own]
        for scope, location in locations.items():
            # A folder's settings are at the same relative path, such as .claude/settings.json.
            end = location.relative_to(here).parts if scope != "user" else ()
            for path in others if end else ():
                if path.parts[-len(end) :] == end:
                    yield path.parents[len(end) - 1], scope


def list_packages(project: Project, of: "Client" = CLAUDE) -> list[str]:
    """Return a client's own packages of a project, such as "the plugin x@x"."""
    found = packages.list_packages(of, project.folder, project.name)
    if of is CLAUDE:  # its administrator may enable plugins too
        settings = [read_object(path) for _, path in list_settings(Path.cwd())]
        plugins = [
            name for setting in settings for name in packages.list_enabled(setting, project.name)
        ]
        found += [f"the plugin {name}" for name in plugins]
    return list(dict.fromkeys(found))


def is_packaged(project: Project) -> bool:
    """Return whether a client has a project as a plugin or extension."""
    return any(list_packages(project, other) for other in client.CLIENTS.values())


def find_bases() -> dict[str, Path]:
    bases = {CLAUDE.name: find_config_folder()}
    for name, other in client.CLIENTS.items():
        if other is not CLAUDE:
            with suppress(files.InstallError):  # only a variable that does not name a folder
                bases[name] = other.find_config_folder() / other.ours
    return bases


def find_lost_folder(of: "Client") -> str:
    """Return why a client's folder is unknown, such as a relative CODEX_HOME, or ""."""
    try:
        of.find_config_folder()
    except files.InstallError as refused:
        return str(refused)
    return ""


def find_memories() -> list[Path]:
    """Return the folders in which the clients' hooks log what they block."""
    return [base / "hooks" if name == CLAUDE.name else base for name, base in find_bases().items()]


def find_installed() -> "list[tuple[str, InstalledHook]]":
    return [
        (name, hook) for name, base in find_bases().items() for hook in scripts.list_installed(base)
    ]


def find_project_folder(name: str) -> Path | None:
    """Return the folder that a project was installed from, in any client, or None."""
    folders = (records.find_source(base, name) for base in find_bases().values())
    return next(filter(None, folders), None)


def is_installed_from(project: Project) -> bool:
    """Return whether the installed hooks with a project's name come from its folder."""
    folder = project.folder.resolve()
    return any(records.find_source(base, project.name) == folder for base in find_bases().values())


def find_rivalry(project: Project) -> str:
    """Return that another folder's project of the same name is installed, and what to do, or ""."""
    own = installation.Installation(project.folder, find_config_folder(), "user")
    others = [other for other in client.CLIENTS.values() if other.has_record(project.name)]
    with suppress(files.InstallError):  # it differs from what was rendered
        for other in others:
            installed = own._replace(config=other.find_config_folder(), client=other)
            if fault := installed.find_rivalry():
                return str(fault)
    return ""
