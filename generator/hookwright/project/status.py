"""Find where a project's hooks are installed, and whether they are up to date."""

import shlex
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hookwright.clients.claude.settings import list_settings
from hookwright.installer import entries, files
from hookwright.installer.client import CLIENTS, Client
from hookwright.installer.entries import COMPANIONS, name_hook
from hookwright.installer.installation import Installation, find_faults
from hookwright.installer.main import describe_error
from hookwright.project.installer import (
    explain_elsewhere,
    find_installed,
    find_packages,
    find_project_folder,
    list_clients,
    list_places,
)
from hookwright.project.own_installer import find_leftover, list_installations, runs_hook
from hookwright.project.reader import ANSWERS, Project, open_project, read_project
from hookwright.template.store import copy_template
from hookwright_console.errors import RefusedError, UnknownNameError
from hookwright_console.files.regular import read_object
from hookwright_console.text import shorten, shorten_home

LEFT_OVER, REFUSED = "left over", "refused"


@dataclass(frozen=True)
class HookStatus:
    """A hook in a scope's settings."""

    client: str  # such as claude
    hook: str  # such as docsearch
    scope: str  # user, project or local
    state: str  # current, stale, missing, REFUSED, or LEFT_OVER in a client that now has no hooks
    file: str  # the script, or the settings if the client queries the server itself
    problem: str = ""  # the fault and its fix, if reinstalling does not help; or ""


@dataclass(frozen=True)
class PackageStatus:
    """A project that a client has as a package, such as a plugin."""

    client: str
    name: str  # such as "the plugin my-hooks@my-hooks"


@dataclass(frozen=True)
class InstalledProject:
    """An installed project."""

    project: str
    folder: str | None  # folder it was installed from, or None if unknown


@dataclass(frozen=True)
class ProjectStatus(InstalledProject):
    """Whether an installed project is up to date."""

    current: bool = False  # whether everything is installed and matches the project
    hooks: tuple[HookStatus, ...] = ()
    error: str = ""  # why it cannot be read, or checked from this folder, or ""


class UnknownProjectError(UnknownNameError):
    """No project of this name is installed."""


@dataclass(frozen=True)
class InstallationStatus:
    """A project's installed parts."""

    project: str
    installed_from: str | None  # None if unknown
    hooks: list[HookStatus]  # empty for a client that only has the package
    packages: list[PackageStatus]
    others: list[InstalledProject]

    @property
    def is_current(self) -> bool:
        return all(hook.state == "current" for hook in self.hooks)


def read_status(project: Project, scope: str = "") -> InstallationStatus:
    """Return a project's installed parts.

    Without a scope, checks every scope in which the project is installed, or else the user's.
    """
    packages = list_packages(project)
    hooks = read_hook_statuses(project, scope)
    # Do not report missing hooks of a client that has the project as a package, unless some of its
    # hooks are installed.
    without = {package.client for package in packages}
    without -= {hook.client for hook in hooks if hook.state != "missing"}
    hooks = [hook for hook in hooks if hook.client not in without]
    others = [other for other in list_projects() if other.project != project.name]
    return InstallationStatus(project.name, name_folder(project.name), hooks, packages, others)


def read_hook_statuses(project: Project, scope: str) -> list[HookStatus]:
    files.read_file.cache_clear()
    found: list[HookStatus] = []
    for client_name in list_clients(project):
        found += read_client(project, scope, client_name)
    if found and all(status.state == REFUSED for status in found):
        raise RefusedError("; ".join(dict.fromkeys(status.problem for status in found)))
    return found


def read_client(project: Project, scope: str, client: Client) -> list[HookStatus]:
    try:
        places = list_installations(project, client, scope)
        return [status for place in places for status in read_hooks(project, place)]
    except (files.Fault, OSError) as error:
        fault = describe_error(error)
        return [HookStatus(client.name, "", scope, REFUSED, str(fault.file or ""), str(fault))]


def find_refusal(project: Project, client: Client) -> str:
    """Return why a client's installation is unknown, such as broken settings, or ""."""
    files.read_file.cache_clear()
    found = read_client(project, "", client)
    return next((status.problem for status in found if status.state == REFUSED), "")


def read_hooks(project: Project, installed: Installation) -> list[HookStatus]:
    if left := find_leftover(installed):
        return [describe_leftover(installed, str(fault)) for fault in left]
    wrong = {fault.file for fault in find_faults(installed)}
    statuses = []
    for hook, paths, is_run in list_parts(project, installed):
        state = "stale" if wrong & {*paths, installed.settings} else "current"
        state = state if is_run and all(map(files.peek, paths)) else "missing"
        place = str(paths[0])
        statuses.append(HookStatus(installed.client.name, hook, installed.scope, state, place))
    return statuses


