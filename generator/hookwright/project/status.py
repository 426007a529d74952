"""Find where the hooks of a project are installed, and whether they are current."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookwright.clients.claude.configuration import find_config_folder, list_settings
from hookwright.clients.json_objects import read_object
from hookwright.project.installer import find_scopes, peek
from hookwright.project.reader import Project
from hookwright.project.template_modules import changes, entries, files, installation
from hookwright_console.errors import RefusedError

if TYPE_CHECKING:
    from installation import Installation

Entry = tuple[str, Any, dict[str, Any]]  # the event, the matcher and the handler


@dataclass(frozen=True)
class HookStatus:
    """A hook in the settings of a scope.

    Args:
        hook: Its name, such as docsearch.
        scope: The settings: user, project or local.
        state: current, stale or missing.
        file: The installed script, or the settings if the client asks the server itself.

    """

    hook: str
    scope: str
    state: str
    file: str


@dataclass(frozen=True)
class InstalledProject:
    """A project that is installed.

    Args:
        project: Its name.
        folder: The folder that it was installed from, or None if that is unknown.

    """

    project: str
    folder: str | None


@dataclass(frozen=True)
class InstallationStatus:
    """What of a project is installed.

    Args:
        project: Its name.
        installed_from: The folder that it was installed from, or None if that is unknown.
        hooks: Its hooks; none if they are installed as a plugin alone.
        plugins: Its plugins that are enabled.
        others: The other projects that are installed.

    """

    project: str
    installed_from: str | None
    hooks: list[HookStatus]
    plugins: list[str]
    others: list[InstalledProject]

    @property
    def is_current(self) -> bool:
        """Whether all is installed, and as the project has it."""
        return all(one.state == "current" for one in self.hooks)


def read_status(project: Project, scope: str = "") -> InstallationStatus:
    """Return what of a project is installed.

    Args:
        project: The project.
        scope: The only scope to look at; "" for all that it is installed in, or else the user's.

    Raises:
        RefusedError: The settings, or the files of the project, cannot be read.

    """
    hooks, plugins = list_hooks(project, scope), list_plugins(project)
    if plugins and all(one.state == "missing" for one in hooks):
        hooks = []
    others = [one for one in list_projects() if one.project != project.name]
    folder = name_folder(project.name)
    return InstallationStatus(project.name, folder, hooks, plugins, others)


def list_hooks(project: Project, scope: str) -> list[HookStatus]:
    """Return each hook of a project in each scope; see `read_status`."""
    config = find_config_folder()
    scopes = [scope] if scope else find_scopes(project) or ["user"]
    files.read_file.cache_clear()
    try:
        return [
            read_hook(project, hook, installation.Installation(project.folder, config, one))
            for one in scopes
            for hook in project.hooks
        ]
    except files.InstallError as refused:
        raise RefusedError(str(refused)) from None


def read_hook(project: Project, hook: str, installed: "Installation") -> HookStatus:
    """Return whether a hook is in the settings, and its script in the client's folder."""
    wanted = select_hook(installed.wanted, hook, installed)
    found = select_hook(changes.read_json(installed.settings), hook, installed)
    script = next((entries.find_script(handler) for _, _, handler in wanted), None)
    path = installed.config / script if script else installed.settings
    content = peek(path)
    if not content or not found:
        state = "missing"
    elif write(found, installed) != write(wanted, installed) or (
        script and content != peek(project.find_hook(hook))
    ):
        state = "stale"
    else:
        state = "current"
    return HookStatus(hook, installed.scope, state, str(path))


def select_hook(settings: Any, hook: str, installed: "Installation") -> list[Entry]:
    """Return the entries of a project's hook in settings."""
    return [
        (event, matcher, handler)
        for event, matcher, handler in entries.list_owned(settings, installed.heir)
        if entries.runs_hook(handler, hook, installed.heir)
    ]


def write(found: list[Entry], installed: "Installation") -> list[str]:
    """Return entries as texts, without the interpreters that they name."""
    hooks: dict[str, list[Any]] = {}
    for event, matcher, handler in found:
        hooks.setdefault(event, []).append({"matcher": matcher, "hooks": [handler]})
    return entries.unname_interpreter({"hooks": hooks}, installed.heir)


def list_plugins(project: Project) -> list[str]:
    """Return the plugins of a project that are enabled in the current folder."""
    settings = [read_object(path) for _, path in list_settings(Path.cwd())]
    found = [name for one in settings for name in entries.list_plugins(one, project.name)]
    return list(dict.fromkeys(found))


def list_projects() -> list[InstalledProject]:
    """Return the projects that are installed, by their names."""
    config = find_config_folder()
    names = {hook.project for hook in installation.list_installed(config)}
    for _, path in list_settings(Path.cwd()):
        ours = entries.list_ours(read_object(path))
        names.update(filter(None, (entries.find_project(handler) for _, _, handler in ours)))
    return [InstalledProject(name, name_folder(name)) for name in sorted(filter(None, names))]


def name_folder(project: str) -> str | None:
    """Return the folder that a project was installed from, by the installer's record of it."""
    folder = installation.find_folder(find_config_folder(), project)
    return str(folder) if folder else None
