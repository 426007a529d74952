"""Check that the client can read its settings, and that these allow the hooks."""

from collections.abc import Iterator

from hookwright.clients.claude.settings import find_bans, find_faults
from hookwright.doctor.finding import Finding
from hookwright.doctor.setup import Setup


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
