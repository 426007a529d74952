"""What is ingested is found, and what is removed is not, with real Chroma and the real embedder."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from lesson_search.embedders import Vectors, WordLlamaEmbedder
from lesson_search.library import Library
from lesson_search.records import Lesson
from lesson_search.store import Store

DOCKER = Lesson(
    "docker", "The Docker build cache is lost by COPY . before npm ci.", ("devops/docker",)
)
PYTEST = Lesson("pytest", "A pytest fixture of session scope outlives the test.", ("development",))
REDIS = Lesson("redis", "Redis evicts keys once its memory is full.", ("development/backend",))
CACHE = "why is the docker build cache lost"


@pytest.fixture
def library(store: Store[Lesson], embedder: WordLlamaEmbedder) -> "Library[Lesson]":
    """Return a library of three lessons."""
    library = Library(store, embedder)
    library.ingest([DOCKER, PYTEST, REDIS])
    return library


def search(library: "Library[Lesson]", prompt: str, **options: object) -> list[str]:
    """Return the ids of all lessons that a prompt finds."""
    found = library.search(prompt, 9, **{"least_score": 0.0, **options})  # type: ignore[arg-type]
    return [each.record.id for each in found]


def test_ingested_lesson_is_found(library: "Library[Lesson]") -> None:
    """The lesson that matters comes first, whole; over the threshold it is alone."""
    assert search(library, CACHE)[0] == "docker"
    [found] = library.search(CACHE, 3)
    assert found.record == DOCKER
    assert 0 < found.score < 1


def test_library_is_the_store(
    library: "Library[Lesson]", store: Store[Lesson], embedder: WordLlamaEmbedder
) -> None:
    """A library that is opened later on the same store finds the same, with the same scores."""
    later = Library(store, embedder)
    assert later.list_records() == library.list_records() == [DOCKER, PYTEST, REDIS]
    assert later.search(CACHE, 3)[0].score == pytest.approx(library.search(CACHE, 3)[0].score)


def test_lesson_is_replaced(library: "Library[Lesson]") -> None:
    """A lesson takes the place of the one with its id, which is found no more."""
    library.ingest([replace(DOCKER, text="Kubernetes probes need a longer timeout.")])
    assert len(library) == 3
    assert library.search(CACHE, 3) == []
    assert search(library, "kubernetes probe timeout")[0] == "docker"


def test_lesson_is_removed(library: "Library[Lesson]", store: Store[Lesson]) -> None:
    """A removed lesson is found no more, and is not in the store."""
    assert library.remove(["docker", "nobody"]) == 1
    assert "docker" not in search(library, CACHE)
    assert library.get("docker") is None
    assert len(store) == len(library) == 2


@pytest.mark.parametrize(
    ("categories", "ids"),
    [
        ((), {"docker", "pytest", "redis"}),
        (("development",), {"pytest", "redis"}),
        (("development/backend", "devops"), {"docker", "redis"}),
        (("dev",), set()),
    ],
)
def test_categories_narrow_a_search(
    library: "Library[Lesson]", categories: tuple[str, ...], ids: set[str]
) -> None:
    """A search is narrowed to what is below a category; a part of its name is none."""
    assert set(search(library, CACHE, categories=categories)) == ids


def test_many_changes_leave_what_counts(library: "Library[Lesson]") -> None:
    """After a lesson was replaced a hundred times, each is there once."""
    for number in range(100):
        library.ingest([replace(DOCKER, text=f"Docker build cache, version {number}.")])
    assert sorted(search(library, CACHE)) == ["docker", "pytest", "redis"]
    found = library.get("docker")
    assert found
    assert found.text.endswith("99.")


def test_what_cannot_be_embedded_is_not_there(
    library: "Library[Lesson]", monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where embedding fails, nothing changes."""

    def fail(_self: WordLlamaEmbedder, texts: list[str]) -> Vectors:
        raise ConnectionError(str(np.zeros(len(texts))))

    with monkeypatch.context() as patch:
        patch.setattr(WordLlamaEmbedder, "embed_documents", fail)
        with pytest.raises(ConnectionError):
            library.ingest([replace(DOCKER, text="New")])
    assert library.get("docker") == DOCKER


def test_threads_search_while_others_ingest(library: "Library[Lesson]") -> None:
    """While lessons come in, every search has its answer, and all lessons are there in the end."""
    lessons = [Lesson(f"l{n}", f"Lesson {n} of Terraform state locks.") for n in range(60)]
    with ThreadPoolExecutor(8) as pool:
        ingests = [pool.submit(library.ingest, [lesson]) for lesson in lessons]
        searches = [pool.submit(search, library, CACHE) for _ in range(60)]
        assert all("docker" in searched.result() for searched in searches)
        for ingest in ingests:
            ingest.result()
    assert len(library) == 63
