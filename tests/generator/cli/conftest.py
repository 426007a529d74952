"""Fixtures of the tests of commands."""

import pytest

from ...support.acme_documentation import write_site
from ...support.command_line import CommandLine


@pytest.fixture
def line(hookwright_line: CommandLine) -> CommandLine:
    write_site(hookwright_line.folder / "site")
    return hookwright_line
