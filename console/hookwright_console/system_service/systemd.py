"""The service as a user unit of systemd."""

import re
from collections.abc import Sequence
from pathlib import Path

from hookwright_console.errors import ReportedError
from hookwright_console.system_service.user_service import UserService, run

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


class SystemdService(UserService):
    """A user unit of systemd."""

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
        run(*SYSTEMCTL, "daemon-reload")
        run(*SYSTEMCTL, "enable", UNIT)
        run(*SYSTEMCTL, "restart", UNIT)

    def _stop(self) -> None:
        run(*SYSTEMCTL, "disable", "--now", UNIT)

    def _ask_state(self) -> str:
        ended = run(*SYSTEMCTL, "is-active", UNIT, check=False)
        state = (ended.stdout.strip() or ended.stderr.strip() or "unknown").splitlines()[0]
        return "running" if state == "active" else state


def quote(word: str) -> str:
    """Return a word quoted so that systemd reads it unchanged.

    See systemd.service(5) and systemd.unit(5): quotes and backslashes are escaped, and a percent
    sign is doubled.
    """
    if PLAIN.fullmatch(word):
        return word
    escaped = word.replace("\\", r"\\").replace('"', r"\"").replace("%", "%%")
    return f'"{escaped}"'
