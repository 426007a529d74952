"""Look whether the client is there, and new enough for what the hooks make use of."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from hookwright.doctor.finding import Finding
from hookwright.doctor.setup import Setup

DENIES = (2, 1, 90)  # the first that takes a decision in JSON beside exit code 2
ASKS_ITSELF = (2, 1, 63)  # the first that has hooks that it asks by HTTP
PATIENCE = 20  # seconds


def check_client(setup: Setup) -> Iterator[Finding]:
    """Yield whether there is a Claude Code that is new enough."""
    path = shutil.which("claude")
    if not path:
        yield Finding("client", "warn", "there is no claude on PATH: install Claude Code")
        return
    try:
        ended = subprocess.run(  # noqa: S603 - the user's own
            [path, "--version"],
            cwd=Path.home(),  # as an interpreter
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            encoding="utf-8",
            errors="replace",
            timeout=PATIENCE,
        )
        found = re.match(r"(\d+)\.(\d+)\.(\d+)", ended.stdout)
    except (OSError, subprocess.TimeoutExpired):
        found = None
    if not found:
        yield Finding("client", "warn", f"{path} does not say its version: run claude doctor")
        return
    version = tuple(map(int, found.groups()))
    uses = {"denials": DENIES} if setup.databases or setup.routes else {}
    uses |= {"hooks by HTTP": ASKS_ITSELF} if setup.asks_itself else {}
    for what, first in uses.items():
        if version < first:
            since = ".".join(map(str, first))
            line = f"Claude Code {found[0]} is older than {since}, which {what} need: claude update"
            yield Finding("client", "fault", line)
            return
    yield Finding("client", "ok", f"Claude Code {found[0]}, new enough")
