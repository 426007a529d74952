"""WordLlama returns the same vectors as its package, but faster."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
import wordllama
from hypothesis import example, given
from hypothesis import strategies as st

from hookwright_retrieval.embedders import make_plain, scale
from hookwright_retrieval.embedders.wordllama import (
    WordLlamaEmbedder,
    load_tokenizer,
)

# Edge cases of splitting at spaces: spaces, their marker, special tokens, unknown bytes.
PIECES = [" ", "  ", "\u2581", "<s>", "</s>", "<unk>", "[PAD]", "\n", "\t", "\u00a0", "docker"]
PIECES += ["\U0001f984", "\u4e2d", "s", ">", "<", "a" * 41, "naïve"]
TEXTS = st.text() | st.lists(st.sampled_from(PIECES) | st.text(max_size=3)).map("".join)


@cache
def load_model() -> wordllama.WordLlamaInference:
    folder = Path(wordllama.__file__).parent
    return wordllama.WordLlama.load(cache_dir=folder, disable_download=True)


@given(TEXTS)
@example("")
@example(" ")
@example("a ")
@example(" a")
@example("a\u2581 b")
@example("a <s> b")
@example("a  b \n c")
def test_tokens_match_those_of_the_whole_text(text: str) -> None:
    text = make_plain(text)
    expected = load_model().tokenizer.encode(text, add_special_tokens=False).ids
    assert load_tokenizer().split(text) == tuple(expected)


def test_tokens_do_not_span_words() -> None:
    vocabulary = load_model().tokenizer.get_vocab()
    assert not [token for token in vocabulary if "\u2581" in token.lstrip("\u2581")]


def test_vectors_match_the_package() -> None:
    texts = ["Pin the base image", "", " ", "naïve \U0001f984", "tls " * 900, "a\ud800"]
    expected = scale(load_model().embed([make_plain(text) for text in texts]))
    embedder = WordLlamaEmbedder()
    assert embedder.embed_documents(texts) == pytest.approx(expected, abs=1e-6)
    assert np.array_equal(embedder.embed_query(texts[0]), embedder.embed_documents(texts)[0])
    assert embedder.embed_documents([]).shape == (0, embedder.dimensions)
