"""Help for both command lines is readable, and both print their version."""

import re
import sys
from typing import Any

import pytest

import hookwright.cli.main
import lesson_search.cli.main
from hookwright import __version__
from hookwright_console.commands import LazyCommands, load_command

from ..support.command_line import CommandLine

LINES = [hookwright.cli.main.COMMAND_LINE, lesson_search.cli.main.COMMAND_LINE]
COMMANDS = [(line, name) for line in LINES for name in line.commands]


def list_help(command: Any, name: str) -> list[str]:
    import typer

    context = typer.Context(command, info_name=name)
    return [
        command.get_help(context),
        *(
            text
            for subcommand in getattr(command, "commands", {}).values()
            for text in list_help(subcommand, name)
        ),
    ]


def test_help_uses_readable_value_names() -> None:
    for line, name in COMMANDS:
        for text in list_help(load_command(line, name), name):
            assert not re.search(r"<[a-z]|list\[|\brange>", text), text


def test_metavar_follows_the_option_name(hookwright_line: CommandLine) -> None:
    text = hookwright_line.output("add", "route", "--help")
    assert "--pattern PATTERN " in text
    assert "--action block|allow|warn " in text
    assert "--scope user|project|local " in hookwright_line.output("doctor", "--help")


@pytest.mark.parametrize("line", LINES)
def test_help_fits_a_narrow_terminal(
    line: LazyCommands, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr(sys, "argv", ["program", "--help"])
    line("program", standalone_mode=False)
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 60


def test_version_is_printed(hookwright_line: CommandLine, command_line: CommandLine) -> None:
    assert hookwright_line.output("--version") == f"hookwright {__version__}\n"
    assert command_line.output("--version") == f"lesson-search {__version__}\n"
