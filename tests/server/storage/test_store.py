"""The store returns the records written to it, with real Chroma."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hookwright_retrieval.embedders import scale
from lesson_search.records import Lesson, Record, Skill
from lesson_search.storage.chroma import Chroma, StoreError, as_store_error, find_damage
from lesson_search.storage.store import Store

from ...support.lesson_service import prepare_store
from ...support.project import ROOT

LESSONS = [
    Lesson(
        "b",
        "Second",
        ("devops/ci-cd", "development/frontend/build"),
        "a.md",
        "2026-01-01T00:00:00Z",
    ),
    Lesson("a", "First\n\n🦊 ελληνικά"),
]
VECTORS = scale(np.eye(2, 8, dtype=np.float32) + 0.1)


def load(store: Store[Record]) -> list[Record]:
    return [entry.record for entry in store.load()]


def test_records_survive_a_round_trip(store: Store[Lesson]) -> None:
    store.save(LESSONS, VECTORS)
    assert load(store) == [LESSONS[1], LESSONS[0]]
    stored, vectors = store.fetch(["a", "b", "nobody"])
    order = [LESSONS.index(entry.record) for entry in stored]
    assert sorted(order) == [0, 1]
    assert vectors == pytest.approx(VECTORS[order])
    assert len(store.load()) == 2


def test_new_store_is_empty(store: Store[Lesson]) -> None:
    assert (store.load(), store.list_versions()) == ([], {})
    stored, vectors = store.fetch(["a"])
    assert stored == []
    assert vectors is not None
    assert len(vectors) == 0
    store.remove(["a"])
    store.remove([])


def test_same_id_replaces_the_record(store: Store[Lesson]) -> None:
    store.save(LESSONS, VECTORS)
    store.save([LESSONS[0], replace(LESSONS[0], text="New", categories=())], VECTORS)
    [stored], vectors = store.fetch(["b"])
    assert stored.record == replace(LESSONS[0], text="New", categories=())
    assert vectors == pytest.approx(VECTORS[1:])


def test_cleared_fields_are_removed(store: Store[Lesson]) -> None:
    before = replace(LESSONS[0], classified=True, ingested="unknown")
    store.save([before], VECTORS[:1])
    store.save([Lesson("b", "Second")], VECTORS[:1])
    [after] = load(store)
    assert after == Lesson("b", "Second")
    assert after.ingested == "unknown"


def test_removed_records_are_deleted(store: Store[Lesson]) -> None:
    store.save(LESSONS, VECTORS)
    store.remove(["a", "nobody"])
    assert [record.id for record in load(store)] == ["b"]


def test_lessons_and_skills_have_separate_collections(tmp_path: Path) -> None:
    client = Chroma(tmp_path / "db")
    lessons, skills = Store(client, Lesson, "wordllama"), Store(client, Skill, "wordllama")
    skill = Skill("a", "Reviews", (), "/review", "plugin:x", classified=True)
    lessons.save(LESSONS, VECTORS)
    skills.save([skill], VECTORS[:1])
    assert load(skills) == [skill]
    assert len(lessons.load()) == 2


def test_other_embedder_is_rejected(tmp_path: Path) -> None:
    client = Chroma(tmp_path / "db")
    Store(client, Lesson, "wordllama")
    with pytest.raises(StoreError, match=r"with wordllama, not ollama: run lesson-search reindex"):
        Store(client, Lesson, "ollama")


def test_uncreatable_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot open") as refusal:
        Chroma(tmp_path / "file" / "db")
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("begin", "end", "content", "said"),
    [
        (0, 1, b"", "chroma.sqlite3 is empty"),
        (0, 1, b"no database", "chroma.sqlite3 is damaged"),
        (0.5, 1, b"", "chroma.sqlite3 is damaged"),
        (0.05, 0.9, b"garbage" * 50_000, "chroma.sqlite3 is damaged"),
    ],
)
def test_damaged_database_is_reported(
    tmp_path: Path, begin: float, end: float, content: bytes, said: str
) -> None:
    folder = shutil.copytree(prepare_store("wordllama"), tmp_path / "db")
    database = folder / "chroma.sqlite3"
    raw = database.read_bytes()
    start, stop = (int(len(raw) * part) for part in (begin, end))
    database.write_bytes(raw[:start] + content[: stop - start] + raw[stop:])
    with pytest.raises(StoreError) as refusal:
        Store(Chroma(folder), Lesson, "wordllama").load()
    way_out = "restore that folder from a backup, or remove it to start over"
    assert str(refusal.value).endswith(f": {said} ({way_out})")
    assert str(folder) in str(refusal.value)


@pytest.mark.parametrize(("text", "damaged"), [(b"Second", b"\xff" * 6), (b"TABLE", b"TAB\x81E")])
def test_damaged_text_is_reported(tmp_path: Path, text: bytes, damaged: bytes) -> None:
    client = Chroma(tmp_path / "db")
    Store(client, Lesson, "wordllama").save(LESSONS, VECTORS)
    client.close()
    database = tmp_path / "db" / "chroma.sqlite3"
    database.write_bytes(database.read_bytes().replace(text, damaged))
    with pytest.raises(StoreError, match=r"^cannot [^\n]+$"):
        Store(Chroma(tmp_path / "db"), Lesson, "wordllama").load()


def test_intact_database_is_not_reported_as_damaged(tmp_path: Path) -> None:
    folder = shutil.copytree(prepare_store("wordllama"), tmp_path / "db")
    with (
        pytest.raises(StoreError, match=r"cannot read lessons: full \(make room\)"),
        as_store_error("lessons", "read", "make room", folder),
    ):
        raise OSError("full")
    assert find_damage(tmp_path / "nowhere") == ""


def test_several_batches_are_written(store: Store[Lesson]) -> None:
    lessons = [Lesson(f"{number:04}", f"Lesson {number}") for number in range(1200)]
    vectors = scale(np.random.default_rng(7).normal(size=(1200, 8)).astype(np.float32))
    store.save(lessons, vectors)
    assert load(store) == lessons
    stored, loaded = store.fetch([lesson.id for lesson in lessons])
    order = [int(entry.record.id) for entry in stored]
    assert sorted(order) == list(range(1200))
    assert loaded == pytest.approx(vectors[order], abs=1e-6)


def test_each_write_has_a_distinct_version(store: Store[Lesson]) -> None:
    first = store.save(LESSONS, VECTORS)
    second = store.save(LESSONS[:1], VECTORS[:1])
    assert store.list_versions() == {"a": first, "b": second}
    assert {entry.record.id: entry.version for entry in store.load()} == {"a": first, "b": second}


WRITERS = """
import os, random, signal, sys, time
from pathlib import Path
import chromadb, lesson_search.retrieval.collection
from tests.support.letter_embedder import CALIBRATION, LetterEmbedder
from lesson_search.retrieval.collection import Collection
from lesson_search.records import Lesson
from lesson_search.storage.chroma import Chroma
from lesson_search.storage.store import Store

