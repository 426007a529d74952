"""Another program's rows in a shared Chroma cause no errors and are preserved, with real Chroma."""

import logging
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lesson_search.records import Lesson, Skill
from lesson_search.retrieval.collection import Collection
from lesson_search.storage.chroma import Chroma
from lesson_search.storage.store import Store

from ...support.chroma_client import open_foreign
from ...support.letter_embedder import CALIBRATION, LetterEmbedder

LESSON = Lesson("ours", "Lesson 1", ("devops",))
FOREIGN: dict[str, tuple[str | None, dict[str, Any] | None]] = {
    "bare": (None, None),
    "blank": (" ", {"written": "x"}),
    "long": ("a" * 20_001, {"written": "x"}),
    "heading": ("Lesson", {"categories": "a]** x\n\n## H,b"}),
    "\x1b[31m": ("Lesson", None),
    "source": ("Lesson", {"source_file": "a\nb"}),
    "moment": ("Lesson", {"created_at": "yesterday"}),
    "cut": ("Lesson", {"record": '0123 {"text": "Les'}),
    "list": ("Lesson", {"record": "0123 []"}),
    "deep": ("Lesson", {"record": "0123 " + "[" * 100_000}),
}


def fill(folder: Path) -> Any:
    """Write a valid lesson and invalid rows; return the client."""
    client = Chroma(folder)
    lessons = Store(client, Lesson, "letters")
    lessons.save([LESSON], LetterEmbedder().embed_documents([LESSON.text]))
    collection = open_foreign(folder)
    chance = np.random.default_rng(7)
    for identity, (text, metadata) in FOREIGN.items():
        collection.add(
            ids=[identity],
            embeddings=chance.normal(scale=1e4, size=(1, 8)).astype(np.float32),
            documents=None if text is None else [text],
            metadatas=None if metadata is None else [metadata],
        )
    return client


def test_invalid_rows_are_skipped_and_kept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    client = fill(tmp_path)
    store = Store(client, Lesson, "letters")
    with caplog.at_level(logging.WARNING):
        lessons = Collection(store, LetterEmbedder(), CALIBRATION)
    [message] = [record.getMessage() for record in caplog.records]
    assert "skipped 10 invalid records" in message
    assert message.isprintable()
    assert lessons.list_records() == [LESSON]
    assert [match.record for match in lessons.search("Lesson 1", 9, 0.0)] == [LESSON]
    assert store.list_versions().keys() == {"ours"}
    assert client.call("lessons", "count") == 1 + len(FOREIGN)


def test_foreign_record_is_found(tmp_path: Path) -> None:
    client = Chroma(tmp_path)
    store = Store(client, Lesson, "letters")
    open_foreign(tmp_path).add(
        ids=["huge", "large"],
        embeddings=np.array([[-3e38] * 8, [5e3] * 8], np.float32),
        documents=["Lesson 2", "Lesson 3"],
        metadatas=[{"id": "other", "text": "other", "page": 3}, {"categories": "a/b"}],
    )
    stored, vectors = store.fetch(["huge", "large"])
    assert vectors is not None
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1)
    expected = [Lesson("huge", "Lesson 2"), Lesson("large", "Lesson 3", ("a/b",))]
    assert [entry.record for entry in stored] == expected
    lessons = Collection(store, LetterEmbedder(), CALIBRATION)
    assert all(0 <= match.score <= 1 for match in lessons.search("Lesson", 9, 0.0))


def test_invalid_skill_is_skipped(tmp_path: Path) -> None:
    client = Chroma(tmp_path)
    skills = Store(client, Skill, "letters")
    open_foreign(tmp_path, "skills").add(
        ids=["a"],
        embeddings=np.ones((1, 8), np.float32),
        documents=["A"],
        metadatas=[{"trigger": "/a\nb"}],
    )
    assert skills.load() == []


def test_older_row_keeps_its_text(tmp_path: Path) -> None:
    client = Chroma(tmp_path)
    store = Store(client, Lesson, "letters")
    collection = open_foreign(tmp_path)
    vectors = LetterEmbedder().embed_documents(["Before"])
    collection.add(ids=["old"], embeddings=vectors, documents=["Before"])
    [stored] = store.load()
    assert stored.record == Lesson("old", "Before")
    after = Lesson("old", "After")
    store.save([after], vectors)
    assert [entry.record for entry in store.load()] == [after]
    collection.update(ids=["old"], documents=["By another program"], embeddings=vectors)
    assert [entry.record.text for entry in store.load()] == ["By another program"]


def test_other_programs_can_filter_by_each_field(tmp_path: Path) -> None:
    client = Chroma(tmp_path)
    store = Store(client, Lesson, "letters")
    lesson = Lesson("a", "Größe\n2", ("devops/docker", "x"), "a.md", "2025-11-15T10:30Z", True, "f")  # noqa: FBT003 - as the record has it
    version = store.save([lesson], LetterEmbedder().embed_documents([lesson.text]))
    rows = open_foreign(tmp_path).get(where={"category_l0": "devops,x"})
    assert rows["metadatas"] == [
        {
            "text": "Größe\n2",
            "categories": "devops/docker,x",
            "category_l0": "devops,x",
            "category_l1": "devops/docker,x",
            "category_l2": "devops/docker,x",
            "source_file": "a.md",
            "created_at": "2025-11-15T10:30Z",
            "classified": True,
            "ingested": "f",
            "written": version,
        }
    ]
    assert [(entry.record, entry.version) for entry in store.load()] == [(lesson, version)]
    assert store.list_versions() == {"a": version}


def test_replaced_row_keeps_no_old_fields(tmp_path: Path) -> None:
    client = Chroma(tmp_path)
    store = Store(client, Lesson, "letters")
    collection = open_foreign(tmp_path)
    vectors = LetterEmbedder().embed_documents(["Before"])
    fields = {
        "record": '0 {"text": "c"}',
        "text": "b",
        "categories": "a",
        "category_l0": "a",
        "written": "0",
        "source_file": "s",
    }
    collection.add(ids=["old"], embeddings=vectors, documents=["Before"], metadatas=[fields])
    store.save([Lesson("old", "After")], vectors)
    rows = collection.get()
    assert (rows["documents"], rows["metadatas"][0].keys()) == ([""], {"text", "written"})
    assert [entry.record for entry in store.load()] == [Lesson("old", "After")]


def test_later_field_of_another_program_is_loaded(tmp_path: Path) -> None:
    client = Chroma(tmp_path)
    store = Store(client, Lesson, "letters")
    vectors = LetterEmbedder().embed_documents([LESSON.text])
    store.save([LESSON], vectors)
    collection = open_foreign(tmp_path)
    collection.update(ids=["ours"], metadatas=[{"categories": "a/b"}])
    assert [entry.record.categories for entry in store.load()] == [("a/b",)]
