"""Ingested records are found and removed records are not, with the real Chroma and embedder."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hookwright_retrieval.embedders import EmbedderError, Vectors
from hookwright_retrieval.embedders.wordllama import WordLlamaEmbedder
from lesson_search.records import Lesson
from lesson_search.retrieval.calibration import Calibration
from lesson_search.retrieval.collection import Collection
from lesson_search.storage.store import Store

from ...support.project import ROOT

DOCKER = Lesson(
    "docker", "The Docker build cache is lost by COPY . before npm ci.", ("devops/docker",)
)
PYTEST = Lesson("pytest", "A pytest fixture of session scope outlives the test.", ("development",))
REDIS = Lesson("redis", "Redis evicts keys once its memory is full.", ("development/backend",))
CACHE = "why is the docker build cache lost"


@pytest.fixture
def collection(
    store: Store[Lesson], embedder: WordLlamaEmbedder, calibration: Calibration
) -> "Collection[Lesson]":
    collection = Collection(store, embedder, calibration)
    collection.ingest([DOCKER, PYTEST, REDIS])
    return collection


def search(collection: "Collection[Lesson]", prompt: str, **options: object) -> list[str]:
    hits = collection.search(prompt, 9, **{"least_score": 0.0, **options})  # type: ignore[arg-type]
    return [each.record.id for each in hits]


def test_ingested_lesson_is_found(collection: "Collection[Lesson]") -> None:
    assert search(collection, CACHE)[0] == "docker"
    [hit] = collection.search(CACHE, 3)
    assert hit.record == DOCKER
    assert 0 < hit.score < 1


class Iterated(list[str]):
    """A list of strings that counts its iterations."""

    times = 0

    def __iter__(self) -> Iterator[str]:
        self.times += 1
        return super().__iter__()


def test_categories_are_iterated_once(collection: "Collection[Lesson]") -> None:
    categories = Iterated([f"nothing/{n}" for n in range(5_000)] * 2 + ["devops/", "development"])
    assert sorted(search(collection, CACHE, categories=categories)) == ["docker", "pytest", "redis"]
    assert categories.times == 1
    assert search(collection, CACHE, categories=["devop", "devops/docker/x"]) == []


def test_collection_is_loaded_from_the_store(
    collection: "Collection[Lesson]",
    store: Store[Lesson],
    embedder: WordLlamaEmbedder,
    calibration: Calibration,
) -> None:
    later = Collection(store, embedder, calibration)
    assert later.list_records() == collection.list_records() == [DOCKER, PYTEST, REDIS]
    assert later.search(CACHE, 3)[0].score == pytest.approx(collection.search(CACHE, 3)[0].score)


def test_lesson_is_replaced(collection: "Collection[Lesson]") -> None:
    collection.ingest([replace(DOCKER, text="Kubernetes probes need a longer timeout.")])
    assert len(collection) == 3
    assert collection.search(CACHE, 3) == []
    assert search(collection, "kubernetes probe timeout")[0] == "docker"


def test_lesson_is_removed(collection: "Collection[Lesson]", store: Store[Lesson]) -> None:
    collection.remove(["docker", "nobody"])
    assert "docker" not in search(collection, CACHE)
    assert collection.get("docker") is None
    assert len(store.load()) == len(collection) == 2


@pytest.mark.parametrize(
    ("categories", "ids"),
    [
        ((), {"docker", "pytest", "redis"}),
        (("development",), {"pytest", "redis"}),
        (("development/backend", "devops"), {"docker", "redis"}),
        (("dev",), set()),
    ],
)
def test_categories_filter_a_search(
    collection: "Collection[Lesson]", categories: tuple[str, ...], ids: set[str]
) -> None:
    assert set(search(collection, CACHE, categories=categories)) == ids


def test_only_the_last_change_counts(collection: "Collection[Lesson]") -> None:
    for number in range(20):
        collection.ingest([replace(DOCKER, text=f"Docker build cache, version {number}.")])
    assert sorted(search(collection, CACHE)) == ["docker", "pytest", "redis"]
    record = collection.get("docker")
    assert record
    assert record.text.endswith("version 19.")


def fail(*_: object) -> Vectors:
    raise EmbedderError("the embedder is down: wait")


def test_failed_embedding_keeps_the_old_lesson(
    collection: "Collection[Lesson]", monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(WordLlamaEmbedder, "embed_documents", fail)
        with pytest.raises(EmbedderError):
            collection.ingest([replace(DOCKER, text="New")])
    assert collection.get("docker") == DOCKER


def test_searches_work_during_ingestion(collection: "Collection[Lesson]") -> None:
    lessons = [Lesson(f"l{n}", f"Lesson {n} of Terraform state locks.") for n in range(60)]
    with ThreadPoolExecutor(8) as pool:
        ingests = [pool.submit(collection.ingest, [lesson]) for lesson in lessons]
        searches = [pool.submit(search, collection, CACHE) for _ in range(60)]
        assert all("docker" in searched.result() for searched in searches)
        for ingest in ingests:
            ingest.result()
    assert len(collection) == 63


def test_search_does_not_wait_for_writers(
    collection: "Collection[Lesson]", monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, released, save = threading.Event(), threading.Event(), Store.save

    def save_slowly(*arguments: Any) -> str:
        begun.set()
        assert released.wait(30)
        return save(*arguments)

    monkeypatch.setattr(Store, "save", save_slowly)
    with ThreadPoolExecutor() as pool:
        ingest = pool.submit(collection.ingest, [replace(DOCKER, text="Docker: pin the image.")])
        assert begun.wait(30)
        assert collection.search(CACHE, 1)[0].record == DOCKER
        assert collection.get("docker") == DOCKER
        released.set()
        ingest.result()
    assert collection.search(CACHE, 1, 0.0)[0].record.text == "Docker: pin the image."


def test_embedder_may_be_down_at_startup(
    store: Store[Lesson],
    embedder: WordLlamaEmbedder,
    calibration: Calibration,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    long = replace(DOCKER, text=f"{'Lunch is at noon. ' * 30}\n\n{PYTEST.text}\n\n{'Tea. ' * 30}")
    first = Collection(store, embedder, calibration)
    first.ingest([long, REDIS])
    expected = [found.score for found in first.search(PYTEST.text, 2, 0.0)]
    with monkeypatch.context() as patch:
        patch.setattr(WordLlamaEmbedder, "embed_documents", fail)
        patch.setattr(WordLlamaEmbedder, "embed_query", fail)
        collection = Collection(store, embedder, calibration)
        assert collection.list_records() == [long, REDIS]
        with pytest.raises(EmbedderError):
            collection.search(CACHE, 3)
        collection.remove(["redis"])
        assert collection.list_records() == [long]
    collection.ingest([REDIS])
    found = [found.score for found in collection.search(PYTEST.text, 2, 0.0)]
    assert found == pytest.approx(expected, abs=1e-3)


FULL_DISK = """
import resource, sys
from pathlib import Path
from lesson_search.retrieval.collection import Collection
from lesson_search.records import Lesson
from lesson_search.storage.chroma import Chroma, StoreError
from lesson_search.storage.store import Store
from tests.support.letter_embedder import CALIBRATION, LetterEmbedder

store = Store(Chroma(Path(sys.argv[1])), Lesson, "wordllama")
letters = LetterEmbedder("wordllama")
collection = Collection(store, letters, CALIBRATION)
collection.ingest([Lesson("first", "Lesson 1")])
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
for attempt in (lambda: collection.ingest([Lesson("first", "2"), Lesson("b", "3")]),
                lambda: collection.remove(["first"])):
    try:
        attempt()
    except StoreError as error:
        print(error)
    assert [lesson.text for lesson in collection.list_records()] == ["Lesson 1"]
    assert collection.search("Lesson", 9, 0.0)[0].record.text == "Lesson 1"
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
collection.catch_up()
collection.ingest([Lesson("b", "Lesson 2")])
assert collection.list_records() == Collection(store, letters, CALIBRATION).list_records()
"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
def test_full_disk_is_reported(tmp_path: Path) -> None:
    done = run_script(FULL_DISK, str(tmp_path / "db"))
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(
        r"(cannot (write|read) lessons in .+/db: .+ \(check free space and permissions\)\n){2}",
        done.stdout,
    )


def run_script(script: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
