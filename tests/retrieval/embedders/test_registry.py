"""Embedders are opened by name and accept any text from any thread."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from typing import Any

import httpx2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookwright_console.errors import ReportedError
from hookwright_retrieval.embedders import Embedder, EmbedderError
from hookwright_retrieval.embedders.embedding_service import find_prefixes, read_wait
from hookwright_retrieval.embedders.ollama import read_address
from hookwright_retrieval.embedders.openai_compatible import OpenAIEmbedder, read_url
from hookwright_retrieval.embedders.registry import open_embedder
from hookwright_retrieval.embedders.wordllama import WordLlamaEmbedder

from ...support.hypothesis_profiles import examples

NOMIC = ("search_query: ", "search_document: ")
E5 = ("query: ", "passage: ")


@settings(max_examples=examples(50))
@given(text=st.text(st.characters(), max_size=80))
def test_any_text_has_a_vector(embedder: WordLlamaEmbedder, text: str) -> None:
    vector = embedder.embed_query(text)
    assert vector.shape == (embedder.dimensions,)
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-4) or not vector.any()


@pytest.mark.parametrize("half", ["\ud83e", "a\udd8a\ud83eb"])
def test_lone_surrogate_is_replaced(embedder: WordLlamaEmbedder, half: str) -> None:
    plain = half.encode("utf-8", "replace").decode()
    assert embedder.embed_query(half) == pytest.approx(embedder.embed_query(plain))


def test_threads_embed_concurrently(embedder: WordLlamaEmbedder) -> None:
    texts = [f"lesson {n} " + "of a build cache " * (n % 7) for n in range(64)]
    with ThreadPoolExecutor(8) as pool:
        together = np.array(list(pool.map(embedder.embed_query, texts)))
    assert together == pytest.approx(embedder.embed_documents(texts), abs=1e-4)


def test_wordllama_is_always_available() -> None:
    opened: Embedder = open_embedder("wordllama")
    assert opened.check()
    assert opened.is_up
    assert (opened.name, opened.model, opened.dimensions) == ("wordllama", "wordllama", 256)
    assert opened.embed_documents([]).shape == (0, 256)


def test_known_models_have_prefixes() -> None:
    for model, prefixes in [
        ("nomic-embed-text:v1.5", NOMIC),
        ("text-embedding-nomic-embed-text-v1.5", NOMIC),
        ("nomic-ai/Nomic-Embed-Text-v2-moe", NOMIC),
        ("intfloat/multilingual-e5-small", E5),
        ("E5_large", E5),
        ("multilingual-e5-large-instruct", ("", "")),
        ("nomic-embed-code", ("", "")),
        ("all-minilm:latest", ("", "")),
        ("some5", ("", "")),
        ("phase5-e55", ("", "")),
    ]:
        assert find_prefixes(model) == prefixes


def test_unopenable_embedder_is_reported() -> None:
    cases: list[tuple[tuple[Any, ...], str]] = [
        (
            ("word2vec",),
            r"unknown embedder 'word2vec': choose one of wordllama, onnx, ollama, openai",
        ),
        (("",), r"unknown embedder ''"),
        (("wordllama", "big"), r"wordllama has one model"),
        (("wordllama", None, "http://127.0.0.1:1"), r"wordllama has one model"),
        (
            ("ollama", None, "ftp://gpu"),
            r"expected an address of Ollama such as .+, got 'ftp://gpu'",
        ),
        (("ollama", None, "gpu:port"), r"got 'gpu:port'"),
        (("ollama", None, "gpu:99999"), r"http://gpu:99999/api/embed has a port above 65535"),
        (("openai", "m", "http://gpu:99999/v1"), r"has a port above 65535"),
        (
            ("openai", "m", "127.0.0.1:8080/v1"),
            r"expected the URL of a service .+, got '127.0.0.1:8080/v1'",
        ),
        (("openai", "m", "http://"), r"got 'http://'"),
        (("openai", "m", "http://[::1"), r"expected the URL of a service"),
    ]
    for arguments, message in cases:
        with pytest.raises(ReportedError, match=message) as caught:
            open_embedder(*arguments)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "form"),
    [
        ("openai", "http://user:{}@h/v1"),
        ("openai", "http://h/v1?key={}"),
        ("openai", "http://h/v1#{}"),
        ("openai", "http://user:{}@[/v1"),
        ("ollama", "http://user:{}@h"),
        ("ollama", "http://h/?key={}"),
        ("ollama", "http://h?key={}"),
    ],
)
def test_secret_in_a_url_is_hidden(kind: str, form: str) -> None:
    with pytest.raises(EmbedderError, match=r"^the \w+ of .* has a user") as caught:
        open_embedder(kind, "m", form.format("s3cret"))
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize("read", [read_address, read_url])
@given(url=st.text(max_size=20) | st.from_regex(r"(https?://)?\S{,9}(:\d{,6})?(/\w*)?"))
def test_any_address_is_parsed_or_rejected(read: Callable[[str], httpx2.URL], url: str) -> None:
    with suppress(EmbedderError):
        assert read(url).host


@pytest.mark.parametrize("url", ["http://a..b/v1", f"http://{'a' * 70}.com/v1"])
def test_invalid_host_is_rejected(url: str) -> None:
    with closing(OpenAIEmbedder("m", url)) as embedder:
        assert not embedder.check()
        with pytest.raises(EmbedderError, match=r"did not respond"):
            embedder.embed_query("lesson")


@pytest.mark.parametrize("kind", ["ollama", "openai"])
def test_password_in_an_address_is_hidden(kind: str) -> None:
    with pytest.raises(EmbedderError) as caught:
        open_embedder(kind, "m", "http://me:hunter2@127.0.0.1:8080/v1")
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("proxy", ["nonsense://proxy", "socks5://127.0.0.1:1080", "http://[::1"])
def test_unusable_proxy_is_reported(proxy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", proxy)
    with pytest.raises(EmbedderError, match=r"correct HTTPS_PROXY, ALL_PROXY or SSL_CERT_FILE"):
        open_embedder("openai", "m", "http://embeddings.invalid/v1")


@settings(max_examples=examples(50))
@given(header=st.none() | st.text(max_size=12) | st.integers(0).map(str))
def test_any_retry_delay_is_finite(header: str | None) -> None:
    assert 0 <= read_wait(header) < 1e9
