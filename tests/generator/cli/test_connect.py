"""A team's server is connected, searched and disconnected."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hookwright.clients.claude.settings import locate_main
from hookwright.documentation.registration import locate_settings
from hookwright.project.reader import open_project
from hookwright_documentation.databases import FOLDER

from ...support.acme_documentation import PREFIX, write_site
from ...support.command_line import CommandLine, serve
from ...support.documentation_server import refusing
from ...support.git_repository import git

TOOL = "mcp__team-docs__search_docs"
TOKEN = "HOOKWRIGHT_DOCS_TOKEN"  # noqa: S105 - a name
ROW = {
    "name": "acme",
    "keywords": ["acme"],
    "title": "acme documentation",
    "prefix": PREFIX,
    "version": "",
    "pages": 4,
}


@pytest.fixture
def line(hookwright_line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.setenv(TOKEN, "read")
    return hookwright_line


@pytest.fixture
def team(line: CommandLine, tmp_path: Path) -> Iterator[str]:
    write_site(line.folder / "site")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(FOLDER, str(tmp_path / "team"))
        from hookwright_documentation.build import build
        from hookwright_documentation.recipes.recipe import Recipe

        build(Recipe("acme", ("acme", "rocket"), str(line.folder / "site"), PREFIX), None, print)
        tokens = {"LESSON_SEARCH_TOKEN": "full", "LESSON_SEARCH_READ_TOKEN": "read"}
        with serve(tmp_path / "lessons", "--search-processes", "1", **tokens) as url:
            patch.undo()
            yield url


def read(path: Path) -> Any:
    return json.loads(path.read_text())


def test_connect_and_disconnect_round_trip(line: CommandLine, team: str, monkeypatch: Any) -> None:
    done = json.loads(line.output("connect", team, "--yes", "--project", "hooks", "--json"))
    assert done["databases"] == ["acme"]
    assert done["proof"].startswith(PREFIX)
    entry = read(locate_main())["mcpServers"]["team-docs"]
    assert entry["url"] == f"{team}/mcp"
    assert entry["headers"] == {"Authorization": f"Bearer ${{{TOKEN}}}"}
    assert TOOL in read(locate_settings())["permissions"]["allow"]
    (record,) = open_project(line.folder / "hooks").databases
    assert (record["mcp_tool_name"], record["keywords"]) == (TOOL, ["acme", "rocket"])
    assert "0 faults" in line.output("doctor", "--project", "hooks")
    monkeypatch.setenv(TOKEN, "other")
    told = line.run("doctor", "--project", "hooks").output
    assert f"the server team-docs rejects the token at {team}/mcp" in told
    monkeypatch.delenv(TOKEN)
    told = line.run("doctor", "--project", "hooks").output
    assert f"the server team-docs needs a token: set the variable {TOKEN}" in told
    line.output("remove", "acme", "--project", "hooks", "--yes")
    assert not locate_main().exists()
    assert not locate_settings().exists()


@pytest.fixture
def _offered(monkeypatch: pytest.MonkeyPatch) -> None:
    from hookwright.cli import connect
    from hookwright.documentation.team_server import read_row

    monkeypatch.setattr(connect, "list_shared", lambda server, _: ([read_row(ROW, server)], {}))
    monkeypatch.setattr(connect, "prove_shared", lambda *_: PREFIX)


@pytest.mark.long
@pytest.mark.usefixtures("_offered")
def test_record_is_added_and_removed(line: CommandLine, kept: Path) -> None:
    before = open_project(kept).databases
    output = line.output("connect", "https://team.example", "--project", kept, "--yes")
    assert "https://team.example/mcp offers, in its own words:" in output
    assert open_project(kept).databases == [*before, open_project(kept).databases[-1]]
    assert git(kept, "log", "--format=%s").splitlines()[0] == "Add acme of team-docs"
    output = line.output("remove", "acme", "--project", kept, "--yes")
    assert "the server team-docs is no longer configured" in output
    assert open_project(kept).databases == before
    assert not locate_main().exists()


@pytest.mark.usefixtures("_offered")
def test_unproven_connection_is_undone(
    line: CommandLine, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hookwright.cli import connect
    from hookwright.documentation.proof import UnprovenError

    def fail(*_: object) -> str:
        raise UnprovenError("the server team-docs finds nothing in acme: nothing")

    monkeypatch.setattr(connect, "prove_shared", fail)
    before = open_project(kept).databases
    output = line.error("connect", "https://team.example", "--project", kept, "--yes")
    assert output == "hookwright: the server team-docs finds nothing in acme: nothing"
    assert open_project(kept).databases == before
    assert not locate_main().exists()


@pytest.mark.usefixtures("_offered")
@pytest.mark.parametrize(
    ("words", "told", "code"),
    [
        (["team.example"], "expected a URL with https://, got team.example", 2),
        (["https://team.example", "acm"], "has no database acm: did you mean acme?", 1),
        (["https://team.example", "--server", "a b"], "--server: expected letters", 2),
        (["https://team.example", "--token-variable", "a b"], "--token-variable: expected", 2),
    ],
)
def test_mistakes_are_reported(line: CommandLine, words: list[str], told: str, code: int) -> None:
    assert told in line.error("connect", *words, "--yes", code=code)
    assert not locate_main().exists()


@pytest.mark.usefixtures("_offered")
def test_other_records_are_kept(
    line: CommandLine, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hookwright.cli import connect
    from hookwright.documentation.team_server import read_row

    row = {**ROW, "name": "gitlab", "keywords": ["gitlab"]}
    monkeypatch.setattr(connect, "list_shared", lambda server, _: ([read_row(row, server)], {}))
    output = line.error("connect", "https://team.example", "--project", kept, "--yes")
    assert (
        "has another database gitlab: name the databases to connect, or remove that one" in output
    )
    assert not locate_main().exists()


@pytest.mark.usefixtures("_offered")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "hookwright: the database bad cannot be: left out"),
        (["acme"], ""),
        (["bad"], "hookwright: the database bad cannot be"),
        (["acme", "bad"], "hookwright: the database bad cannot be"),
    ],
)
def test_invalid_database_is_skipped(
    line: CommandLine, kept: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], told: str
) -> None:
    from hookwright.cli import connect
    from hookwright.documentation.team_server import read_row

    faults = {"bad": "the database bad cannot be"}
    monkeypatch.setattr(connect, "list_shared", lambda server, _: ([read_row(ROW, server)], faults))
    monkeypatch.setattr(connect, "agree", fail_to_ask)
    completed = line.run("connect", "https://team.example", *words, "--project", kept, "--yes")
    assert ("offers, in its own words" in completed.output) is ("bad" not in words)
    assert [line for line in completed.errors.splitlines() if "bad" in line] == [told][: bool(told)]


@pytest.mark.usefixtures("_offered")
def test_server_without_a_valid_database_is_rejected(
    line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hookwright.cli import connect

    monkeypatch.setattr(connect, "list_shared", lambda *_: ([], {"bad": "bad cannot be"}))
    output = line.error("connect", "https://team.example", "--yes")
    assert output == "hookwright: bad cannot be"


def test_mistake_is_reported_before_the_terminal_check(line: CommandLine) -> None:
    assert "expected a URL with https://" in line.error("connect", "ftp://team.example", code=2)


@pytest.mark.parametrize("words", [["--yes"], []])
def test_token_over_plain_http_needs_confirmation(
    line: CommandLine, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    from hookwright.cli import connect

    sent: list[str] = []

    def list_nothing(server: Any, _: str) -> tuple[list[Any], dict[str, str]]:
        sent.append(server.name)
        return [], {}

    monkeypatch.setattr(connect, "list_shared", list_nothing)
    monkeypatch.setattr(connect, "check_terminal", lambda **_: None)
    monkeypatch.setattr(connect, "ask_yes", lambda *_, **__: False)
    completed = line.run("connect", "http://docs.team.example", *words)
    assert (
        "is not encrypted: others on the network can read your token"
        in completed.errors.splitlines()[0]
    )
    assert completed.code == 1
    assert sent == (["team-docs"] if words else [])


@pytest.mark.usefixtures("_offered")
def test_domains_are_shown_before_the_question(line: CommandLine, kept: Path) -> None:
    from hookwright.cli import connect
    from hookwright.documentation.team_server import build_team_server, read_row

    server = build_team_server("team-docs", "https://team.example/mcp", TOKEN)
    rows = [{**ROW, "keywords": [f"acme{n}" for n in range(98)] + ["gitlab", "rust"]}]
    databases = [read_row(row, server) for row in rows]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connect, "list_shared", lambda *_: (databases, {}))
        patch.setattr(connect, "agree", fail_to_ask)
        completed = line.run("connect", "https://team.example", "--project", kept, "--yes")
    assert "docs.acme.example" in completed.output
    assert {f"acme{n}," for n in range(98)} <= set(completed.output.split())
    assert "acme has the keyword gitlab, which is also of gitlab" in completed.errors
    assert "acme: rust is also an ordinary word" in completed.errors


def fail_to_ask(*_: object, **__: object) -> None:
    from hookwright_console.errors import DeclinedError

    raise DeclinedError("nothing changed")


def test_rejected_token_is_reported(line: CommandLine) -> None:
    with refusing(401) as url:
        output = line.error("connect", url, "--yes")
    assert output == (
        f"hookwright: the server team-docs rejects the token at {url}/mcp (status 401): "
        "ask its owner"
    )
