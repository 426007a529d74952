"""Cached records make a start quicker and change nothing else."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookwright_retrieval.embedders import scale
from lesson_search.records import Lesson, Skill
from lesson_search.storage.chroma import Stamp, list_stamps
from lesson_search.storage.chroma_rows import StoredRecord
from lesson_search.storage.record_cache import (
    CachedRecords,
    hash_content,
    read_record_cache,
    write_record_cache,
)
from lesson_search.storage.store import Store

from ...support.hypothesis_profiles import examples

LESSONS = [Lesson("a", "First\n\n🦊", ("devops/ci-cd",)), Lesson("b", "Second", source_file="b.md")]
VECTORS = scale(np.eye(2, 8, dtype=np.float32) + 0.1)


def cache_all(store: Store[Lesson], path: Path) -> CachedRecords[Lesson]:
    stored = store.load({})
    write_record_cache(path, Lesson, stored, store.stamps or {})
    return read_record_cache(path, Lesson)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    ids: list[str] = []
    one_by_one, page_by_page = Store.read, Store._list  # noqa: SLF001

    def note(store: Store[Lesson], wanted: list[str]) -> list[StoredRecord[Lesson]]:
        ids.extend(wanted)
        return one_by_one(store, wanted)

    def note_all(store: Store[Lesson], include: list[str]) -> object:
        ids.append("all")
        return page_by_page(store, include)

    monkeypatch.setattr(Store, "read", note)
    monkeypatch.setattr(Store, "_list", note_all)
    return ids


def test_same_rows_are_not_read(store: Store[Lesson], tmp_path: Path, read: list[str]) -> None:
    store.save(LESSONS, VECTORS)
    cached = cache_all(store, tmp_path / "lessons.records")
    read.clear()
    assert [one.record for one in store.load(cached)] == LESSONS
    assert read == []


def test_own_writes_are_cached(store: Store[Lesson], tmp_path: Path, read: list[str]) -> None:
    store.load({})
    version = store.save(LESSONS, VECTORS)
    path = tmp_path / "lessons.records"
    write_record_cache(
        path, Lesson, [StoredRecord(each, version) for each in LESSONS], store.stamps or {}
    )
    read.clear()
    assert len(store.load(read_record_cache(path, Lesson))) == len(LESSONS)
    assert read == []


def test_changes_by_another_program_are_read(
    store: Store[Lesson], tmp_path: Path, read: list[str]
) -> None:
    store.save(LESSONS, VECTORS)
    cached = cache_all(store, tmp_path / "lessons.records")
    collection = store._collection  # noqa: SLF001 - as another program would
    collection.update(ids=["b"], documents=["Changed"], embeddings=VECTORS[:1])
    collection.delete(ids=["a"])
    read.clear()
    assert [one.record.text for one in store.load(cached)] == ["Changed"]
    assert read == ["b"]


def test_failed_write_is_not_cached(store: Store[Lesson], tmp_path: Path) -> None:
    store.load({})
    store.save(LESSONS, VECTORS)
    path = tmp_path / "lessons.records"
    write_record_cache(path, Lesson, [StoredRecord(LESSONS[0], "older")], store.stamps or {})
    assert read_record_cache(path, Lesson) == {}


@pytest.mark.parametrize("listed", [0, 1, 3])
def test_unknown_tables_are_no_error(
    store: Store[Lesson], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, listed: int
) -> None:
    store.save(LESSONS, VECTORS)
    cached = cache_all(store, tmp_path / "lessons.records")
    assert list_stamps(tmp_path / "nowhere", "x") == {}
    stamps = {f"{number}": Stamp(f"{number}", "") for number in range(listed)}
    monkeypatch.setattr("lesson_search.storage.store.list_stamps", lambda *_: stamps)
    assert [one.record for one in store.load(cached)] == LESSONS
    assert store.stamps is None


@settings(max_examples=examples(100))
@given(data=st.data())
def test_damaged_cache_is_left(store: Store[Lesson], tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "lessons.records"
    if not path.exists():
        store.save(LESSONS, VECTORS)
        (tmp_path / "whole").write_bytes(b"")
        cache_all(store, path)
        (tmp_path / "whole").write_bytes(path.read_bytes())
    content = bytearray((tmp_path / "whole").read_bytes())
    content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    path.write_bytes(content[: data.draw(st.integers(0, len(content)))])
    assert read_record_cache(path, Lesson) == {}


@pytest.mark.parametrize(
    "content", ["", "1", "[]", '[1, ["id"], []]', "[1, [], [[]]]", "[" * 99_999, '{"a": 1}']
)
def test_other_content_is_left(tmp_path: Path, content: str) -> None:
    path = tmp_path / "lessons.records"
    path.write_bytes(hash_content(content.encode()) + content.encode())
    assert read_record_cache(path, Lesson) == {}
    assert read_record_cache(tmp_path, Lesson) == {}


def test_cache_of_other_fields_is_left(tmp_path: Path) -> None:
    path = tmp_path / "lessons.records"
    content = json.dumps([1, ["id", "text"], [["1", "v", "a", "b"]]]).encode()
    path.write_bytes(hash_content(content) + content)
    assert not read_record_cache(path, Lesson)
    assert not read_record_cache(path, Skill)
