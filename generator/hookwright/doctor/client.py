"""Check that the client is installed, and new enough for what the hooks use."""

from collections.abc import Iterator

from hookwright.clients.claude import program
from hookwright.clients.claude.settings import find_bans, find_faults
from hookwright.doctor.finding import Finding
from hookwright.doctor.setup import Setup


def check_client(setup: Setup) -> Iterator[Finding]:
    """Check that there is a client, and that it is new enough."""
    path = program.find_program()
    if not path:
        line = f"{program.COMMAND} is not on PATH: install {program.NAME}"
        yield Finding("client", "warn", line)
        return
    version = program.read_version(path)
    if not version:
        line = f"{path} does not print its version: run {program.COMMAND} doctor"
        yield Finding("client", "warn", line)
        return
    name = f"{program.NAME} {word_version(version)}"
    uses = {"denials": program.DENIES} if setup.databases or setup.routes else {}
    uses |= {"HTTP hooks": program.ASKS_ITSELF} if setup.asks_itself else {}
    for what, first in uses.items():
        if version < first:
            line = f"{name} is too old, {what} need {word_version(first)}"
            yield Finding("client", "fault", f"{line}: run {program.COMMAND} update")
            return
    yield Finding("client", "ok", f"{name} is new enough")


def word_version(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def check_settings(setup: Setup) -> Iterator[Finding]:
    """Check the settings that the client reads in the current folder."""
    url = f"{setup.lesson_url}/hooks/user-prompt-submit" if setup.asks_itself else ""
    faults = [fault for path in setup.settings for fault in find_faults(path)]
    faults += find_bans(setup.settings, url)
    for fault in faults:
        yield Finding("settings", "fault", fault)
    read = [str(path) for path in setup.settings if path.exists()]
    if not faults:
        line = f"valid: {', '.join(read)}" if read else "no settings files here"
        yield Finding("settings", "ok", line)
