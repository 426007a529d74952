"""With --json, errors are JSON, wherever in the command line they occur."""

import json
from pathlib import Path

import pytest

from ...support.command_line import CommandLine


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["docs", "--bogus", "--json"], 2, "unknown option --bogus: see hookwright docs --help"),
        (["docs", "list", "--json"], 2, "No such command 'list': see hookwright docs --help"),
        (["docs", "serch", "--json"], 2, "No such command 'serch': did you mean search?"),
        (["setup", "--jsn", "--json"], 2, "unknown option --jsn: did you mean --json"),
        (["setup", "x", "y", "--max-pages", "0", "--json"], 2, "greater than or equal to 1"),
        (["docs", "search", "--json"], 2, "Missing argument"),
        (["bogus", "--json"], 2, "No such command 'bogus': see hookwright --help"),
        (["setup", "--stack", "nowhere", "--json"], 2, "no folder nowhere"),
        (["setup", "acme", "./nowhere", "--json"], 2, "no folder ./nowhere"),
        (["refresh", "acme", "--json"], 1, "no documentation databases yet"),
        (["docs", "search", "acme", "x", "--json"], 1, "no documentation databases yet"),
        (["list", "--json"], 1, "no hooks are installed"),
    ],
)
def test_error_is_json(line: CommandLine, words: list[str], code: int, told: str) -> None:
    completed = line.run(*words)
    assert completed.code == code
    (error,) = json.loads(completed.output).items()
    assert error[0] == "error"
    assert told in error[1]
    assert completed.errors == f"hookwright: {error[1]}\n"


def test_error_without_the_option_is_plain_text(line: CommandLine) -> None:
    assert line.run("docs", "--bogus").output == ""
    assert line.run("refresh", "--", "--json").output == ""


def test_recipe_faults_are_json(line: CommandLine, tmp_path: Path) -> None:
    sound, odd = tmp_path / "sound.yml", tmp_path / "odd.yml"
    sound.write_text(Path(__file__).parents[3].joinpath("recipes/flask.yml").read_text())
    odd.write_text("name: 3\n")
    completed = line.run("share", "check", "--json", odd, sound.rename(tmp_path / "flask.yml"))
    assert completed.code == 1
    first, second = json.loads(completed.output)
    assert first["file"] == str(odd)
    assert {"field", "value", "way_out"} == first["faults"][0].keys()
    assert second["faults"] == []
