"""Run the server as a system service: it starts with the system and again after a crash."""

import os
import sys
from pathlib import Path

from hookwright_console.errors import ReportedError
from hookwright_console.system_service.launchd import LaunchdService
from hookwright_console.system_service.systemd import SystemdService
from hookwright_console.system_service.user_service import UserService


def find_service() -> UserService:
    """Return the service of this system's kind, or raise ReportedError if it has none."""
    if sys.platform == "darwin":
        return LaunchdService(find_home())
    if sys.platform.startswith("linux"):
        return SystemdService(find_config())
    raise ReportedError(
        f"cannot install a service on {sys.platform}: run lesson-search serve at login instead"
    )


def find_home() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        raise ReportedError("cannot find your home folder: set HOME") from None


def find_config() -> Path:
    """Return the folder for the user's settings, such as ~/.config."""
    chosen = os.environ.get("XDG_CONFIG_HOME", "")
    return Path(chosen) if chosen.startswith("/") else find_home() / ".config"
