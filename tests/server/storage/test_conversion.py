"""Embedded stores written before version 0.2 are converted, with real Chroma."""

import json
import shutil
from contextlib import closing
from pathlib import Path

import chromadb
import numpy as np
import pytest

from lesson_search.records import Lesson, Skill
from lesson_search.storage.chroma import Chroma, StoreError
from lesson_search.storage.store import Store

from ...support.chroma_client import open_foreign

LESSONS = [Lesson("a", "First", ("devops/docker",), "a.md", "2026-01-01T00:00Z", ingested="f")]
SKILLS = [Skill("review", "Reviews", (), "/review", classified=True)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder like version 0.1 wrote it, with an invalid row and a foreign one."""
    folder = tmp_path / "db"
    with chromadb.PersistentClient(folder) as client:  # type: ignore[attr-defined]
        for name, records in (("lessons", LESSONS), ("skills", SKILLS)):
            collection = client.create_collection(
                name, embedding_function=None, metadata={"embedder": "letters"}
            )
            for record in records:
                fields = {**vars(record), "categories": ",".join(record.categories)}
                collection.add(
                    ids=[fields.pop("id")],
                    embeddings=np.ones((1, 8), np.float32),
                    metadatas=[{"record": f"v1 {json.dumps(fields)}"}],
                )
        collection = client.get_collection("lessons", embedding_function=None)
        collection.add(
            ids=["cut", "foreign"],
            embeddings=np.ones((2, 8), np.float32),
            documents=["", "Foreign"],
            metadatas=[{"record": 'v1 {"text'}, {"categories": "devops"}],
        )
    return folder


def check(folder: Path) -> None:
    with closing(Chroma(folder)) as chroma:
        stored = Store(chroma, Lesson, "letters").load()
        assert [entry.record for entry in stored] == [
            *LESSONS,
            Lesson("foreign", "Foreign", ("devops",)),
        ]
        assert stored[0].version == "v1"
        assert [entry.record for entry in Store(chroma, Skill, "letters").load()] == SKILLS


def test_converted_fields_are_separate(folder: Path) -> None:
    check(folder)
    rows = open_foreign(folder).get(where={"source_file": "a.md"}, include=["metadatas"])
    assert rows["metadatas"][0]["category_l0"] == "devops"
    assert "record" not in rows["metadatas"][0]
    check(folder)


def test_old_store_is_unchanged(folder: Path) -> None:
    before = (folder / "chroma.sqlite3").read_bytes()
    check(folder)
    assert (folder.with_name("db.old") / "chroma.sqlite3").read_bytes() == before


def test_killed_conversion_restarts(folder: Path) -> None:
    shutil.copytree(folder, folder.with_name("db.converted"))
    (folder.with_name("db.converted") / "chroma.sqlite3").write_bytes(b"")
    check(folder)
    assert not folder.with_name("db.converted").exists()


def test_conversion_killed_near_its_end_is_finished(folder: Path) -> None:
    check(folder)
    folder.rename(folder.with_name("db.converted"))
    check(folder)


def test_failed_conversion_changes_nothing(folder: Path) -> None:
    folder.with_name("db.converted").write_text("in the way")
    before = (folder / "chroma.sqlite3").read_bytes()
    with pytest.raises(
        StoreError, match=r"^cannot convert .+/db: .+ \(make room for a copy of it\)$"
    ):
        Chroma(folder)
    assert (folder / "chroma.sqlite3").read_bytes() == before
    assert not folder.with_name("db.old").exists()
