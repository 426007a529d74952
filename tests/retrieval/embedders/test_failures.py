"""Services that are down, slow or hostile are reported in one line, and used once they recover.

All services are fakes, and the tests apply to both protocols.
"""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookwright_retrieval.embedders import EmbedderError
from hookwright_retrieval.embedders import embedding_service as service_module
from hookwright_retrieval.embedders.embedding_service import ServiceEmbedder
from hookwright_retrieval.embedders.ollama import OllamaEmbedder
from hookwright_retrieval.embedders.openai_compatible import OpenAIEmbedder
from hookwright_retrieval.embedders.wordllama import WordLlamaEmbedder

from ...support.embedding_services import (
    Answer,
    FakeService,
    Reply,
    Request,
    stand_in_for_ollama,
    stand_in_for_openai,
)
from ...support.hypothesis_profiles import examples

Open = Callable[[str], ServiceEmbedder]
PROTOCOLS: dict[str, tuple[Open, Callable[[WordLlamaEmbedder], Answer]]] = {
    "ollama": (lambda url: OllamaEmbedder(address=url), stand_in_for_ollama),
    "openai": (lambda url: OpenAIEmbedder("m", url), stand_in_for_openai),
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["embeddings", "data", "index", "embedding", "error", "message"]), inner
        )
    ),
    max_leaves=20,
)


@pytest.fixture(params=PROTOCOLS)
def protocol(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def fake(protocol: str, embedder: WordLlamaEmbedder) -> Iterator[FakeService]:
    with closing(FakeService(PROTOCOLS[protocol][1](embedder))) as fake:
        yield fake


@pytest.fixture
def client(protocol: str, fake: FakeService) -> Iterator[ServiceEmbedder]:
    with closing(PROTOCOLS[protocol][0](fake.url)) as client:
        assert client.check()
        fake.requests.clear()
        yield client


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_module, "WAIT", 0.0)


def refuse(client: ServiceEmbedder) -> str:
    with pytest.raises(EmbedderError) as caught:
        client.embed_query("lesson")
    assert str(caught.value).isprintable()
    return str(caught.value)


def test_unreachable_service_is_reported(protocol: str) -> None:
    with socket.socket() as probe:  # bound but not listening
        probe.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{probe.getsockname()[1]}"
        with closing(PROTOCOLS[protocol][0](url)) as client:
            assert not client.check()
            assert not client.is_up
            message = refuse(client)
            assert url in message
            assert "(Connection refused)" in message
            with pytest.raises(EmbedderError, match=r"start"):
                client.embed_documents(["lesson"])
            assert client.embed_documents([]).shape == (0, 0)


def test_unchecked_service_is_not_queried(protocol: str, fake: FakeService) -> None:
    with closing(PROTOCOLS[protocol][0](fake.url)) as client:
        refuse(client)
    assert fake.requests == []


def test_service_recovers_after_an_outage(fake: FakeService, client: ServiceEmbedder) -> None:
    fake.close()
    refuse(client)
    assert not client.is_up
    assert not client.check()
    with closing(FakeService(fake.answer, fake.port)) as again:
        refuse(client)
        with pytest.raises(EmbedderError):
            client.embed_documents(["lesson"])
        assert again.requests == []
        assert client.check()
        assert client.embed_query("lesson").any()


def test_failed_documents_mark_the_service_as_down(
    fake: FakeService, client: ServiceEmbedder
) -> None:
    fake.close()
    with pytest.raises(EmbedderError):
        client.embed_documents(["lesson"])
    assert not client.is_up


def test_prompt_does_not_wait_for_a_slow_service(
    fake: FakeService, client: ServiceEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_module, "QUERY_TIMEOUT", 0.2)

    def hang(_request: Request) -> Reply:
        fake.closed.wait()
        return Reply({})

    fake.answer = hang
    start = time.perf_counter()
    assert "did not respond in time" in refuse(client)
    assert 0.2 <= time.perf_counter() - start < 5
    assert not client.is_up
    refuse(client)
    assert len(fake.requests) == 1


