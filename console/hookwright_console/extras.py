"""Find the command that installs an extra's packages, depending on how Hookwright was installed."""

import json
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from hookwright_console.errors import ReportedError

PROJECT = "hookwright"
UVX = re.compile(r"(?:archive|environments)-v\d+")  # folder names in uv's environment cache


@contextmanager
def needing(extra: str) -> Iterator[None]:
    """Raise ReportedError with the install command if a package of an extra is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise ReportedError(explain_missing(error.name or "a package", extra)) from None


def explain_missing(name: str, extra: str) -> str:
    """Return a one-line message that an extra's package is missing and how to install it."""
    try:
        installed = distribution(PROJECT)
    except PackageNotFoundError:
        way_out = f"install the checkout with its extra [{extra}]"
    else:
        command = find_command(installed, extra)
        way_out = f"run {command}" if command else f"install it again with its extra [{extra}]"
    return f"{name} is missing because the extra [{extra}] is not installed: {way_out}"


def find_command(installed: Distribution, extra: str) -> str:
    """Return the command that reinstalls a project with an extra, or "" if unknown.

    direct_url.json (PEP 610) records the origin, unless the project came from a package index.
    """
    origin = installed.read_text("direct_url.json")
    if origin is None:
        return shlex.join([*find_installer(installed), f"{PROJECT}[{extra}]"])
    try:
        requirement, editable = build_requirement(json.loads(origin), extra)
    except (ValueError, TypeError, KeyError, AttributeError):
        return ""
    words = [*find_installer(installed), *(["--editable"] if editable else []), requirement]
    return shlex.join(words)


def build_requirement(origin: dict[str, Any], extra: str) -> tuple[str, bool]:
    parts = urlsplit(origin["url"])
    if parts.scheme == "file" and "vcs_info" not in origin:
        return f"{unquote(parts.path)}[{extra}]", origin.get("dir_info", {}).get("editable", False)
    url = origin["url"]
    if "vcs_info" in origin:
        source = origin["vcs_info"]
        revision = source.get("requested_revision")
        url = f"{source['vcs']}+{url}" + (f"@{revision}" if revision else "")
    if folder := origin.get("subdirectory"):
        url += f"#subdirectory={folder}"
    return f"{PROJECT}[{extra}] @ {url}", False


def find_installer(installed: Distribution) -> list[str]:
    """Return the beginning of the command that installed a project: pipx, uv tool, uv or pip."""
    if Path(sys.prefix, "pipx_metadata.json").exists():
        return ["pipx", "install", "--force"]
    if Path(sys.prefix, "uv-receipt.toml").exists():
        return ["uv", "tool", "install", "--force"]
    if any(map(UVX.fullmatch, Path(sys.prefix).parts)):  # uvx environments are temporary
        return ["uv", "tool", "install"]
    if (installed.read_text("INSTALLER") or "").strip() == "uv":
        return ["uv", "pip", "install", "--python", sys.executable]
    return [sys.executable, "-m", "pip", "install"]
