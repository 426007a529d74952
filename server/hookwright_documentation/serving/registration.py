"""Describe the documentation server for a client's configuration, in .mcp.json format."""

import os
import site
import sys
import sysconfig
from pathlib import Path
from typing import Any

import hookwright_documentation
from hookwright_documentation.databases import FOLDER

NAME = "hookwright-docs"
COMMAND = "docs-mcp"
PATH = "/mcp"  # URL path on the resident server
VARIABLE = "LESSON_SEARCH_TOKEN"  # environment variable expanded by the client


def build_stdio_entry() -> dict[str, Any]:
    """Return the configuration entry for a server that each session starts itself.

    The command uses this Python interpreter, whose path survives upgrades of Hookwright.
    """
    entry: dict[str, Any] = {"type": "stdio", **build_command()}
    if folder := os.environ.get(FOLDER, ""):
        entry["env"] = {FOLDER: str(Path(folder).absolute())}
    return entry


def build_http_entry(url: str, token: bool) -> dict[str, Any]:  # noqa: FBT001 - both are found at once
    """Return the resident server's configuration entry, with the name of the token's variable."""
    entry: dict[str, Any] = {"type": "http", "url": url.rstrip("/") + PATH}
    if token:
        entry["headers"] = {"Authorization": f"Bearer ${{{VARIABLE}}}"}
    return entry


def build_command() -> dict[str, Any]:
    """Return the server's command with its arguments.

    -I keeps the client's folder and PYTHONPATH off sys.path, and also the user's site-packages.
    """
    module = Path(hookwright_documentation.__file__)
    if site.ENABLE_USER_SITE and module.is_relative_to(site.getusersitepackages()):
        scripts = sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user"))
        return {"command": str(Path(scripts) / "hookwright"), "args": [COMMAND]}
    return {"command": sys.executable, "args": ["-I", "-m", "hookwright", COMMAND]}
