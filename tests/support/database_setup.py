"""Build documentation databases from the command line."""

import pytest

from .acme_documentation import PREFIX, write_site
from .command_line import CommandLine


def set_up(
    line: CommandLine,
    monkeypatch: pytest.MonkeyPatch,
    name: str = "acme",
    folder: str = "site",
    options: tuple[str, ...] = (),
) -> str:
    """Build a database from a folder without registering it; return the output."""
    from hookwright.documentation import setup

    write_site(line.folder / folder)
    with monkeypatch.context() as patch:
        patch.setattr(setup, "check_terminal", lambda **_: None)
        patch.setattr(setup, "ask_yes", lambda *_, **__: False)
        return line.output("setup", name, folder, "--prefix", PREFIX, *options)
