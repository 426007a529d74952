"""Switching embedders loses no data, wherever it is interrupted, with real Chroma."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hookwright_retrieval.embedders import EmbedderError
from lesson_search.records import Lesson, Skill
from lesson_search.storage.chroma import Chroma, ChromaServer
from lesson_search.storage.store import Store, reindex

from ...support.chroma_client import list_foreign, open_foreign
from ...support.chroma_server import ChromaProcess
from ...support.letter_embedder import LetterEmbedder
from ...support.project import ROOT

LESSONS = [Lesson(f"{number:03}", f"Lesson {number}", ("a/b",)) for number in range(250)]
SKILLS = [Skill("review", "Reviews", (), "/review", classified=True)]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("prepared")
    client = Chroma(folder)
    vectors = np.ones((len(LESSONS), 256), np.float32)
    Store(client, Lesson, "wordllama").save(LESSONS, vectors)
    Store(client, Skill, "wordllama").save(SKILLS, vectors[:1])
    client.close()
    return folder


@pytest.fixture
def filled(prepared: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(prepared, tmp_path / "db"))


def test_all_records_get_new_vectors(filled: Path) -> None:
    client, progress = Chroma(filled), []
    assert reindex(client, LetterEmbedder(), lambda *step: progress.append(step)) == {
        "lessons": 250,
        "skills": 1,
    }
    lessons, skills = Store(client, Lesson, "letters"), Store(client, Skill, "letters")
    assert [entry.record for entry in lessons.load()] == LESSONS
    assert [entry.record for entry in skills.load()] == SKILLS
    _, vectors = lessons.fetch(["111"])
    assert vectors == pytest.approx(LetterEmbedder().embed_documents(["Lesson 111"]))
    assert progress == [(200, 250), (250, 250), (1, 1)]
    assert len(list_foreign(filled)) == 2


def test_invalid_records_are_set_aside(filled: Path) -> None:
    client = Chroma(filled)
    foreign = open_foreign(filled)
    foreign.add(ids=["alien"], embeddings=np.ones((1, 256), np.float32))
    assert reindex(client, LetterEmbedder(), lambda *_: None)["lessons"] == 250
    assert [entry.record for entry in Store(client, Lesson, "letters").load()] == LESSONS
    [aside] = {collection.name for collection in list_foreign(filled)} - {"lessons", "skills"}
    assert aside.startswith("lessons.replaced-")
    assert open_foreign(filled, aside).get(["alien"])["ids"] == ["alien"]


def test_empty_store_needs_no_reindex(tmp_path: Path) -> None:
    client = Chroma(tmp_path)
    assert reindex(client, LetterEmbedder(), print) == {"lessons": 0, "skills": 0}
    assert len(Store(client, Lesson, "letters").load()) == 0


def test_concurrent_writes_are_included(empty_chroma: ChromaProcess) -> None:
    client, other = ChromaServer(empty_chroma.url), ChromaServer(empty_chroma.url)
    store = Store(other, Lesson, "wordllama")
    vectors = np.ones((len(LESSONS), 256), np.float32)
    store.save(LESSONS, vectors)
    changed = Lesson("007", "Changed")

    def meddle(done: int, _of: int) -> None:
        if done == 200:
            store.save([changed, Lesson("new", "New")], vectors[:2])
            store.remove(["008", "249"])

    reindex(client, LetterEmbedder(), meddle)
    expected = {lesson.id: lesson for lesson in LESSONS} | {"007": changed}
    del expected["008"], expected["249"]
    stored = [entry.record for entry in Store(client, Lesson, "letters").load()]
    assert stored == [*expected.values(), Lesson("new", "New")]
    client.close()
    other.close()


def test_failing_embedder_changes_nothing(filled: Path) -> None:
    client, embedder = Chroma(filled), LetterEmbedder()

    def go_down(*_: object) -> None:
        embedder.is_up = False

    with pytest.raises(EmbedderError):
        reindex(client, embedder, go_down)
    assert [entry.record for entry in Store(client, Lesson, "wordllama").load()] == LESSONS


CUT_OFF = """
import os, signal, sys
from pathlib import Path
from lesson_search.storage import store as reindexing
from lesson_search.storage.chroma import Chroma
from lesson_search.storage.store import Store
from tests.support.letter_embedder import LetterEmbedder
import chromadb

def reindex(folder, point):
    client = Chroma(folder)
    delete = client.delete

    def progress(done, of):
        if point == f"{'lessons' if of > 1 else 'skills'} {done}":
            die()

    def delete_collection(name):
        if point == f"before the old {name} go":
            die()
        delete(name)
        if point == f"after the old {name} went":
            die()

    client.delete = delete_collection
    reindexing.reindex(client, LetterEmbedder(), progress)
    if point == "at the end":
        die()
    os._exit(1)

def die():
    os.kill(os.getpid(), signal.SIGKILL)

for folder in Path(sys.argv[1]).iterdir():
    child = os.fork()
    if not child:
        reindex(folder, folder.name)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL, folder.name
"""
POINTS = {
    "lessons 200": ("wordllama", "wordllama"),
    "before the old lessons go": ("wordllama", "wordllama"),
    "after the old lessons went": ("letters", "wordllama"),
    "skills 1": ("letters", "wordllama"),
    "after the old skills went": ("letters", "letters"),
    "at the end": ("letters", "letters"),
}


@pytest.fixture(scope="module")
def cut_off(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cut off")
    for point in POINTS:
        shutil.copytree(prepared, folder / point)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", CUT_OFF, str(folder)], check=True, env=environment)
    return folder


@pytest.mark.skipif(sys.platform == "win32", reason="needs processes that fork")
@pytest.mark.long
@pytest.mark.parametrize("point", POINTS)
def test_interruption_at_any_point_loses_nothing(cut_off: Path, tmp_path: Path, point: str) -> None:
    client = Chroma(Path(shutil.copytree(cut_off / point, tmp_path / "db")))
    of_lessons, of_skills = POINTS[point]
    lessons, skills = Store(client, Lesson, of_lessons), Store(client, Skill, of_skills)
    assert [entry.record for entry in lessons.load()] == LESSONS
    assert [entry.record for entry in skills.load()] == SKILLS
    reindex(client, LetterEmbedder(), lambda *_: None)
    assert [entry.record for entry in Store(client, Lesson, "letters").load()] == LESSONS
    assert [entry.record for entry in Store(client, Skill, "letters").load()] == SKILLS
    assert client.find("lessons.reindexed") is None
