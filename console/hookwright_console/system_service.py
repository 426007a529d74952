"""Run the server as a system service that starts with the system and restarts after a crash."""

import os
import plistlib
import re
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from hookwright_console.errors import RefusedError, ReportedError
from hookwright_console.files.atomic import PRIVATE, find_mode, replacing, write_whole
from hookwright_console.text import make_printable

VARIABLE = re.compile(r"([A-Za-z_]\w*)=(.*)", re.ASCII)
TIMEOUT = 60  # seconds to wait for a system program
OTHERWISE = "run lesson-search serve the way your system runs services"
LABEL = "hookwright.lesson-search"
STATE = re.compile(r"(?m)^[ \t]*state = (.+)$")
STOP_SECONDS = 10.0  # seconds to wait for an agent to stop
POLL_SECONDS = 0.1
UNIT = "lesson-search.service"
TEMPLATE = """# Written by lesson-search service install; lesson-search service remove removes it.
[Unit]
Description=Lesson search server

[Service]
Type=exec
# The colon keeps dollar signs as they are.
ExecStart=:{command}
Restart=on-failure
RestartSec=5

[Install]
WantedBy=default.target
"""
PLAIN = re.compile(r"[\w/.:=@+,-]+", re.ASCII)
QUOTES = re.compile(r"""["'\\]""")
SYSTEMCTL = ("systemctl", "--user")


def write_environment(path: Path, variables: Mapping[str, str]) -> None:
    """Write variables to a private file; without variables, remove the file."""
    for name, value in variables.items():
        if not value.isprintable():
            raise RefusedError(f"{name} contains unprintable characters: remove them")
    if not variables:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, [f"{name}={value}\n" for name, value in variables.items()], PRIVATE)


def read_environment(path: Path) -> dict[str, str]:
    """Return the variables in a file of NAME=VALUE lines; raises RefusedError."""
    place = make_printable(str(path))
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        raise RefusedError(f"cannot read {place}: {reason}") from None
    variables = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        found = VARIABLE.fullmatch(line)
        if not found:  # the line is not quoted: it may contain a token
            raise RefusedError(f"{place}:{number}: expected NAME=VALUE")
        variables[found[1]] = found[2]
    return variables


class UserService(ABC):
    """A system service that runs a single command.

    Args:
        path: The service's definition file.
        mark: Text that identifies definitions written by this program.
        log: The log file.
        keep_running: The command that keeps the service running after logout, or "".

    """

    path: Path
    mark: bytes
    log: str
    keep_running = ""

    def install(self, command: Sequence[str]) -> None:
        """Run a command now and at every system start; on failure, nothing changes."""
        if word := next((word for word in command if not word.isprintable()), ""):
            raise ReportedError(f"'{make_printable(word)}' has unprintable characters: rename it")
        definition = self.define(command)
        before = self._read()
        try:
            self._write(definition)
            self._start()
        except (ReportedError, OSError):
            with suppress(ReportedError, OSError):  # the first error is the informative one
                self._restore(before)
            raise

    def remove(self) -> bool:
        if self._read() is None:
            return False
        self._stop()
        self.path.unlink()
        return True

    def read_state(self) -> str:
        """Return "running", "not installed", or another state in the system's own words."""
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
        path = Path(os.path.realpath(self.path))  # if it is a link, the link is kept
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
        """Start the service from its definition, replacing the running one."""

    @abstractmethod
    def _stop(self) -> None: ...

    @abstractmethod
    def _ask_state(self) -> str: ...


def run_command(*words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Run a system program; with `check`, raise ReportedError if it fails."""
    try:
        completed = subprocess.run(  # noqa: S603 - the system's own programs
            words, check=False, capture_output=True, errors="replace", text=True, timeout=TIMEOUT
        )
    except FileNotFoundError:
        raise ReportedError(f"{words[0]} is missing: {OTHERWISE}") from None
    except subprocess.TimeoutExpired:
        raise ReportedError(
            f"{' '.join(words)} took more than {TIMEOUT} seconds: try again, or {OTHERWISE}"
        ) from None
    if check and completed.returncode:
        reason = (
            completed.stderr.strip() or completed.stdout.strip() or "no reason given"
        ).splitlines()[0]
        line = make_printable(f"{' '.join(words)}: {reason}")
        raise ReportedError(f"{line}: try again where you are logged in, or {OTHERWISE}")
    return completed


class LaunchdService(UserService):
    """A launchd user agent."""

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
        run_command("launchctl", "bootstrap", self._domain, str(self.path))

    def _stop(self) -> None:
        if not self._is_loaded():
            return
        run_command("launchctl", "bootout", self._name)
        deadline = time.monotonic() + STOP_SECONDS  # bootout returns before the agent has stopped
        while self._is_loaded() and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)

    def _ask_state(self) -> str:
        shown = run_command("launchctl", "print", self._name, check=False)
        state = STATE.search(shown.stdout)
        return state[1] if state and not shown.returncode else "not loaded"

    def _is_loaded(self) -> bool:
        return run_command("launchctl", "print", self._name, check=False).returncode == 0


class SystemdService(UserService):
    """A systemd user unit."""

    mark = b"# Written by lesson-search service install;"
    keep_running = "loginctl enable-linger"
    log = "journalctl --user --unit lesson-search"

    def __init__(self, config: Path) -> None:
        self.path = config / "systemd" / "user" / UNIT

    def define(self, command: Sequence[str]) -> bytes:
        if QUOTES.search(command[0]):
            raise ReportedError(
                f"{command[0]}: systemd runs no program with quotes or backslashes in its path:"
                " install it elsewhere"
            )
        return TEMPLATE.format(command=" ".join(map(quote, command))).encode()

    def _start(self) -> None:
        run_command(*SYSTEMCTL, "daemon-reload")
        run_command(*SYSTEMCTL, "enable", UNIT)
        run_command(*SYSTEMCTL, "restart", UNIT)

    def _stop(self) -> None:
        run_command(*SYSTEMCTL, "disable", "--now", UNIT)

    def _ask_state(self) -> str:
        completed = run_command(*SYSTEMCTL, "is-active", UNIT, check=False)
        state = (completed.stdout.strip() or completed.stderr.strip() or "unknown").splitlines()[0]
        return "running" if state == "active" else state


def quote(word: str) -> str:
    """Quote a word for a systemd unit.

    See systemd.service(5) and systemd.unit(5): quotes and backslashes are escaped, and a percent
    sign is doubled.
    """
    if PLAIN.fullmatch(word):
        return word
    escaped = word.replace("\\", r"\\").replace('"', r"\"").replace("%", "%%")
    return f'"{escaped}"'


def find_service() -> UserService:
    """Return this system's kind of service; raises ReportedError if it is unsupported."""
    if sys.platform == "darwin":
        return LaunchdService(Path.home())
    if sys.platform.startswith("linux"):
        return SystemdService(find_config())
    raise ReportedError(
        f"cannot install a service on {sys.platform}: run lesson-search serve at login instead"
    )


def find_config() -> Path:
    """Return the user's configuration folder, such as ~/.config."""
    chosen = os.environ.get("XDG_CONFIG_HOME", "")
    return Path(chosen) if chosen.startswith("/") else Path.home() / ".config"
