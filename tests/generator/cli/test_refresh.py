"""Existing databases are refreshed, listed, searched and removed."""

import errno
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from hookwright.documentation import setup
from hookwright.project.reader import open_project
from hookwright_console.terminal import listening
from hookwright_documentation.databases import find_root

from ...support.acme_documentation import PREFIX, TOPICS, write_site
from ...support.command_line import CommandLine
from ...support.database_setup import set_up
from ...support.fake_documentation import write_database


def test_refresh_applies_changes(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    set_up(line, monkeypatch)
    assert "acme: nothing changed, 4 pages, " in line.output("refresh")
    write_site(line.folder / "site", {**TOPICS, "log": "Write each message to standard error."})
    (row,) = json.loads(line.output("refresh", "acme", "--json"))
    assert (row["changed"], row["pages"]) == (True, 5)
    output = line.error("refresh", "acmee")
    assert output == "hookwright: no documentation database 'acmee': did you mean acme?"


def test_unfixable_refresh_is_reported(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    set_up(line, monkeypatch)
    folder = find_root() / "acme"
    for path in (folder / "recipe.json", *folder.glob("*/database.json")):
        path.write_text("{")
    output = line.error("refresh", "acme")
    assert output.endswith("its recipe is lost: run hookwright remove acme")


def test_refresh_of_all_skips_piped_sources(
    line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(setup, "check_terminal", lambda **_: None)
        patch.setattr(setup, "ask_yes", lambda *_, **__: False)
        line.output("setup", "mytool", "-", given=b"mytool --fast: run without checks, soon\n")
    for several in (False, True):
        if several:
            set_up(line, monkeypatch)
        completed = line.run("refresh")
        assert completed.code == 0
        assert "mytool was built from a pipe, which cannot be read again" in completed.errors
    assert "acme: nothing changed" in completed.output
    assert "mytool was built from a pipe" in line.error("refresh", "mytool")


def test_refresh_has_no_setup_options(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    write_site(line.folder / "site")
    shutil.copy(line.folder / "site" / "install.html", line.folder / "site" / "index.html")
    told = set_up(line, monkeypatch)
    assert "language en: choose another with --language" in told
    assert "--language" not in line.output("refresh")
    write_site(line.folder / "site", {**TOPICS, "log": "Write each message to standard error."})
    assert "--language" not in line.output("refresh")


def test_refresh_with_large_losses_needs_confirmation(
    line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up(line, monkeypatch)
    for name in ("install", "deploy"):
        (line.folder / "site" / f"{name}.html").unlink()
    output = line.error("refresh")
    assert output.endswith(
        "acme would have 2 of 4 pages, so the old ones were kept: add --yes to replace them"
    )
    assert "acme: 2 pages" in line.output("refresh", "--yes")


@pytest.mark.long
def test_refresh_reports_its_steps(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    set_up(line, monkeypatch)
    (line.folder / "site" / "install.html").unlink()
    stages: list[str] = []
    with listening(lambda stage, _done, _total: stages.append(stage)):
        line.run("refresh", "acme", "--json")
    assert list(dict.fromkeys(stages)) == [
        *("Crawling acme", "Cutting", "Writing", "Reading", "Indexing")
    ]


def test_one_failure_does_not_stop_the_others(
    line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up(line, monkeypatch)
    set_up(line, monkeypatch, "other", "there")
    for path in (line.folder / "site").iterdir():
        path.unlink()
    completed = line.run("refresh")
    assert completed.code == 1
    assert len(completed.errors.splitlines()) == 1
    assert "other: nothing changed" in completed.output


def test_unreachable_site_fails_the_refresh(
    line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up(line, monkeypatch)
    (line.folder / "site").rename(line.folder / "away")
    assert "acme: kept the old pages: " in line.error("refresh")
    completed = line.run("refresh", "--json")
    (row,) = json.loads(completed.output)
    assert (completed.code, row["name"]) == (1, "acme")
    assert "no such folder" in row["error"]
    assert "4 pages" in line.output("docs", "--json").replace('"pages": 4', "4 pages")


def test_error_is_json_with_the_json_option(line: CommandLine) -> None:
    for words in (
        ("setup", "acme", "nowhere", "--yes"),
        ("refresh", "nothing"),
        ("share", "export", "nothing"),
        ("share", "import", "nothing.tar.bz2", "--yes"),
    ):
        completed = line.run(*words, "--json")
        assert completed.code
        assert completed.errors.strip() == "hookwright: " + json.loads(completed.output)["error"]


def test_database_from_another_source_is_not_replaced(
    line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hookwright.documentation import setup

    set_up(line, monkeypatch)
    write_site(line.folder / "other", {"log": "Write each message to standard error."})
    output = line.error("setup", "acme", "other", "--prefix", PREFIX, "--yes")
    assert output.endswith("site: use another --name, or run hookwright remove acme first")
    asked: list[str] = []
    monkeypatch.setattr(setup, "check_terminal", lambda **_: None)

    def refuse(question: str, **_: object) -> bool:
        asked.append(question)
        return False

    monkeypatch.setattr(setup, "ask_yes", refuse)
    assert "--name creates another" in line.error("setup", "acme", "other", "--prefix", PREFIX)
    assert asked[0].endswith(f"site: replace it with {line.folder / 'other'}?")
    assert json.loads(line.output("docs", "--json"))[0]["pages"] == 4


def test_docs_lists_and_searches(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    none = "no documentation databases yet: create one with hookwright setup"
    assert line.output("docs") == f"{none}\n"
    assert line.error("docs", "search", "acme", "x") == f"hookwright: {none}"
    set_up(line, monkeypatch, options=("--license", "MIT"))
    (row,) = json.loads(line.output("docs", "--json"))
    assert {"name": "acme", "pages": 4, "license": "MIT", "prefix": PREFIX}.items() <= row.items()
    heading, cells = line.output("docs").splitlines()
    assert heading.split()[:3] == ["database", "pages", "passages"]
    assert cells.split()[:2] == ["acme", "4"]
    assert f"{PREFIX}session.html" in line.output("docs", "search", "acme", "signed", "cookies")
    (hit,) = json.loads(
        line.output("docs", "search", "acme", "signed", "cookies", "--top-k", "1", "--json")
    )
    assert (hit["url"], hit["headings"]) == (f"{PREFIX}session.html#session", ["How to session"])
    assert "signed cookies" in hit["text"]
    assert "query: expected a text" in line.error("docs", "search", "acme", " ", code=2)
    output = line.error("docs", "search", "acm", "x")
    assert output.endswith("no documentation database 'acm': did you mean acme?")


def test_damaged_database_is_listed(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    set_up(line, monkeypatch)
    (find_root() / "acme" / "current").write_text("nowhere")
    completed = line.run("docs")
    assert (completed.code, completed.output) == (
        1,
        "acme: the documentation database is damaged: run hookwright refresh acme\n",
    )
    assert "run hookwright refresh acme" in line.run("doctor", "--no-start").output
    assert "acme: 4 pages" in line.output("refresh", "acme")


def test_database_without_records_is_removed(
    line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up(line, monkeypatch)
    assert line.output("remove", "acme", "--yes") == "deleted the database acme\n"
    assert not find_root().exists()


def test_vanished_files_affect_one_row(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("acme", "flask"):
        write_database(find_root(), name)
    find = Path.rglob

    def find_or_fail(folder: Path, pattern: str) -> Iterator[Path]:
        if folder.name == "acme":
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(folder))
        return find(folder, pattern)

    monkeypatch.setattr(Path, "rglob", find_or_fail)
    completed = line.run("docs", "--json")
    acme, flask = json.loads(completed.output)
    assert completed.code == 1
    assert acme == {
        "name": "acme",
        "error": "acme cannot be read (No such file or directory): try again",
    }
    assert flask["pages"] == 2


def test_database_is_removed_with_its_records(
    line: CommandLine, monkeypatch: pytest.MonkeyPatch, kept: Path
) -> None:
    set_up(line, monkeypatch)
    here = ("--yes", "--project", kept)
    output = line.error("remove", "gitlab", "acme", "none", *here)
    assert "no record named 'none'" in output
    assert find_root().exists()
    output = line.output("remove", "gitlab", "acme", *here)
    assert "Remove gitlab: done" in output
    assert "deleted the database acme" in output
    assert not find_root().exists()
    assert [database["keywords"][0] for database in open_project(kept).databases] == ["kubernetes"]
