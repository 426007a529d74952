"""Another embedder takes over, and nothing is lost wherever that is cut off, with real Chroma."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from chroma_server import ChromaServer
from lesson_search.embedders import EmbedderError
from lesson_search.records import Lesson, Skill
from lesson_search.reindexing import reindex
from lesson_search.store import (
    Store,
    StoreError,
    close_client,
    connect_client,
    find_collection,
    open_client,
)
from letters import LetterEmbedder
from project import ROOT

LESSONS = [Lesson(f"{number:03}", f"Lesson {number}", ("a/b",)) for number in range(250)]
SKILLS = [Skill("review", "Reviews", (), "/review", classified=True)]


def fill(folder: Path) -> None:
    """Write lessons and skills to a store, with vectors of wordllama's length."""
    client = open_client(folder)
    vectors = np.ones((len(LESSONS), 256), np.float32)
    Store(client, Lesson, "wordllama").save(LESSONS, vectors)
    Store(client, Skill, "wordllama").save(SKILLS, vectors[:1])


def test_all_records_get_new_vectors(tmp_path: Path) -> None:
    """All lessons and skills are there as they were, with the vectors of the new embedder."""
    fill(tmp_path)
    client, told = open_client(tmp_path), []
    assert reindex(client, LetterEmbedder(), lambda *step: told.append(step)) == {
        "lessons": 250,
        "skills": 1,
    }
    lessons, skills = Store(client, Lesson, "letters"), Store(client, Skill, "letters")
    assert [one.record for one in lessons.load()] == LESSONS
    assert [one.record for one in skills.load()] == SKILLS
    _, vectors = lessons.fetch(["111"])
    assert vectors == pytest.approx(LetterEmbedder().embed_documents(["Lesson 111"]))
    assert told == [
        ("lessons", 200, 250),
        ("lessons", 250, 250),
        ("skills", 1, 1),
    ]
    assert len(client.list_collections()) == 2


LOSE_VECTORS = """
import shutil, sys
from pathlib import Path
import numpy as np
from lesson_search.records import Lesson
from lesson_search.store import Store, open_client

folder = Path(sys.argv[1])
lessons = [Lesson(f"{number:04}", f"Lesson {number}") for number in range(1200)]
store = Store(open_client(folder), Lesson, "letters")
store.save(lessons, np.random.default_rng(7).normal(size=(1200, 8)).astype(np.float32))
for index in folder.glob("*-*-*/"):
    shutil.rmtree(index)
"""


def test_lost_vectors_are_made_anew(tmp_path: Path) -> None:
    """Where the files of the vectors are lost, the message says what makes them anew."""
    path = os.pathsep.join([str(ROOT / "server"), str(ROOT / "tests")])
    environment = {**os.environ, "PYTHONPATH": path}
    subprocess.run([sys.executable, "-c", LOSE_VECTORS, str(tmp_path)], check=True, env=environment)
    client = open_client(tmp_path)
    with pytest.raises(StoreError, match=r"cannot be read: .* with lesson-search reindex$"):
        Store(client, Lesson, "letters").fetch(["0007"])
    assert reindex(client, LetterEmbedder(), lambda *_: None)["lessons"] == 1200
    [stored], vectors = Store(client, Lesson, "letters").fetch(["0007"])
    assert stored.record == Lesson("0007", "Lesson 7")
    assert vectors == pytest.approx(LetterEmbedder().embed_documents(["Lesson 7"]))


def test_what_is_no_record_is_put_aside(tmp_path: Path) -> None:
    """What another program wrote, and is no lesson, does not become one, and stays in Chroma."""
    fill(tmp_path)
    client = open_client(tmp_path)
    foreign = client.get_collection("lessons", embedding_function=None)
    foreign.add(ids=["alien"], embeddings=np.ones((1, 256), np.float32))
    assert reindex(client, LetterEmbedder(), lambda *_: None)["lessons"] == 250
    assert [one.record for one in Store(client, Lesson, "letters").load()] == LESSONS
    [aside] = [one for one in client.list_collections() if one.name not in {"lessons", "skills"}]
    assert aside.name.startswith("lessons.replaced-")
    assert aside.get(["alien"])["ids"] == ["alien"]


