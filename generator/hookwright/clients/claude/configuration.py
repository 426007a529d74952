"""Find and read the files that Claude Code keeps its configuration in; they may hold anything.

Nothing is ever written.
"""

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hookwright.project.template_modules import files, installation
from hookwright_console.errors import RefusedError
from hookwright_console.regular_files import read_regular

FOLDER = "CLAUDE_CONFIG_DIR"  # the variable that names another folder
LARGEST = 50_000_000  # bytes of a file: .claude.json grows with what the user does


def find_config_folder() -> Path:
    """Return the folder that the client keeps its configuration in, as install.py finds it.

    Raises:
        RefusedError: There is no home folder, or CLAUDE_CONFIG_DIR is a relative path.

    """
    try:
        return installation.find_config_folder()
    except files.RefusedError as refused:
        raise RefusedError(str(refused)) from None


def locate_main() -> Path:
    """Return the path of the file that the client keeps the user's servers in."""
    return Path(os.environ.get(FOLDER) or Path.home(), ".claude.json")


def list_settings(folder: Path) -> list[tuple[str, Path]]:
    """Return the scope and the path of each settings file that the client reads in a folder."""
    own = folder / ".claude"
    return [
        ("managed", find_managed()),
        ("user", find_config_folder() / "settings.json"),
        ("project", own / "settings.json"),
        ("local", own / "settings.local.json"),
    ]


def find_managed() -> Path:
    """Return the path of the settings that an administrator makes for everyone."""
    if sys.platform == "darwin":
        return Path("/Library/Application Support/ClaudeCode/managed-settings.json")
    if sys.platform == "win32":
        return Path("C:/Program Files/ClaudeCode/managed-settings.json")
    return Path("/etc/claude-code/managed-settings.json")


def pick(holder: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return the mapping at a key, or an empty one where there is something else."""
    value = holder.get(key)
    return value if isinstance(value, dict) else {}


def pick_texts(holder: Mapping[str, Any], key: str) -> list[str]:
    """Return the texts of the list at a key, or none where there is something else."""
    value = holder.get(key)
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []


def read_object(path: Path) -> dict[str, Any]:
    """Return the object in a JSON file, or an empty one where the file is missing or broken."""
    try:
        return parse_object(path) or {}
    except RefusedError:
        return {}


def parse_object(path: Path) -> dict[str, Any] | None:
    """Return the object in a JSON file, or None where there is no file.

    Raises:
        RefusedError: The file cannot be read, or holds something else.

    """
    try:
        if not path.exists():
            return None
        if not path.is_file() or path.stat().st_size > LARGEST:
            raise RefusedError(f"{path} is not a settings file: move it away")
        value = json.loads(read_regular(path).decode("utf-8-sig"))
    except OSError as error:
        raise RefusedError(f"cannot read {path} ({error.strerror}): fix or remove it") from None
    except json.JSONDecodeError as error:
        raise RefusedError(
            f"{path} is not valid JSON (line {error.lineno}: {error.msg}): fix or remove it"
        ) from None
    except (ValueError, RecursionError):
        raise RefusedError(f"{path} is not valid JSON: fix or remove it") from None
    if not isinstance(value, dict):
        raise RefusedError(f"{path} is not a JSON object: fix or remove it")
    return value
