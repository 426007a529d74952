"""Find the packages that the lesson server lacks, and the command that installs them.

Hookwright is in no package index, so the command names the place it was installed from.
"""

import json
import shlex
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

# What the packages of the extra `server` are imported by.
PACKAGES = (
    *("anyio", "chromadb", "fastapi", "fastapi_offline", "filelock", "httpx", "numpy"),
    *("platformdirs", "yaml", "rich", "typer", "uvicorn", "wordllama"),
)
PROJECT = "hookwright"
EXTRA = "server"


def find_missing() -> str:
    """Return a package that is not installed, or ""."""
    return next((name for name in PACKAGES if find_spec(name) is None), "")


def explain_missing(name: str) -> str:
    """Return in one line what is missing, and how to install it."""
    try:
        installed = distribution(PROJECT)
    except PackageNotFoundError:
        way_out = f"install the checkout with its extra [{EXTRA}]"
    else:
        command = find_command(installed)
        way_out = f"run {command}" if command else f"install it again with its extra [{EXTRA}]"
    return f"{name} is missing, as the extra [{EXTRA}] was not installed: {way_out}"


def find_command(installed: Distribution) -> str:
    """Return the command that installs a project again with the extra, or "" if not known.

    Args:
        installed: The installed project. Its direct_url.json (PEP 610) says where it is from.

    """
    try:
        origin = json.loads(installed.read_text("direct_url.json") or "null")
        requirement, editable = build_requirement(origin)
    except (ValueError, TypeError, KeyError, AttributeError):
        return ""
    words = [*find_installer(installed), *(["--editable"] if editable else []), requirement]
    return shlex.join(words)


def build_requirement(origin: dict[str, Any]) -> tuple[str, bool]:
    """Return what to install, and whether it is editable.

    Raises:
        ValueError, TypeError, KeyError, AttributeError: The origin is not as PEP 610 has it.

    """
    parts = urlsplit(origin["url"])
    if parts.scheme == "file" and "vcs_info" not in origin:
        editable = origin.get("dir_info", {}).get("editable", False)
        return f"{unquote(parts.path)}[{EXTRA}]", editable
    url = origin["url"]
    if "vcs_info" in origin:
        source = origin["vcs_info"]
        revision = source.get("requested_revision")
        url = f"{source['vcs']}+{url}" + (f"@{revision}" if revision else "")
    if folder := origin.get("subdirectory"):
        url += f"#subdirectory={folder}"
    return f"{PROJECT}[{EXTRA}] @ {url}", False


def find_installer(installed: Distribution) -> list[str]:
    """Return the words of the command that installed a project: pipx, uv tool, uv or pip."""
    if Path(sys.prefix, "pipx_metadata.json").exists():
        return ["pipx", "install", "--force"]
    if Path(sys.prefix, "uv-receipt.toml").exists():
        return ["uv", "tool", "install", "--force"]
    if (installed.read_text("INSTALLER") or "").strip() == "uv":
        return ["uv", "pip", "install", "--python", sys.executable]
    return [sys.executable, "-m", "pip", "install"]
