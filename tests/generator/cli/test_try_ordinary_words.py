"""`hookwright try` shows which words count for a technology with an ordinary name."""

import json
from pathlib import Path
from typing import Any

import pytest

from ...support.command_line import CommandLine
from ...support.project import GITLAB, render


def read(line: CommandLine, *words: str | Path) -> Any:
    return json.loads(line.output("try", "--json", *words))


@pytest.fixture(scope="module")
def ordinary(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    database = {**GITLAB, "name": "go", "keywords": ["golang", "Go", "gl"], "description": "Go"}
    return render(template, tmp_path_factory.mktemp("ordinary") / "hooks", databases=[database])


def test_words_for_and_against_are_shown(hookwright_line: CommandLine, ordinary: Path) -> None:
    output = hookwright_line.output("try", "Go goroutine panic trip", "--project", ordinary)
    assert (
        "  go: keyword 'Go' at character 1, for 'goroutine' +4, 'go' by itself +1, 'panic' +1, "
        "against 'trip' -2 (sum 4, above 0)\n"
    ) in output
    output = hookwright_line.output("try", "go on a trip", "--project", ordinary)
    assert "Allowed by docsearch:\n  not go: 'go' does not name Go: " in output
    assert "'trip' -2" in output


def test_words_for_and_against_are_exported(hookwright_line: CommandLine, ordinary: Path) -> None:
    (hook,) = read(hookwright_line, "go panic", "--project", ordinary)["hooks"]
    assert hook["databases"][0]["points"] == {"go": 1, "panic": 1}
    assert hook["databases"][0]["sum"] == 2
    (hook,) = read(hookwright_line, "go trip", "--project", ordinary)["hooks"]
    assert (hook["databases"], hook["vetoed"][0]["sum"]) == ([], -1)
    assert hook["vetoed"][0]["points"] == {"go": 1, "trip": -2}


def test_short_keyword_is_reported(hookwright_line: CommandLine, ordinary: Path) -> None:
    output = hookwright_line.output("try", "gl", "--project", ordinary)
    assert "go: 'gl' is also short for other things: if it denies other searches" in output
    (ambiguous,) = read(hookwright_line, "gl", "--project", ordinary)["ambiguous"]
    assert ambiguous == {"database": "go", "keyword": "gl", "mending": {"ambiguous": True}}
    assert "short for" not in hookwright_line.output("try", "golang", "--project", ordinary)
