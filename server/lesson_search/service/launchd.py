"""Run the server by launchd, as an agent of the user's."""

import os
import plistlib
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from xml.parsers.expat import ExpatError

from lesson_search.service import ServiceError, ask_system, check_words, tell_system

LABEL = "hookwright.lesson-search"
STATE = re.compile(r"(?m)^[ \t]*state = (.+)$")
ENDING = 10.0  # seconds that an agent has to end
LOOK = 0.1  # seconds between two looks whether it has


class Launchd:
    """The user's launchd."""

    after_logout = ""

    def __init__(self, home: Path) -> None:
        """Look after the agents in a home folder."""
        self._path = home / "Library" / "LaunchAgents" / f"{LABEL}.plist"
        self._domain = f"gui/{os.getuid()}"
        self._name = f"{self._domain}/{LABEL}"
        self.log = str(home / "Library" / "Logs" / "lesson-search.log")

    def install(self, command: Sequence[str]) -> Path:
        """Run a command now and at each start, and return the agent; raises ServiceError."""
        check_words(command)
        before = self._read()
        self._write(
            plistlib.dumps(
                {
                    "Label": LABEL,
                    "ProgramArguments": list(command),
                    "RunAtLoad": True,
                    "KeepAlive": {"SuccessfulExit": False},
                    "StandardOutPath": self.log,
                    "StandardErrorPath": self.log,
                }
            )
        )
        try:
            self._end()
            tell_system("launchctl", "bootstrap", self._domain, str(self._path))
        except ServiceError:
            self._restore(before)
            raise
        return self._path

    def remove(self) -> bool:
        """End the service, and take it away; return whether there was one. Raises ServiceError."""
        if self._read() is None:
            return False
        self._end()
        self._path.unlink()
        return True

    def read_state(self) -> str:
        """Return "running", "not installed", or what else launchd calls its state."""
        if self._read() is None:
            return "not installed"
        shown = ask_system("launchctl", "print", self._name)
        state = STATE.search(shown.stdout)
        return state[1] if state and not shown.returncode else "not loaded"

    def _end(self) -> None:
        """End the agent where it is loaded, and wait until it is not."""
        deadline = time.monotonic() + ENDING
        if not self._is_loaded():
            return
        tell_system("launchctl", "bootout", self._name)
        while self._is_loaded() and time.monotonic() < deadline:
            time.sleep(LOOK)

    def _is_loaded(self) -> bool:
        """Return whether launchd knows the agent."""
        return ask_system("launchctl", "print", self._name).returncode == 0

    def _read(self) -> bytes | None:
        """Return the agent that there is, or None; raise ServiceError where it is another's."""
        try:
            agent = self._path.read_bytes()
            label = plistlib.loads(agent)["Label"]
        except FileNotFoundError:
            return None
        except OSError as error:
            raise ServiceError(f"{self._path}: {error.strerror}: mend that") from None
        except (plistlib.InvalidFileException, ExpatError, ValueError, TypeError, LookupError):
            label = ""
        if label != LABEL:
            raise ServiceError(f"{self._path} was not written by this: move it away")
        return agent

    def _write(self, agent: bytes) -> None:
        """Write the agent, or raise ServiceError."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_bytes(agent)
        except OSError as error:
            raise ServiceError(f"{self._path}: {error.strerror}: mend that") from None

    def _restore(self, before: bytes | None) -> None:
        """Have all as it was before an attempt to install."""
        if before is None:
            self._path.unlink()
            return
        self._write(before)
        with suppress(ServiceError):
            ask_system("launchctl", "bootstrap", self._domain, str(self._path))
