"""Compare queries with passages by WordLlama's vectors, as whole texts and token by token."""

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np

from hookwright_documentation.index.words import LINK_TARGET
from hookwright_documentation.pages import Passage
from hookwright_retrieval.arrays import Scores, multiply_rows, shrink
from hookwright_retrieval.embedders import scale
from hookwright_retrieval.embedders.wordllama import WordLlamaEmbedder
from hookwright_retrieval.token_vectors import TokenLists, TokenVectors, load_wordllama_table

EMBEDDED = 1_000  # characters of a text used for its vector
COMPARED = 250  # characters of a text used for the token comparison
BATCH = 500  # passages embedded at once
NUMBER = "<u2"  # array type of a token number


def embed_passages(passages: Sequence[Passage]) -> Iterator[tuple[bytes, bytes]]:
    """Yield each passage's vector, and the distinct tokens at its beginning."""
    embedder, compared = WordLlamaEmbedder(), load_token_vectors()
    for start in range(0, len(passages), BATCH):
        batch = passages[start : start + BATCH]
        texts = [shorten(passage, EMBEDDED) for passage in batch]
        numbers, _ = shrink(embedder.embed_documents(texts))
        lists = compared.list_tokens([shorten(passage, COMPARED) for passage in batch])
        tokens = np.split(lists.tokens.astype(NUMBER), lists.bounds[1:-1])
        yield from ((a.tobytes(), b.tobytes()) for a, b in zip(numbers, tokens, strict=True))


def shorten(passage: Passage, length: int) -> str:
    """Return the last two headings and the beginning of a passage's text."""
    return f"{' '.join(passage.headings[-2:])} {LINK_TARGET.sub(']', passage.text)[:length]}"


def compare_vectors(query: str, stored: Sequence[bytes]) -> Scores:
    """Return the cosine similarity between each passage's vector and the query's vector."""
    embedder = WordLlamaEmbedder()
    numbers = np.frombuffer(b"".join(stored), np.int8)
    vectors = scale(numbers.reshape(len(stored), embedder.dimensions).astype(np.float32))
    return multiply_rows(vectors, embedder.embed_query(query))


def compare_tokens(query: str, stored: Sequence[bytes]) -> Scores:
    """Return the similarity between the query's tokens and each passage's tokens, from -1 to 1."""
    tokens = np.frombuffer(b"".join(stored), NUMBER)
    bounds = np.cumsum([0, *map(len, stored)], dtype=np.int64) // tokens.itemsize
    return load_token_vectors().score(query, TokenLists(tokens, bounds))


@cache
def load_token_vectors() -> TokenVectors:
    return TokenVectors(load_wordllama_table())