def test_prompt_does_not_wait_for_a_trickle(protocol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_module, "QUERY_TIMEOUT", 0.3)
    monkeypatch.setattr(service_module, "CHECK_TIMEOUT", 0.3)
    done = threading.Event()

    def trickle(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection:
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            while not done.wait(0.05):
                connection.sendall(b" ")

    with socket.create_server(("127.0.0.1", 0)) as listener, ThreadPoolExecutor(1) as pool:
        trickling = pool.submit(trickle, listener)
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        start = time.perf_counter()
        with closing(PROTOCOLS[protocol][0](url)) as client:
            assert not client.check()
            assert "did not respond in time" in refuse(client)
        assert time.perf_counter() - start < 5  # the whole response would take 50 s
        done.set()
        assert trickling.exception() is None or isinstance(trickling.exception(), OSError)


GARBAGE = [
    b"",
    b"<html>welcome</html>",
    b"{}",
    b'{"embeddings": [], "data": []}',
    b'{"embeddings": [[]], "data": [{"index": 0, "embedding": []}]}',
    b'{"embeddings": [["a"]], "data": [{"index": 0, "embedding": ["a"]}]}',
    b'{"embeddings": [[[1]]], "data": [{"index": 0, "embedding": [[1]]}]}',
    b'{"embeddings": [1], "data": [{"index": 0, "embedding": 1}]}',
    b'{"embeddings": [[NaN]], "data": [{"index": 0, "embedding": [NaN]}]}',
    b'{"embeddings": [[1e999]], "data": [{"index": 0, "embedding": [1e999]}]}',
    b'{"embeddings": [[1e300]], "data": [{"index": 0, "embedding": [1e300]}]}',
    b'{"embeddings": [[1], [2]], "data": [{"index": 0, "embedding": [1]}, 2]}',
    b'{"embeddings": [[1]], "data": [{"index": 1, "embedding": [1]}]}',
    b'{"embeddings": [[1]], "data": [{"embedding": [1]}]}',
    b'{"embeddings": [[1%s]], "data": [{"index": 0, "embedding": [1%s]}]}'
    % (b"0" * 400, b"0" * 400),
    b"[" * 100_000,
    b"\xff\xfe",
]


@pytest.mark.parametrize("content", GARBAGE, ids=lambda content: content[:20].decode("latin-1"))
def test_garbage_is_reported(content: bytes, fake: FakeService, client: ServiceEmbedder) -> None:
    fake.answer = lambda _: Reply(content)
    assert "check the URL, and the model" in refuse(client)
    assert client.is_up
    assert not client.check()


@settings(max_examples=examples(150))
@given(content=JSON, status=st.sampled_from([200, 200, 301, 400, 404, 418, 429, 500, 503]))
def test_any_invalid_answer_is_reported(
    content: object, status: int, fake: FakeService, client: ServiceEmbedder
) -> None:
    fake.answer = lambda _: Reply(content, status)
    client.check()
    if client.is_up:
        assert client.embed_query("lesson").shape == (client.dimensions,)
    else:
        refuse(client)


def test_vectors_of_another_length_are_rejected(fake: FakeService, client: ServiceEmbedder) -> None:
    vector = [1.0, 2.0]
    fake.answer = lambda _: Reply(
        {"embeddings": [vector], "data": [{"index": 0, "embedding": vector}]}
    )
    assert "vectors of 2 numbers, not 256" in refuse(client)
    assert client.dimensions == 256


@pytest.mark.parametrize("number", [1, 3])
def test_wrong_number_of_vectors_is_rejected(
    number: int, fake: FakeService, client: ServiceEmbedder
) -> None:
    rows = [{"index": index, "embedding": [1.0] * 256} for index in range(number)]
    fake.answer = lambda _: Reply({"embeddings": [[1.0] * 256] * number, "data": rows})
    with pytest.raises(EmbedderError, match=rf"vectors of shape \({number}, 256\) for 2 texts"):
        client.embed_documents(["one", "two"])


def test_endless_answer_is_rejected(
    fake: FakeService, client: ServiceEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_module, "MAX_ANSWER", 10_000)
    fake.answer = lambda _: Reply(b" " * 1_000_000)
    assert "an answer that never ended" in refuse(client)


def test_incomplete_answer_is_rejected(fake: FakeService, client: ServiceEmbedder) -> None:
    ends = {"Content-Length": "999", "Connection": "close"}
    fake.answer = lambda _: Reply(b'{"embeddings": [[', 200, ends)
    assert "did not respond (peer closed connection" in refuse(client)
    assert not client.is_up


def test_redirects_are_not_followed(fake: FakeService, client: ServiceEmbedder) -> None:
    fake.answer = lambda _: Reply(b"", 307, {"Location": fake.url + "/elsewhere"})
    assert "answered 307: use the URL that it redirects to" in refuse(client)
    assert not client.is_up
    assert len(fake.requests) == 1


@pytest.mark.parametrize(
    ("status", "up", "message"),
    [
        (400, True, "check the URL, and the model"),
        (401, False, "set LESSON_SEARCH_EMBEDDER_KEY to a valid key"),
        (403, False, "set LESSON_SEARCH_EMBEDDER_KEY"),
        (405, False, "check the URL"),
        (429, True, "wait, or raise its rate limit"),
        (500, True, "see the log of the service"),
        (503, False, "see the log of the service"),
    ],
)
def test_refusals_are_reported(
    status: int, message: str, fake: FakeService, client: ServiceEmbedder, *, up: bool
) -> None:
    fake.answer = lambda _: Reply({"error": "no\nway"}, status, {"Retry-After": "0"})
    error = refuse(client)
    assert rf"answered {status} (no\nway): {message}" in error
    assert client.is_up == up
    assert len(fake.requests) == 1  # prompts are not sent again
    assert not client.check()
    assert not client.is_up


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_documents_are_retried(
    status: int, fake: FakeService, client: ServiceEmbedder, embedder: WordLlamaEmbedder
) -> None:
    answer, replies = fake.answer, [Reply({}, status, {"Retry-After": "0"}), Reply({}, status)]
    fake.answer = lambda request: replies.pop() if replies else answer(request)
    assert client.embed_documents(["lesson"]).shape == (1, embedder.dimensions)
    assert len(fake.requests) == 3
    assert client.is_up


def test_document_retries_are_limited(fake: FakeService, client: ServiceEmbedder) -> None:
    fake.answer = lambda _: Reply({}, 503)
    with pytest.raises(EmbedderError, match=r"answered 503"):
        client.embed_documents(["lesson"])
    assert len(fake.requests) == service_module.TRIES
    assert not client.is_up


def test_long_texts_are_truncated(
    fake: FakeService, client: ServiceEmbedder, embedder: WordLlamaEmbedder
) -> None:
    answer = fake.answer

    def limit(request: Request) -> Reply:
        if max(map(len, request.body["input"])) > 600:
            error = "the input length exceeds the context length"
            return Reply({"error": error}, 400)
        return answer(request)

    fake.answer = limit
    vectors = client.embed_documents(["docker " * 300, "short"])
    assert vectors.shape == (2, embedder.dimensions)
    assert 500 < len(fake.requests[-1].body["input"][0]) <= 600
    assert fake.requests[-1].body["input"][1].endswith("short")
    assert client.embed_query("docker " * 300).any()
    fake.answer = lambda _: Reply({"error": "exceeds the context length"}, 400)
    refuse(client)


def test_rate_limit_truncates_nothing(fake: FakeService, client: ServiceEmbedder) -> None:
    answer = fake.answer
    error = {"message": "Rate limit reached: 1000 tokens per min"}
    replies = [Reply({"error": error}, 429)]
    fake.answer = lambda request: replies.pop() if replies else answer(request)
    client.embed_documents(["docker " * 300])
    assert [len(text) > 2_000 for text in fake.texts] == [True, True]


def test_prompts_are_not_starved_by_documents(
    fake: FakeService, client: ServiceEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_module, "TURN", 60.0)
    client.embed_documents([f"lesson {number}" for number in range(100)])
    assert [len(request.body["input"]) for request in fake.requests] == [8, 16, 32, 32, 12]
    fake.requests.clear()
    monkeypatch.setattr(service_module, "TURN", 0.0)
    client.embed_documents([f"lesson {number}" for number in range(10)])
    assert [len(request.body["input"]) for request in fake.requests] == [8, 1, 1]


def test_busy_service_is_not_down(
    fake: FakeService, client: ServiceEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_module, "QUERY_TIMEOUT", 0.1)
    answer, release, arrived = fake.answer, threading.Event(), threading.Event()

    def work(request: Request) -> Reply:
        arrived.set()
        release.wait()
        return answer(request)

    fake.answer = work
    with ThreadPoolExecutor(1) as pool:
        documents = pool.submit(client.embed_documents, ["lesson"] * 20)
        assert arrived.wait(10)
        try:
            refuse(client)
            assert client.is_up
            assert client.check()
        finally:
            release.set()
        assert documents.result().shape == (20, 256)


def test_concurrent_queries_return_the_same_vectors(client: ServiceEmbedder) -> None:
    texts = [f"{word} and {other}" for word in ("docker", "redis") for other in ("git", "css")]
    expected = {text: client.embed_query(text) for text in texts}
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda text: (text, client.embed_query(text)), texts * 10))
    assert all(np.allclose(vector, expected[text], atol=1e-4) for text, vector in results)


def test_lone_surrogates_are_sent_as_text(fake: FakeService, client: ServiceEmbedder) -> None:
    client.embed_query("half \ud83e")
    client.embed_documents(["other half \udd8a"])
    assert [text.rpartition(" ")[2] for text in fake.texts] == ["?", "?"]
