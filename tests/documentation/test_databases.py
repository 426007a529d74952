"""Databases are found by name, and a rebuild replaces one atomically."""

import stat
from pathlib import Path

import pytest

from hookwright_console.errors import RefusedError, ReportedError
from hookwright_documentation.databases import (
    CURRENT,
    FOLDER,
    MANIFEST,
    Manifest,
    UnknownDatabaseError,
    find_database_folder,
    find_root,
    list_names,
    locking,
    open_database,
    swap,
    write_manifest,
)

FLASK = Manifest(
    name="flask",
    title="Flask",
    source="http://127.0.0.1/flask/",
    prefix="http://127.0.0.1/flask/",
    engine="builtin",
    version="2.2",
    license="BSD-3-Clause",
    crawled="2026-11-23",
    pages=75,
    passages=1_077,
    options={},
)


def write_generation(root: Path, generation: str) -> Path:
    folder = root / "flask" / generation
    folder.mkdir(parents=True)
    write_manifest(FLASK, folder)
    return folder


def test_environment_sets_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, "/some/where")
    assert find_root() == Path("/some/where")


def test_database_is_opened_after_the_swap(tmp_path: Path) -> None:
    old = write_generation(tmp_path, "1")
    swap("flask", old, tmp_path)
    new = write_generation(tmp_path, "2")
    swap("flask", new, tmp_path)
    assert open_database("flask", tmp_path).manifest == FLASK
    assert open_database("flask", tmp_path).folder == new
    assert not old.exists()
    assert list_names(tmp_path) == ["flask"]


def test_other_users_cannot_read_what_is_fetched(tmp_path: Path) -> None:
    folder = tmp_path / "docs" / "flask"
    with locking(folder):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_unfinished_database_is_unknown(tmp_path: Path) -> None:
    write_generation(tmp_path, "1")
    assert list_names(tmp_path) == []
    with pytest.raises(UnknownDatabaseError, match="no documentation database 'flask'"):
        open_database("flask", tmp_path)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"name": "flask"}'])
def test_damaged_database_is_reported(tmp_path: Path, text: str) -> None:
    generation = write_generation(tmp_path, "1")
    swap("flask", generation, tmp_path)
    (generation / MANIFEST).write_text(text)
    with pytest.raises(ReportedError, match="damaged: run hookwright refresh flask"):
        open_database("flask", tmp_path)


def test_generation_is_a_subfolder_of_the_database(tmp_path: Path) -> None:
    swap("flask", write_generation(tmp_path, "1"), tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    write_manifest(FLASK, other)
    (tmp_path / "flask" / CURRENT).write_text("../other")
    with pytest.raises(ReportedError, match="damaged"):
        open_database("flask", tmp_path)


@pytest.mark.parametrize("name", ["", "..", "a/b", "A", "-x", "a" * 65, ".net"])
def test_names_come_from_regular_folders(name: str) -> None:
    with pytest.raises(RefusedError, match="not a valid database name"):
        find_database_folder(name)
