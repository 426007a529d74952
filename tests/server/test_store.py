"""What is written to the store is there, with real Chroma."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lesson_search.embedders import scale
from lesson_search.records import Lesson, Skill
from lesson_search.store import Store, StoreError, open_client
from project import ROOT

LESSONS = [
    Lesson("b", "Second", ("devops/ci-cd", "development/frontend/build"), "a.md", "2026-01-01Z"),
    Lesson("a", "First\n\n🦊 ελληνικά"),
]
VECTORS = scale(np.eye(2, 8, dtype=np.float32) + 0.1)


def test_records_come_back(store: Store[Lesson]) -> None:
    """Records come back as they were written, in the order of their ids, with their vectors."""
    store.save(LESSONS, VECTORS)
    records, vectors = store.load()
    assert records == [LESSONS[1], LESSONS[0]]
    assert vectors == pytest.approx(VECTORS[::-1])
    assert len(store) == 2


def test_empty_store(store: Store[Lesson]) -> None:
    """A store that nothing was written to is empty."""
    records, vectors = store.load()
    assert (records, len(vectors), len(store)) == ([], 0, 0)
    assert store.remove(["a"]) == store.remove([]) == 0


def test_same_id_takes_the_place(store: Store[Lesson]) -> None:
    """A record takes the place of the one that had its id; of two at once the last one counts."""
    store.save(LESSONS, VECTORS)
    store.save([LESSONS[0], replace(LESSONS[0], text="New", categories=())], VECTORS)
    records, vectors = store.load()
    assert records[1] == replace(LESSONS[0], text="New", categories=())
    assert vectors[1] == pytest.approx(VECTORS[1])


def test_removed_records_are_gone(store: Store[Lesson]) -> None:
    """Records are removed by their ids; those that are not there are not counted."""
    store.save(LESSONS, VECTORS)
    assert store.remove(["a", "nobody"]) == 1
    assert [record.id for record in store.load()[0]] == ["b"]


def test_kinds_have_their_own_collections(tmp_path: Path) -> None:
    """Lessons and skills of one id do not get into each other's way."""
    client = open_client(tmp_path / "db")
    lessons, skills = Store(client, Lesson, "wordllama"), Store(client, Skill, "wordllama")
    skill = Skill("a", "Reviews", (), "/review", "plugin:x")
    lessons.save(LESSONS, VECTORS)
    skills.save([skill], VECTORS[:1])
    assert skills.load()[0] == [skill]
    assert len(lessons) == 2


def test_other_embedder_is_refused(tmp_path: Path) -> None:
    """A collection of another embedder's vectors is refused with the command that mends it."""
    client = open_client(tmp_path / "db")
    Store(client, Lesson, "wordllama")
    with pytest.raises(StoreError, match=r"by wordllama, not by ollama: run lesson-search reindex"):
        Store(client, Lesson, "ollama")


def test_folder_that_cannot_be_made(tmp_path: Path) -> None:
    """A store that cannot be opened is refused in one line."""
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be opened") as refusal:
        open_client(tmp_path / "file" / "db")
    assert "\n" not in str(refusal.value)


def test_more_than_a_batch(store: Store[Lesson]) -> None:
    """Twelve hundred lessons are all there."""
    lessons = [Lesson(f"{number:04}", f"Lesson {number}") for number in range(1200)]
    vectors = scale(np.random.default_rng(7).normal(size=(1200, 8)).astype(np.float32))
    store.save(lessons, vectors)
    records, loaded = store.load()
    assert records == lessons
    assert loaded == pytest.approx(vectors, abs=1e-6)


WRITER = """
import sys
import numpy as np
from pathlib import Path
from lesson_search.records import Lesson
from lesson_search.store import Store, open_client
store = Store(open_client(Path(sys.argv[1])), Lesson, "wordllama")
for number in range(10_000):
    lessons = [Lesson(f"{number:05}-{n}", "text") for n in range(20)]
    store.save(lessons, np.ones((20, 8), np.float32))
    print(number, flush=True)
"""


def test_what_was_acknowledged_outlives_a_kill(tmp_path: Path) -> None:
    """Whatever was written before the process is killed is there, three times in a row."""
    for _ in range(3):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path / "db")],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT / "server")},
        ) as writer:
            assert writer.stdout
            acknowledged = [int(writer.stdout.readline()) for _ in range(5)]
            writer.send_signal(signal.SIGKILL)
        records, _ = Store(open_client(tmp_path / "db"), Lesson, "wordllama").load()
        ids = {record.id for record in records}
        assert {f"{number:05}-{n}" for number in acknowledged for n in range(20)} <= ids
