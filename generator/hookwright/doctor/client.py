"""Check that the client is installed, and new enough for what the hooks use."""

from collections.abc import Iterator

from hookwright.clients.claude import program
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
