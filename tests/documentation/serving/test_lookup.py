"""Databases are found by name, and changes to them are detected."""

import shutil
import sys
from pathlib import Path

import pytest

from hookwright_console.errors import RefusedError, ReportedError
from hookwright_documentation.databases import CURRENT, INDEX_FILE, UnknownDatabaseError
from hookwright_documentation.serving.lookup import (
    UnknownPageError,
    list_manifests,
    read_page,
    search,
)

from ...support.fake_documentation import ROUTING, SITE, FakeIndex, write_database


def test_rebuilt_database_is_noticed(root: Path) -> None:
    write_database(root)
    assert len(search("flask", "client", 5)[1]) == 1
    write_database(root, generation="2", pages={f"{SITE}new": "A new client."})
    assert [hit.url for hit in search("flask", "client", 5)[1]] == [f"{SITE}new"]
    assert read_page(f"{SITE}new")[1].text == "A new client."
    with pytest.raises(UnknownPageError):
        read_page(ROUTING)


def test_rebuild_during_a_search_is_noticed(
    flask: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load = FakeIndex.__init__

    def rebuild(index: FakeIndex, path: Path) -> None:
        monkeypatch.setattr(FakeIndex, "__init__", load)
        write_database(root, generation="2", pages={f"{SITE}new": "A new client."})
        load(index, path)

    monkeypatch.setattr(FakeIndex, "__init__", rebuild)
    assert [hit.url for hit in search("flask", "client", 5)[1]] == [f"{SITE}new"]
    assert not flask.exists()


def test_removed_database_is_unknown(flask: Path, root: Path) -> None:
    search("flask", "client", 5)
    shutil.rmtree(flask.parent)
    write_database(root, "django")
    with pytest.raises(UnknownDatabaseError, match="no documentation database 'flask': use django"):
        search("flask", "client", 5)


def test_recreated_database_is_noticed(flask: Path, root: Path) -> None:
    search("flask", "client", 5)
    shutil.rmtree(flask.parent)
    write_database(root, pages={f"{SITE}new": "A new client."})
    assert [hit.url for hit in search("flask", "client", 5)[1]] == [f"{SITE}new"]


@pytest.mark.parametrize("name", ["", "..", "../flask", "FLASK", "a" * 200, "\x1b[2J"])
def test_unknown_name_lists_the_known_ones(flask: Path, name: str) -> None:
    assert flask.exists()
    with pytest.raises(UnknownDatabaseError, match=r": use flask\Z") as refusal:
        search(name, "client", 5)
    assert str(refusal.value).isprintable()


def test_missing_databases_are_reported(root: Path) -> None:
    assert not root.exists()
    assert list_manifests() == {}
    with pytest.raises(UnknownDatabaseError, match=r"no documentation database yet.*setup"):
        search("flask", "client", 5)


def test_damaged_database_is_reported(flask: Path) -> None:
    write_database(flask.parent.parent, "django")
    (flask / INDEX_FILE).write_text("damaged")
    with pytest.raises(ReportedError, match="run hookwright refresh flask"):
        search("flask", "client", 5)
    (flask.parent / CURRENT).write_text("nothing")
    manifests = list_manifests()
    assert manifests["flask"] is None
    assert manifests["django"]


def test_missing_package_is_reported(flask: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert flask.exists()
    monkeypatch.setitem(sys.modules, "hookwright_documentation.index", None)
    with pytest.raises(ReportedError, match=r"is missing because the extra \[docs\]"):
        search("flask", "client", 5)


def test_database_of_another_engine_is_not_searched(root: Path) -> None:
    write_database(root, engine="leann")
    with pytest.raises(RefusedError, match="flask is searched with leann: call its own MCP tool"):
        search("flask", "client", 5)
    assert read_page(ROUTING)[1].title == "routing"


def test_unknown_page_suggests_the_nearest(flask: Path) -> None:
    assert flask.exists()
    with pytest.raises(UnknownPageError) as error:
        read_page(f"{SITE}routin")
    assert error.value.near[0] == ROUTING
    assert ROUTING not in str(error.value)
    for url in ("file:///etc/passwd", "/etc/passwd", "http://127.0.0.1:1/", "", "x" * 10_000):
        with pytest.raises(UnknownPageError, match="use a URL that search_docs returned"):
            read_page(url)


@pytest.mark.parametrize(
    "asked", ["guide/part-7/sesion-70.html", "part-7/session-70.html", "guide/part-7/session-70"]
)
def test_nearest_page_is_found_among_many(root: Path, asked: str) -> None:
    names = [f"guide/part-{at % 9}/session-{at}.html" for at in range(300)]
    write_database(root, pages={SITE + name: "A page." for name in names})
    with pytest.raises(UnknownPageError) as error:
        read_page(SITE + asked)
    assert f"{SITE}guide/part-7/session-70.html" in error.value.near


def test_page_is_read_from_the_matching_database(root: Path) -> None:
    write_database(root, "flask")
    write_database(root, "all", prefix="http", pages={ROUTING: "Something else."})
    assert read_page(ROUTING)[0] == "flask"
