"""Cached records speed up the start without any other effect."""

import json
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hookwright_retrieval.embedders import scale
from lesson_search.records import Lesson, Skill
from lesson_search.storage.chroma import Chroma
from lesson_search.storage.rows import read_record_cache
from lesson_search.storage.store import Store

from ...support.chroma_client import open_foreign

LESSONS = [Lesson("a", "First\n\n🦊", ("devops/ci-cd",)), Lesson("b", "Second", source_file="b.md")]
VECTORS = scale(np.eye(2, 8, dtype=np.float32) + 0.1)


STATE = "1"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "db", LESSONS)
    return tmp_path


def write(folder: Path, lessons: list[Lesson]) -> None:
    with closing(Chroma(folder)) as chroma:
        Store(chroma, Lesson, "letters").save(lessons, VECTORS[: len(lessons)])


def start(folder: Path, *, read: bool) -> list[Lesson]:
    """Return the records loaded at start, check whether rows were read, and write the cache."""
    with closing(Chroma(folder / "db")) as chroma, pytest.MonkeyPatch.context() as patch:
        store = Store(chroma, Lesson, "letters")
        pages: list[object] = []
        call = Chroma.call

        def note(*arguments: Any, **others: Any) -> Any:
            pages.append(arguments)
            return call(*arguments, **others)

        patch.setattr(Chroma, "call", note)
        stored = store.load(folder / "lessons.records")
        assert bool(pages) == read
        store.write_cache(folder / "lessons.records", stored)
        return [entry.record for entry in stored]


def test_rows_are_read_only_after_a_write(folder: Path) -> None:
    assert start(folder, read=True) == LESSONS
    assert start(folder, read=False) == start(folder, read=False) == LESSONS
    write(folder / "db", [Lesson("b", "Changed")])
    assert start(folder, read=True) == [LESSONS[0], Lesson("b", "Changed")]
    assert start(folder, read=False) == [LESSONS[0], Lesson("b", "Changed")]


def test_changes_by_another_program_are_loaded(folder: Path) -> None:
    start(folder, read=True)
    collection = open_foreign(folder / "db")
    collection.update(ids=["b"], documents=["Changed"], embeddings=VECTORS[:1])
    collection.delete(ids=["a"])
    assert [lesson.text for lesson in start(folder, read=True)] == ["Changed"]


def test_changes_after_the_cache_are_loaded(folder: Path) -> None:
    start(folder, read=True)
    with closing(Chroma(folder / "db")) as chroma:
        store = Store(chroma, Lesson, "letters")
        store.remove(["a"])
        assert [entry.record for entry in store.load(folder / "lessons.records")] == [LESSONS[1]]


def test_restored_backup_is_loaded(folder: Path) -> None:
    shutil.copytree(folder / "db", folder / "backup")
    write(folder / "db", [Lesson("a", "Newer")])
    start(folder, read=True)
    shutil.rmtree(folder / "db")
    (folder / "backup").rename(folder / "db")
    assert start(folder, read=True) == LESSONS


@pytest.mark.parametrize(
    "content", ["", "1", "[]", '[3, ["id"], []]', "[3, [], [[]]]", "[" * 99_999, '{"a": 1}', "\xff"]
)
def test_invalid_content_is_ignored(tmp_path: Path, content: str) -> None:
    path = tmp_path / "lessons.records"
    path.write_text(content, "latin-1")
    assert read(path) is None
    assert read(tmp_path) is None


def test_cache_with_other_fields_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "lessons.records"
    path.write_text(json.dumps([3, ["id", "text"], STATE, [["v", "a", "b"]]]))
    assert read(path) is None
    assert read(path, Skill) is None


def read(path: Path, kind: Any = Lesson) -> object:
    return read_record_cache(path, kind, lambda state: state == STATE)