def test_nothing_to_do(tmp_path: Path) -> None:
    """A store that nothing was written to stays empty, and opens for any embedder."""
    client = open_client(tmp_path)
    assert reindex(client, LetterEmbedder(), print) == {"lessons": 0, "skills": 0}
    assert len(Store(client, Lesson, "letters")) == 0


def test_writes_meanwhile_are_taken_over(own_chroma: ChromaServer) -> None:
    """What another server writes or removes while all is embedded anew is not lost."""
    client, other = connect_client(own_chroma.url), connect_client(own_chroma.url)
    store = Store(other, Lesson, "wordllama")
    vectors = np.ones((len(LESSONS), 256), np.float32)
    store.save(LESSONS, vectors)
    changed = Lesson("007", "Changed")

    def meddle(_name: str, done: int, _of: int) -> None:
        if done == 200:
            store.save([changed, Lesson("new", "New")], vectors[:2])
            store.remove(["008", "249"])

    reindex(client, LetterEmbedder(), meddle)
    expected = {lesson.id: lesson for lesson in LESSONS} | {"007": changed}
    del expected["008"], expected["249"]
    found = [one.record for one in Store(client, Lesson, "letters").load()]
    assert found == [*expected.values(), Lesson("new", "New")]
    close_client(client)
    close_client(other)


def test_embedder_that_fails(tmp_path: Path) -> None:
    """Where the embedder goes down half-way, the store is as it was."""
    fill(tmp_path)
    client, embedder = open_client(tmp_path), LetterEmbedder()

    def go_down(*_: object) -> None:
        embedder.is_up = False

    with pytest.raises(EmbedderError):
        reindex(client, embedder, go_down)
    assert [one.record for one in Store(client, Lesson, "wordllama").load()] == LESSONS


CUT_OFF = """
import os, signal, sys
from pathlib import Path
from lesson_search import reindexing
from lesson_search.store import Store, open_client
from letters import LetterEmbedder

client, point = open_client(Path(sys.argv[1])), sys.argv[2]
delete = client.delete_collection

def die():
    os.kill(os.getpid(), signal.SIGKILL)

def progress(name, done, of):
    if point == f"{name} {done}":
        die()

def delete_collection(name):
    if point == f"before the old {name} go":
        die()
    delete(name)
    if point == f"after the old {name} went":
        die()

client.delete_collection = delete_collection
reindexing.reindex(client, LetterEmbedder(), progress)
if point == "at the end":
    die()
"""


@pytest.mark.parametrize(
    ("point", "embedders"),
    [
        ("lessons 200", ("wordllama", "wordllama")),
        ("before the old lessons go", ("wordllama", "wordllama")),
        ("after the old lessons went", ("letters", "wordllama")),
        ("skills 1", ("letters", "wordllama")),
        ("after the old skills went", ("letters", "letters")),
        ("at the end", ("letters", "letters")),
    ],
)
def test_cut_off_anywhere(tmp_path: Path, point: str, embedders: tuple[str, str]) -> None:
    """Killed at any point, the old collection or the new one is whole; doing it again ends it."""
    fill(tmp_path)
    folders = (ROOT / "server", ROOT / "tests")
    killed = subprocess.run(
        [sys.executable, "-c", CUT_OFF, str(tmp_path), point],
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders))},
    )
    assert killed.returncode == -signal.SIGKILL
    client = open_client(tmp_path)
    lessons, skills = (
        Store(client, Lesson, embedders[0]),
        Store(client, Skill, embedders[1]),
    )
    assert [one.record for one in lessons.load()] == LESSONS
    assert [one.record for one in skills.load()] == SKILLS
    reindex(client, LetterEmbedder(), lambda *_: None)
    assert [one.record for one in Store(client, Lesson, "letters").load()] == LESSONS
    assert [one.record for one in Store(client, Skill, "letters").load()] == SKILLS
    assert find_collection(client, "lessons.reindexed") is None
