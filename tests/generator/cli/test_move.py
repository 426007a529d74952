"""`hookwright move` changes the order in which routes are tried."""

from pathlib import Path

import pytest

from ...support.command_line import CommandLine
from ...support.project import GITLAB, KUBERNETES
from ...support.rendered_project import build_tables, read_answers, read_route_tables, read_tables


def list_routes(folder: Path) -> list[str]:
    names = [row["name"] for row in read_route_tables(folder).routes]
    assert names == list(read_answers(folder)["routes"])
    return names


def test_route_is_moved(hookwright_line: CommandLine, kept: Path) -> None:
    options = ("--yes", "--project", kept)
    output = hookwright_line.output("move", "linear", "--first", *options)
    assert "\nMove linear first: done, and committed\n" in output
    assert list_routes(kept) == ["linear", "atlassian", "github-pr"]
    assert hookwright_line.output("move", "github-pr", "--last", *options) == "nothing changes\n"


def test_database_is_moved(hookwright_line: CommandLine, kept: Path) -> None:
    hookwright_line.output("move", "kubernetes", "--before", "gitlab", "--yes", "--project", kept)
    assert read_tables(kept) == build_tables([KUBERNETES, GITLAB])


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["linear"], 2, "say where: --before NAME, --after NAME, --first or --last"),
        (["linear", "--first", "--last"], 2, "use only one of --before NAME"),
        (["linear", "--first", "--after", "github-pr"], 2, "use only one of"),
        (["linear", "--before", "github"], 1, "'github': did you mean github-pr"),
        (["linaer", "--first"], 1, "no record named 'linaer': did you mean linear?"),
        (["linear", "--frist"], 2, "unknown option --frist: did you mean --first or --last?"),
    ],
)
def test_mistake_is_reported_in_one_line(
    hookwright_line: CommandLine, kept: Path, words: list[str], code: int, said: str
) -> None:
    assert said in hookwright_line.error("move", *words, "--yes", "--project", kept, code=code)
    assert list_routes(kept) == ["atlassian", "github-pr", "linear"]


@pytest.mark.long
def test_ineffective_move_is_reported(hookwright_line: CommandLine, kept: Path) -> None:
    hookwright_line.output(
        "add", "route", "all", "--pattern", "github", "--action", "allow", "--yes",
        "--project", kept,
    )  # fmt: skip
    completed = hookwright_line.run("move", "all", "--first", "--yes", "--project", kept)
    assert "allow routes are always tried first" in completed.errors
    assert next(iter(read_answers(kept)["routes"])) == "all"


def test_route_is_added_at_its_position(hookwright_line: CommandLine, kept: Path) -> None:
    fields = ("--pattern", "example[.]com", "--message", "No.", "--yes", "--project", kept)
    hookwright_line.output("add", "route", "new", "--before", "linear", *fields)
    assert list_routes(kept) == ["atlassian", "github-pr", "new", "linear"]
    line = hookwright_line.error("add", "route", "x", *fields, "--before", "github-rp")
    assert "no record named 'github-rp': did you mean github-pr?" in line
    line = hookwright_line.error("add", "route", "x", *fields, "--first", "--before", "new", code=2)
    assert "use either --before or --first" in line
