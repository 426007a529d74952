"""Locate Claude Code's configuration files."""

import os
import sys
from pathlib import Path

from hookwright.installer import client, files
from hookwright_console.errors import RefusedError

FOLDER = "CLAUDE_CONFIG_DIR"  # environment variable that overrides the folder


def find_config_folder() -> Path:
    try:
        return client.CLAUDE.find_config_folder()
    except files.Fault as refused:
        raise RefusedError(str(refused)) from None


def locate_main() -> Path:
    return Path(os.environ.get(FOLDER) or Path.home(), ".claude.json")


def list_settings(folder: Path) -> list[tuple[str, Path]]:
    """Return the scope and path of each settings file that the client reads in a folder."""
    own = folder / ".claude"
    return [
        ("managed", find_managed()),
        ("user", find_config_folder() / "settings.json"),
        ("project", own / "settings.json"),
        ("local", own / "settings.local.json"),
    ]


def find_managed() -> Path:
    if sys.platform == "darwin":
        return Path("/Library/Application Support/ClaudeCode/managed-settings.json")
    if sys.platform == "win32":
        return Path("C:/Program Files/ClaudeCode/managed-settings.json")
    return Path("/etc/claude-code/managed-settings.json")
