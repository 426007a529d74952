"""Run the server by systemd, as a unit of the user's."""

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from lesson_search.service import ServiceError, ask_system, check_words, tell_system

UNIT = "lesson-search.service"
MARK = "# Written by lesson-search service install; lesson-search service remove takes it away."
PLAIN = re.compile(r"[\w/.:=@+,-]+", re.ASCII)
REFUSED = re.compile(r"""["'\\]""")  # in the path of a program
SYSTEMCTL = ("systemctl", "--user")


class Systemd:
    """The user's systemd."""

    after_logout = "loginctl enable-linger"
    log = "journalctl --user --unit lesson-search"

    def __init__(self, config: Path) -> None:
        """Look after units in a folder of settings, such as ~/.config."""
        self._path = config / "systemd" / "user" / UNIT

    def install(self, command: Sequence[str]) -> Path:
        """Run a command now and at each start, and return the unit; raises ServiceError."""
        unit = write_unit(command)
        before = self._read()
        self._write(unit)
        try:
            tell_system(*SYSTEMCTL, "daemon-reload")
            tell_system(*SYSTEMCTL, "enable", "--now", UNIT)
            if before is not None:  # which has been running by what it said before
                tell_system(*SYSTEMCTL, "restart", UNIT)
        except ServiceError:
            self._restore(before)
            raise
        return self._path

    def remove(self) -> bool:
        """End the service, and take it away; return whether there was one. Raises ServiceError."""
        if self._read() is None:
            return False
        tell_system(*SYSTEMCTL, "disable", "--now", UNIT)
        self._path.unlink()
        tell_system(*SYSTEMCTL, "daemon-reload")
        return True

    def read_state(self) -> str:
        """Return "running", "not installed", or what else systemd calls its state."""
        if self._read() is None:
            return "not installed"
        state = ask_system(*SYSTEMCTL, "is-active", UNIT)
        said = (state.stdout.strip() or state.stderr.strip() or "unknown").splitlines()[0]
        return "running" if said == "active" else said

    def _read(self) -> str | None:
        """Return the unit that there is, or None; raise ServiceError where it is another's."""
        try:
            unit = self._path.read_text("utf-8", errors="replace")
        except FileNotFoundError:
            return None
        except OSError as error:
            raise ServiceError(f"{self._path}: {error.strerror}: mend that") from None
        if not unit.startswith(MARK):
            raise ServiceError(f"{self._path} was not written by this: move it away")
        return unit

    def _write(self, unit: str) -> None:
        """Write the unit, or raise ServiceError."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_text(unit, "utf-8")
        except OSError as error:
            raise ServiceError(f"{self._path}: {error.strerror}: mend that") from None

    def _restore(self, before: str | None) -> None:
        """Have all as it was before an attempt to install."""
        if before is None:
            with suppress(ServiceError):
                ask_system(*SYSTEMCTL, "disable", "--now", UNIT)
            self._path.unlink()
        else:
            self._write(before)
        with suppress(ServiceError):
            ask_system(*SYSTEMCTL, "daemon-reload")


def write_unit(command: Sequence[str]) -> str:
    """Return a unit that runs a command, or raise ServiceError where it cannot be written."""
    check_words(command)
    if REFUSED.search(command[0]):
        raise ServiceError(
            f"{command[0]}: systemd runs no program with quotes or backslashes in its path: "
            "install it elsewhere"
        )
    return f"""{MARK}
[Unit]
Description=Lesson search server

[Service]
Type=exec
# The colon keeps dollar signs as they are.
ExecStart=:{" ".join(map(quote, command))}
Restart=on-failure
RestartSec=5

[Install]
WantedBy=default.target
"""


def quote(word: str) -> str:
    """Return a word as systemd takes it for just that.

    After systemd.service(5) and systemd.unit(5): quotes and backslashes are escaped, and a percent
    sign is doubled.
    """
    if PLAIN.fullmatch(word):
        return word
    escaped = word.replace("\\", r"\\").replace('"', r"\"").replace("%", "%%")
    return f'"{escaped}"'