def list_parts(project: Project, installed: Installation) -> Iterator[tuple[str, list[Path], bool]]:
    """Yield each hook, its scripts, or else the settings, and whether the settings run it."""
    if installed.client.plugin:
        is_run = bool(files.peek(installed.settings))
        yield from ((name_hook(path), [path], is_run) for path in installed.wanted_scripts)
        return
    wanted, found = (
        [handler for _, _, handler in entries.list_ours(settings, installed.names)]
        for settings in (installed.wanted, installed.read_settings())
    )
    for hook in project.rendered_hooks:
        own, run = (
            [handler for handler in handlers if runs_hook(handler, hook, installed.name)]
            for handlers in (wanted, found)
        )
        if own:
            names = (hook, COMPANIONS.get(hook))
            parts = [path for path in installed.wanted_scripts if name_hook(path) in names]
            yield hook, parts or [installed.settings], bool(run)


def describe_leftover(installed: Installation, problem: str) -> HookStatus:
    scripts = installed.list_installed()
    hooks = ", ".join(map(name_hook, scripts))
    path = scripts[0].parent.parent if scripts else installed.settings
    return HookStatus(installed.client.name, hooks, installed.scope, LEFT_OVER, str(path), problem)


def list_packages(project: Project) -> list[PackageStatus]:
    return [
        PackageStatus(other.name, name)
        for other in CLIENTS.values()
        for name in find_packages(other, project)
    ]


def list_projects() -> list[InstalledProject]:
    names = {hook.project for _, hook in find_installed()}
    for _, path in list_settings(Path.cwd()):
        ours = entries.list_ours(read_object(path))
        names.update(filter(None, (entries.find_project(handler) for _, _, handler in ours)))
    return [InstalledProject(name, name_folder(name)) for name in sorted(filter(None, names))]


def find_namesake(name: str, folder: Path) -> str:
    """Return the error if a project with this name is installed from another folder, or ""."""
    for project in list_projects():
        if project.project == name and project.folder and Path(project.folder) != folder.resolve():
            place = shorten_home(project.folder)
            return f"another project {name} is installed, from {place}: choose another name"
    return ""


def read_all() -> list[ProjectStatus]:
    return [read_project_status(*opened) for opened in open_projects()]


def read_project_status(
    installed: InstalledProject, project: Project | RefusedError
) -> ProjectStatus:
    try:
        if isinstance(project, RefusedError):
            raise project
        own = read_status(project)
        elsewhere = "" if list_places(project) else explain_elsewhere(project, "status")
    except RefusedError as error:
        return ProjectStatus(installed.project, installed.folder, error=str(error))
    hooks = tuple(own.hooks)
    return ProjectStatus(installed.project, installed.folder, own.is_current, hooks, elsewhere)


def open_installed(name: str) -> Project:
    """Return an installed project by name; raises UnknownProjectError."""
    for installed, project in open_projects():
        if installed.project == name:
            if isinstance(project, RefusedError):
                raise project
            return project
    raise UnknownProjectError(f"no installed project '{shorten(name)}'")


def open_projects() -> list[tuple[InstalledProject, Project | RefusedError]]:
    """Return each installed project, opened or with the reason why it cannot be opened."""
    return [(project, try_open(project)) for project in list_projects()]


def try_open(installed: InstalledProject) -> Project | RefusedError:
    if not installed.folder:
        line = f"cannot tell which folder {installed.project} was installed from"
        return RefusedError(f"{line}: run hookwright install in it")
    if is_gone(Path(installed.folder)):
        command = f"hookwright uninstall --project {shlex.quote(installed.folder)}"
        line = "its folder is gone: run hookwright install where you moved it"
        return RefusedError(f"{line}, or {command}")
    try:
        return read_project(Path(installed.folder))
    except RefusedError as error:
        return error


def is_gone(folder: Path) -> bool:
    """Return whether a folder contains no project because the project was moved or deleted."""
    try:
        (folder / ANSWERS).lstat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:  # the project may still exist
        return False
    return False


def name_folder(project: str) -> str | None:
    folder = find_project_folder(project)
    return str(folder) if folder else None


@contextmanager
def open_or_stand_in(folder: Path) -> Iterator[Project]:
    """Yield the project in a folder, or a stand-in for a project that was installed from it.

    Installations are identified by the project's name, so a stand-in with that name, in a temporary
    folder, can be uninstalled instead.
    """
    name = name_installed(folder)
    if not is_gone(folder):
        try:
            project = open_project(folder)
        except RefusedError:  # damaged answers, which are not needed
            if not name:
                raise
            project = Project(folder.absolute(), {"project_name": name}, "", "")
        yield project
        return
    if not name:
        where = folder.absolute()
        raise RefusedError(
            f"nothing of {where} is installed, and it has no project: see hookwright status "
            "--all, and name the folder with --project"
        )
    from hookwright.template.render import render  # imports a YAML library

    with tempfile.TemporaryDirectory(prefix="hookwright-") as temporary:
        template, destination = copy_template(Path(temporary, "template")), Path(temporary, name)
        answers = {"project_name": name, "hooks": ["lesson_search"]}  # a hook that needs no records
        render(str(template), destination, answers)
        yield read_project(destination)


def name_installed(folder: Path) -> str:
    """Return the name of the project that was installed from a folder, or ""."""
    place = str(folder.resolve())
    return next((project.project for project in list_projects() if project.folder == place), "")
