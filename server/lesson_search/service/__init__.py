"""Have the system run the server: at each start, and anew where it fails."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from hookwright_console.text import make_printable

PATIENCE = 60  # seconds


class ServiceError(Exception):
    """What keeps the service from being set up or removed, in one line with the way out."""


class ServiceManager(Protocol):
    """What runs services for a user.

    Args:
        after_logout: What keeps the service running after the user has logged out, or "".
        log: Where the service's messages are found.

    """

    after_logout: str
    log: str

    def install(self, command: Sequence[str]) -> Path:
        """Run a command now and at each start, and return the file that says so.

        Raises:
            ServiceError: That cannot be; all is then as before.

        """
        ...

    def remove(self) -> bool:
        """End the service, and take it away; return whether there was one.

        Raises:
            ServiceError: That cannot be; all is then as before.

        """
        ...

    def read_state(self) -> str:
        """Return "running", "not installed", or what else the system calls its state."""
        ...


def find_manager() -> ServiceManager:
    """Return what runs services on this system, or raise ServiceError where that is not known."""
    from lesson_search.service.launchd import Launchd
    from lesson_search.service.systemd import Systemd

    if sys.platform == "darwin":
        return Launchd(find_home())
    if sys.platform.startswith("linux"):
        return Systemd(find_config())
    raise ServiceError(
        f"services of {sys.platform} are not known here: have lesson-search serve run at log-in"
    )


def find_home() -> Path:
    """Return the user's home folder, or raise ServiceError where there is none."""
    try:
        return Path.home()
    except RuntimeError:
        raise ServiceError("there is no home folder: set HOME to one") from None


def find_config() -> Path:
    """Return the folder of the user's settings, or raise ServiceError where there is none."""
    chosen = os.environ.get("XDG_CONFIG_HOME", "")
    return Path(chosen) if chosen.startswith("/") else find_home() / ".config"


def ask_system(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the system, which may fail.

    Raises:
        ServiceError: It cannot be run.

    """
    try:
        return subprocess.run(  # noqa: S603 - the system's own programs
            words, check=False, capture_output=True, errors="replace", text=True, timeout=PATIENCE
        )
    except FileNotFoundError:
        raise ServiceError(
            f"{words[0]} is missing: have this system run lesson-search serve as it runs others"
        ) from None
    except OSError as error:
        raise ServiceError(f"{words[0]} cannot be run ({error.strerror}): mend that") from None
    except subprocess.TimeoutExpired:
        raise ServiceError(f"{' '.join(words)} takes more than {PATIENCE} seconds") from None


def tell_system(*words: str) -> None:
    """Run a command of the system, or raise ServiceError with what it says."""
    ended = ask_system(*words)
    if ended.returncode:
        said = (ended.stderr.strip() or ended.stdout.strip() or "no reason given").splitlines()[0]
        raise ServiceError(make_printable(f"{' '.join(words)}: {said}"))


def check_words(command: Sequence[str]) -> None:
    """Raise ServiceError where a word of a command cannot stand in a file of text."""
    for word in command:
        if not word.isprintable():
            raise ServiceError(
                f"'{make_printable(word)}' cannot be written into a service: rename it"
            )