def write(turn, acknowledged, pipe):
    store = Store(Chroma(Path(sys.argv[1])), Lesson, "wordllama")
    snapshot = Path(sys.argv[1], "snapshot")
    collection = Collection(store, LetterEmbedder("wordllama"), CALIBRATION, snapshot)
    ids = {lesson.id for lesson in collection.list_records()}
    lost = [batch for batch in acknowledged if not {f"{batch} {n}" for n in range(20)} <= ids]
    if lost:
        os.write(pipe, b"lost")
        os._exit(1)
    for number in range(10_000):
        batch = f"{turn} {number}"
        collection.ingest([Lesson(f"{batch} {n}", f"Lesson {n}") for n in range(20)])
        os.write(pipe, f"{batch}\\n".encode())

acknowledged = []
chance = random.Random(7)
for turn in range(int(sys.argv[2]) + 1):
    reading, writing = os.pipe()
    writer = os.fork()
    if not writer:
        write(turn, acknowledged, writing)
    os.close(writing)
    with os.fdopen(reading) as lines:
        acknowledged += [lines.readline().strip() for _ in range(chance.randrange(1, 4))]
        time.sleep(chance.random() / 10)  # so that it is killed anywhere in the next batch
        os.kill(writer, signal.SIGKILL)
        acknowledged += lines.read().split("\\n")[:-1]
    os.waitpid(writer, 0)
    assert "lost" not in acknowledged, f"lost before turn {turn}"
print(len(acknowledged))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs processes that fork")
@pytest.mark.long
@pytest.mark.parametrize("kills", [10])
def test_acknowledged_records_survive_a_kill(tmp_path: Path, kills: int) -> None:
    completed = subprocess.run(
        [sys.executable, "-c", WRITERS, str(tmp_path / "db"), str(kills)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert completed.returncode == 0, completed.stderr
    # A killed process has not written the vectors of its last lessons, which are embedded again.
    assert re.fullmatch(
        r"(embedded \d+ texts again, as their vectors were lost\n)*", completed.stderr
    )
    assert int(completed.stdout) > kills
