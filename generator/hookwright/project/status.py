"""Find where the hooks of a project are installed, and whether they are current."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookwright.clients.claude.configuration import find_config_folder, list_settings
from hookwright.clients.json_objects import parse_object, read_object
from hookwright.project.installer import find_scopes, peek
from hookwright.project.reader import Project
from hookwright.project.template_modules import entries, files, installation
from hookwright_console.errors import RefusedError

if TYPE_CHECKING:
    from installation import Installation


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
    folder = find_folder(find_config_folder(), project.name)
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
    wanted = [one for one in entries.list_ours(installed.wanted) if find_hook(one[2]) == hook]
    found = entries.list_ours(parse_object(installed.settings) or {})
    entered = {write_entry(*one) for one in found} >= {write_entry(*one) for one in wanted}
    runs = {identify(handler) for _, _, handler in wanted}
    script = next((script for script, _ in runs if script), None)
    path = installed.config / script if script else installed.settings
    content = peek(path)
    if not content or runs.isdisjoint(identify(handler) for _, _, handler in found):
        state = "missing"
    elif not entered or (script and content != peek(project.find_hook(hook))):
        state = "stale"
    else:
        state = "current"
    return HookStatus(hook, installed.scope, state, str(path))


def find_hook(handler: dict[str, Any]) -> str:
    """Return the hook that a handler of a project runs."""
    script = entries.find_script(handler)
    return script.stem.partition("-")[0] if script else "lesson_search"


def identify(handler: dict[str, Any]) -> tuple[Path | None, str | None]:
    """Return the script that a handler runs, and the project whose request it makes."""
    return entries.find_script(handler), entries.find_project(handler)


def write_entry(event: str, matcher: object, handler: dict[str, Any]) -> str:
    """Return an entry as a text, without the interpreter that it names."""
    entry = {"matcher": matcher, "hooks": [handler]}
    return "".join(entries.unname_interpreter({"hooks": {event: [entry]}}))


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
    return [InstalledProject(name, find_folder(config, name)) for name in sorted(names)]


def find_folder(config: Path, name: str) -> str | None:
    """Return the folder that a project was installed from, by the installer's record of it."""
    folder = read_object(config / "hooks" / f"hookwright-{name}.json").get("folder")
    return folder if isinstance(folder, str) else None
