"""Find where clients have a project as a package of their own: a plugin or an extension."""

import json
import os
import re
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from hookwright.installer import json_text, registry
from hookwright.installer.client import Client
from hookwright.installer.files import InstallError, peek
from hookwright.project.reader import Project

ENABLED = "extension-enablement.json"  # next to the extensions: the folders where each is enabled
# A plugin in Codex's settings, up to the next table. Python before 3.11 cannot read TOML.
CODEX_PLUGIN = re.compile(
    r"""^[ \t]*\[[ \t]*plugins[ \t]*\.[ \t]*(?P<quote>["'])(?P<name>[^"'\n]+)(?P=quote)[ \t]*\]"""
    r"(?P<rest>(?:(?!^[ \t]*\[)[\s\S])*)",
    re.MULTILINE,
)
OFF = re.compile(r"^[ \t]*enabled[ \t]*=[ \t]*false\b", re.MULTILINE)


def list_packages(client: Client, project: Path, name: str) -> list[str]:
    with suppress(InstallError):  # no home folder
        config = client.find_config_folder()
        found = [f"the plugin {plugin}" for plugin in list_plugins(client, config, project, name)]
        own = registry.CLIENTS[client.name].get("lists_plugins", {})
        extension = config / own.get("extensions", "") / name
        if "extensions" in own and extension.is_dir() and is_on(extension):
            found.append(f"the extension in {extension}")
        return found
    return []


def find_sole_package(client: Client, project: Project) -> str:
    """Return a client's package of a project if its settings do not contain the project, or ""."""
    there = client.has_record(project.name)
    found = [] if there else list_packages(client, project.folder, project.name)
    return " and ".join(found)


def list_plugins(client: Client, config: Path, project: Path, name: str) -> list[str]:
    found: list[str] = []
    for path in list_plugin_settings(client, config):
        if path.suffix == ".toml":
            tables = CODEX_PLUGIN.finditer(peek(path).decode("utf-8-sig", "replace"))
            on = [table["name"] for table in tables if not OFF.search(table["rest"])]
            found += [plugin for plugin in on if plugin.startswith(f"{name}@")]
        elif client.plugin:
            found += list_plugin_files(path, client.locate_snippet(project))
        else:
            found += list_enabled(read_tolerantly(path), name)
    return list(dict.fromkeys(found))


def list_enabled(settings: Any, project: str) -> list[str]:
    enabled = settings.get("enabledPlugins")
    plugins = enabled if isinstance(enabled, dict) else {}
    return [name for name in plugins if name.startswith(f"{project}@") and plugins[name]]


def list_plugin_settings(client: Client, config: Path) -> list[Path]:
    """Return the settings that list a client's plugins."""
    own = registry.CLIENTS[client.name].get("lists_plugins", {})
    if not own:
        return [client.locate_settings(config, scope) for scope in client.settings]
    here = [Path.cwd() / name for name in own.get("folder_files", ())]
    return [*(config / name for name in own.get("files", ())), *here]


def list_plugin_files(path: Path, snippet: Path) -> list[str]:
    named = read_tolerantly(path).get("plugin")
    for item in named if isinstance(named, list) else ():
        text = item[0] if isinstance(item, list) and item else item  # before its options
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
