"""Ollama is simulated by a fake service, because the tests cannot run the real one."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from hookwright_retrieval.embedders import EmbedderError
from hookwright_retrieval.embedders.ollama import OllamaEmbedder, read_address
from hookwright_retrieval.embedders.registry import open_embedder
from hookwright_retrieval.embedders.wordllama import WordLlamaEmbedder

from ...support.embedding_services import FakeService, stand_in_for_ollama


@pytest.fixture
def service(embedder: WordLlamaEmbedder) -> Iterator[FakeService]:
    with closing(FakeService(stand_in_for_ollama(embedder))) as service:
        yield service


@pytest.fixture
def ollama(service: FakeService) -> Iterator[OllamaEmbedder]:
    with closing(OllamaEmbedder(address=service.url)) as ollama:
        assert ollama.check()
        service.requests.clear()
        yield ollama


def test_requests_follow_the_ollama_protocol(service: FakeService, ollama: OllamaEmbedder) -> None:
    ollama.embed_query("a build cache")
    ollama.embed_documents(["one", "two"])
    rest = {"model": "nomic-embed-text:v1.5", "truncate": True, "keep_alive": -1}
    assert [request.body for request in service.requests] == [
        {"input": ["search_query: a build cache"], **rest},
        {"input": ["search_document: one", "search_document: two"], **rest},
    ]
    assert {request.path for request in service.requests} == {"/api/embed"}


def test_vectors_match_the_model(ollama: OllamaEmbedder, embedder: WordLlamaEmbedder) -> None:
    texts = [f"lesson {number} about builds" for number in range(100)]
    own = embedder.embed_documents(["search_document: " + text for text in texts])
    assert ollama.embed_documents(texts) == pytest.approx(own, abs=1e-4)
    assert ollama.dimensions == 256
    assert ollama.embed_documents([]).shape == (0, 256)


def test_check_warms_up_the_model(service: FakeService) -> None:
    with closing(OllamaEmbedder(address=service.url)) as ollama:
        assert (ollama.is_up, ollama.dimensions) == (False, 0)
        assert ollama.check()
        assert (ollama.is_up, ollama.dimensions) == (True, 256)
    assert service.requests[0].body["keep_alive"] == -1


def test_connection_is_reused(service: FakeService, ollama: OllamaEmbedder) -> None:
    for _ in range(5):
        ollama.embed_query("lesson")
    assert len({id(connection) for connection in service.connections}) == 1


def test_missing_model_is_reported(service: FakeService) -> None:
    with closing(OllamaEmbedder("mxbai-embed-large", service.url)) as ollama:
        assert not ollama.check()
        with pytest.raises(EmbedderError, match=r"run `ollama pull mxbai-embed-large:latest`$"):
            ollama.embed_query("lesson")


def test_foreign_service_on_the_port_is_reported(service: FakeService) -> None:
    with closing(OllamaEmbedder(address=service.url + "/other")) as ollama:
        assert not ollama.check()
        with pytest.raises(EmbedderError, match=r"is not Ollama: set OLLAMA_HOST"):
            ollama.embed_query("lesson")


@pytest.mark.parametrize(
    ("model", "name"),
    [
        (None, "nomic-embed-text:v1.5"),
        ("all-minilm", "all-minilm:latest"),
        ("all-minilm:latest", "all-minilm:latest"),
        ("hf.co:443/me/e5", "hf.co:443/me/e5:latest"),
    ],
)
def test_model_has_one_canonical_name(model: str | None, name: str) -> None:
    with closing(OllamaEmbedder(model)) as ollama:
        assert (ollama.name, ollama.model) == (f"ollama/{name}", name)


def test_embedder_is_opened_by_name(service: FakeService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", f"127.0.0.1:{service.port}")
    opened = open_embedder("ollama/nomic-embed-text:v1.5")
    assert isinstance(opened, OllamaEmbedder)
    with closing(opened):
        assert opened.name == "ollama/nomic-embed-text:v1.5"
        assert opened.is_up


def test_proxies_are_ignored_for_loopback(
    service: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(variable, "http://127.0.0.1:9")
    with closing(OllamaEmbedder(address=service.url)) as ollama:
        assert ollama.check()


def test_addresses_are_parsed_as_in_ollama() -> None:
    for address, url in [
        ("", "http://127.0.0.1:11434"),
        ("10.0.0.7", "http://10.0.0.7:11434"),
        ("gpu:8080", "http://gpu:8080"),
        (":8080", "http://127.0.0.1:8080"),
        ("0.0.0.0", "http://127.0.0.1:11434"),  # noqa: S104 - asked, not bound to
        ("0.0.0.0:8080", "http://127.0.0.1:8080"),
        ("[::]:8080", "http://127.0.0.1:8080"),
        ("::1", "http://[::1]:11434"),
        ("[::1]", "http://[::1]:11434"),
        ("http://gpu", "http://gpu"),
        ("https://gpu.example.com", "https://gpu.example.com"),
        ("https://gpu.example.com/ollama/", "https://gpu.example.com/ollama/"),
        (" 'http://gpu:8080' ", "http://gpu:8080"),
    ]:
        assert str(read_address(address)).rstrip("/") == url.rstrip("/")
