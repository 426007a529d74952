"""A service of one user, defined by a file that the system reads."""

import os
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from hookwright_console.errors import ReportedError
from hookwright_console.files.atomic import find_mode, replacing
from hookwright_console.text import make_printable

TIMEOUT = 60  # seconds
OTHERWISE = "run lesson-search serve the way your system runs services"


class UserService(ABC):
    """A service that runs one command.

    Args:
        path: The file that defines it.
        mark: What the definitions of this program hold.
        log: Where its messages are.
        keep_running: The command that keeps it running after the user logs out, or "".

    """

    path: Path
    mark: bytes
    log: str
    keep_running = ""

    def install(self, command: Sequence[str]) -> None:
        """Run a command now and at every system start; if that fails, nothing changes."""
        for word in command:
            if not word.isprintable():
                name = make_printable(word)
                raise ReportedError(f"'{name}' has unprintable characters: rename it")
        definition = self.define(command)
        before = self._read()
        try:
            self._write(definition)
            self._start()
        except (ReportedError, OSError):
            with suppress(ReportedError, OSError):  # the first error says more
                self._restore(before)
            raise

    def remove(self) -> bool:
        if self._read() is None:
            return False
        self._stop()
        self.path.unlink()
        return True

    def read_state(self) -> str:
        """Return "running", "not installed" or another state in the system's words."""
        return "not installed" if self._read() is None else self._ask_state()

    def _read(self) -> bytes | None:
        if not self.path.exists():
            return None
        definition = self.path.read_bytes()
        if self.mark not in definition:
            raise ReportedError(f"{self.path} was not written by lesson-search: move it away")
        return definition

    def _write(self, definition: bytes) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        path = Path(os.path.realpath(self.path))  # a link stays
        with replacing(path, "wb", find_mode(path)) as file:
            file.write(definition)

    def _restore(self, before: bytes | None) -> None:
        if before is not None:
            self._write(before)
            self._start()
            return
        try:
            self._stop()
        finally:
            self.path.unlink(missing_ok=True)

    @abstractmethod
    def define(self, command: Sequence[str]) -> bytes:
        """Return the definition of a service that runs a command."""

    @abstractmethod
    def _start(self) -> None:
        """Have the system run what the definition says, instead of an older one."""

    @abstractmethod
    def _stop(self) -> None: ...

    @abstractmethod
    def _ask_state(self) -> str: ...


def run(*words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Run a program of the system; with `check`, its failure is a ReportedError."""
    try:
        ended = subprocess.run(  # noqa: S603 - the system's own programs
            words, check=False, capture_output=True, errors="replace", text=True, timeout=TIMEOUT
        )
    except FileNotFoundError:
        raise ReportedError(f"{words[0]} is missing: {OTHERWISE}") from None
    except subprocess.TimeoutExpired:
        raise ReportedError(
            f"{' '.join(words)} took more than {TIMEOUT} seconds: try again, or {OTHERWISE}"
        ) from None
    if check and ended.returncode:
        reason = (ended.stderr.strip() or ended.stdout.strip() or "no reason given").splitlines()[0]
        line = make_printable(f"{' '.join(words)}: {reason}")
        raise ReportedError(f"{line}: try again where you are logged in, or {OTHERWISE}")
    return ended
