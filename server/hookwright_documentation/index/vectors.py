"""Compare a query with passages by WordLlama's vectors: what they are about, and what they say."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from hookwright_documentation.index.words import LINK_TARGET
from hookwright_documentation.pages import Passage
from hookwright_retrieval.arrays import multiply_rows
from hookwright_retrieval.embedders import Vectors, make_plain, scale
from hookwright_retrieval.embedders.wordllama import (
    WordLlamaEmbedder,
    load_tokenizer,
    load_vectors,
)

EMBEDDED = 1_000  # characters of a text that its vector is made of
COMPARED = 250  # characters of a text whose tokens are compared
MAX_TOKENS = 64  # of a query: those that tell most
LARGEST = 127  # of the components of a vector
BATCH = 500  # passages
NUMBER = "<u2"  # of a token, in two bytes
TINY = 1e-9  # to divide by in the place of 0
Stored = tuple[bytes, bytes]  # the vector of a passage, and its tokens


def embed_passages(passages: Sequence[Passage]) -> Iterator[Stored]:
    """Yield the vector of each passage, and the different tokens of its beginning."""
    embedder, tokenizer = WordLlamaEmbedder(), load_tokenizer()
    for start in range(0, len(passages), BATCH):
        batch = passages[start : start + BATCH]
        vectors = embedder.embed_documents([shorten(passage, EMBEDDED) for passage in batch])
        largest = np.maximum(np.abs(vectors).max(axis=1, keepdims=True), TINY)
        numbers = np.rint(vectors / largest * LARGEST).astype(np.int8)
        for passage, vector in zip(batch, numbers, strict=True):
            tokens = sorted(set(tokenizer.split(make_plain(shorten(passage, COMPARED)))))
            yield vector.tobytes(), np.array(tokens, NUMBER).tobytes()


def shorten(passage: Passage, length: int) -> str:
    """Return the last two headings and the beginning of a passage's text."""
    return f"{' '.join(passage.headings[-2:])} {LINK_TARGET.sub(']', passage.text)[:length]}"


def compare_vectors(query: str, stored: Sequence[Stored]) -> npt.NDArray[np.float32]:
    """Return the cosine of the vector of each passage and that of a query."""
    embedder = WordLlamaEmbedder()
    numbers = np.frombuffer(b"".join(vector for vector, _ in stored), np.int8)
    vectors = scale(numbers.reshape(len(stored), embedder.dimensions).astype(np.float32))
    return multiply_rows(vectors, embedder.embed_query(query))


def compare_tokens(query: str, stored: Sequence[Stored]) -> npt.NDArray[np.float32]:
    """Return the mean cosine of a query's tokens and the nearest ones of each passage.

    A token counts for as much as its vector is long. (The late interaction of O. Khattab and
    M. Zaharia, "ColBERT", 2020.)
    """
    sizes = np.array([len(tokens) // np.dtype(NUMBER).itemsize for _, tokens in stored])
    filled = sizes > 0
    lengths = measure_lengths()
    asked = sorted(set(load_tokenizer().split(make_plain(query))), key=lambda one: -lengths[one])
    asked = asked[:MAX_TOKENS]
    scores = np.zeros(len(sizes), np.float32)
    if not asked or not filled.any():
        return scores
    tokens = np.frombuffer(b"".join(tokens for _, tokens in stored), NUMBER)
    different, places = np.unique(tokens, return_inverse=True)
    weights = lengths[asked]
    cosines = take_vectors(different) @ (take_vectors(asked) / weights[:, None]).T
    cosines /= lengths[different, None]
    starts = (np.cumsum(sizes) - sizes)[filled]
    nearest = np.maximum.reduceat(cosines.take(places, axis=0), starts, axis=0)
    scores[filled] = multiply_rows(nearest, weights / weights.sum())
    return scores


def take_vectors(tokens: npt.NDArray[np.integer[Any]] | list[int]) -> Vectors:
    vectors: Vectors = load_vectors().take(tokens, axis=0).astype(np.float32)
    return vectors


@cache
def measure_lengths() -> npt.NDArray[np.float32]:
    lengths: Vectors = np.linalg.norm(load_vectors().astype(np.float32), axis=1)
    lengths[lengths == 0] = TINY
    return lengths
