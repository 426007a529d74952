"""Check that the client is installed, and new enough for what the hooks use."""

import re
import shutil
from collections.abc import Iterator

from hookwright.clients.claude.settings import find_bans, find_faults
from hookwright.doctor.finding import Finding
from hookwright.doctor.setup import Setup
from hookwright_console.programs import run_program

NAME, COMMAND = "Claude Code", "claude"
DENIES = (2, 1, 90)  # the first that takes a decision in JSON beside exit code 2
ASKS_ITSELF = (2, 1, 63)  # the first that has hooks that it asks by HTTP
TIME_LIMIT = 20  # seconds


def check_client(setup: Setup) -> Iterator[Finding]:
    path = find_program()
    if not path:
        line = f"{COMMAND} is not on PATH: install {NAME}"
        yield Finding("client", "warn", line)
        return
    version = read_version(path)
    if not version:
        line = f"{path} does not print its version: run {COMMAND} doctor"
        yield Finding("client", "warn", line)
        return
    name = f"{NAME} {format_version(version)}"
    uses = {"denials": DENIES} if setup.databases or setup.routes else {}
    uses |= {"HTTP hooks": ASKS_ITSELF} if setup.asks_itself else {}
    for what, first in uses.items():
        if version < first:
            line = f"{name} is too old, {what} need {format_version(first)}"
            yield Finding("client", "fault", f"{line}: run {COMMAND} update")
            return
    yield Finding("client", "ok", f"{name} is new enough")


def format_version(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def check_settings(setup: Setup) -> Iterator[Finding]:
    url = f"{setup.lesson_url}/hooks/user-prompt-submit" if setup.asks_itself else ""
    faults = [fault for path in setup.settings for fault in find_faults(path)]
    faults += find_bans(setup.settings, url)
    for fault in faults:
        yield Finding("settings", "fault", fault)
    read = [str(path) for path in setup.settings if path.exists()]
    if not faults:
        line = f"valid: {', '.join(read)}" if read else "no settings files here"
        yield Finding("settings", "ok", line)


def find_program() -> str | None:
    return shutil.which(COMMAND)


def read_version(path: str) -> tuple[int, ...]:
    ended = run_program([path, "--version"], TIME_LIMIT)
    found = re.match(r"(\d+)\.(\d+)\.(\d+)", ended.stdout if ended else "")
    return tuple(map(int, found.groups())) if found else ()
