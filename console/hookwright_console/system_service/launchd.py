"""The service as a user agent of launchd."""

import os
import plistlib
import re
import time
from collections.abc import Sequence
from pathlib import Path

from hookwright_console.system_service.user_service import UserService, run

LABEL = "hookwright.lesson-search"
STATE = re.compile(r"(?m)^[ \t]*state = (.+)$")
STOP_SECONDS = 10.0  # that an agent has to stop
POLL_SECONDS = 0.1


class LaunchdService(UserService):
    """A user agent of launchd."""

    mark = f"<string>{LABEL}</string>".encode()

    def __init__(self, home: Path) -> None:
        self.path = home / "Library" / "LaunchAgents" / f"{LABEL}.plist"
        self.log = str(home / "Library" / "Logs" / "lesson-search.log")
        self._domain = f"gui/{os.getuid()}"
        self._name = f"{self._domain}/{LABEL}"

    def define(self, command: Sequence[str]) -> bytes:
        return plistlib.dumps(
            {
                "Label": LABEL,
                "ProgramArguments": list(command),
                "RunAtLoad": True,
                "KeepAlive": {"SuccessfulExit": False},
                "StandardOutPath": self.log,
                "StandardErrorPath": self.log,
            }
        )

    def _start(self) -> None:
        self._stop()
        run("launchctl", "bootstrap", self._domain, str(self.path))

    def _stop(self) -> None:
        if not self._is_loaded():
            return
        run("launchctl", "bootout", self._name)
        deadline = time.monotonic() + STOP_SECONDS  # bootout returns before the agent has stopped
        while self._is_loaded() and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)

    def _ask_state(self) -> str:
        shown = run("launchctl", "print", self._name, check=False)
        state = STATE.search(shown.stdout)
        return state[1] if state and not shown.returncode else "not loaded"

    def _is_loaded(self) -> bool:
        return run("launchctl", "print", self._name, check=False).returncode == 0
