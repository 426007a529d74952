"""Commands are listed in one table and imported only when called."""

import subprocess
import sys

import pytest

from hookwright.cli.main import COMMANDS

from ...support.command_line import CommandLine
from ...support.project import ROOT


def test_summary_is_the_first_line_of_a_command_s_help(hookwright_line: CommandLine) -> None:
    for name in COMMANDS:
        usage, _, purpose, *_ = hookwright_line.output(name, "--help").splitlines()
        assert usage.startswith(f"Usage: hookwright {name} ")
        assert purpose.strip() == COMMANDS[name].summary


def test_help_imports_no_command() -> None:
    code = "import sys; from hookwright.cli.main import run; run(); print(*sys.modules)"
    completed = subprocess.run(
        [sys.executable, "-c", code, "--help"], capture_output=True, check=True, text=True
    )
    imported = completed.stdout.splitlines()[-1].split()
    assert not {"copier", "yaml", "hookwright.cli.new"}.intersection(imported)


def test_command_imports_no_other_command() -> None:
    code = "import sys; from hookwright.cli.main import run; run(); print(*sys.modules)"
    completed = subprocess.run(
        [sys.executable, "-c", code, "list", "--help"], capture_output=True, check=True, text=True
    )
    imported = completed.stdout.splitlines()[-1].split()
    assert "hookwright.cli.list_records" in imported
    assert not {"questionary", "copier", "hookwright.cli.new"}.intersection(imported)


def test_similar_name_is_suggested(hookwright_line: CommandLine) -> None:
    assert "did you mean list?" in hookwright_line.error("lst", code=2)


def test_former_name_works_with_a_notice(hookwright_line: CommandLine) -> None:
    completed = hookwright_line.run("mend", "--help")
    assert completed.output == hookwright_line.run("tune", "--help").output
    assert completed.errors == "hookwright: hookwright mend was renamed to hookwright tune\n"


@pytest.mark.long
@pytest.mark.parametrize(
    ("command", "free_of"),
    [
        (("list", "--json"), {"copier", "jinja2", "mcp", "questionary", "rich", "yaml"}),
        (("try", "--json", "fastapi auth"), {"copier", "http", "mcp", "questionary"}),
    ],
    ids=["list", "try"],
)
def test_frequent_command_imports_few_modules(command: tuple[str, ...], free_of: set[str]) -> None:
    code = "import sys; from hookwright.cli.main import run; run(); print(*sys.modules)"
    completed = subprocess.run(
        [sys.executable, "-c", code, *command, "--project", str(ROOT / "examples" / "rendered")],
        capture_output=True,
        check=False,
        text=True,
    )
    imported = completed.stdout.splitlines()[-1].split()
    assert "hookwright.project.reader" in imported
    assert not free_of.intersection(imported)
