"""Embedders, which turn texts into vectors that are near each other where the meanings are."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

BATCH = 32  # texts that are embedded at once

Vectors = npt.NDArray[np.float32]


class Embedder(Protocol):
    """What embeds texts.

    Args:
        name: What its vectors are known by: those of another name cannot be compared with them.
        dimensions: How long a vector is.

    """

    name: str
    dimensions: int

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return a vector of length 1 for each text to be found, of shape (texts, dimensions)."""
        ...

    def embed_query(self, text: str) -> Vectors:
        """Return a vector of length 1 for a text to find others by, of shape (dimensions,)."""
        ...


class WordLlamaEmbedder:
    """WordLlama, whose weights come with its package: quick, and nothing is downloaded."""

    name = "wordllama"
    dimensions = 256

    def __init__(self) -> None:
        """Load the weights."""
        import wordllama  # noqa: PLC0415 - only who embeds by it should wait for it

        # Elsewhere it would look for its tokenizer, and then try to download it.
        folder = Path(wordllama.__file__).parent
        self._model = wordllama.WordLlama.load(cache_dir=folder, disable_download=True)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return a vector of length 1 for each text to be found, of shape (texts, dimensions)."""
        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        # It pads a batch to the longest text: batches of like lengths take a third of the time.
        order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
        # Half of a surrogate pair, which JSON may hold, is no text to it.
        plain = [texts[number].encode("utf-8", "replace").decode() for number in order]
        embedded = self._model.embed(plain, batch_size=BATCH)
        vectors: Vectors = np.empty((len(texts), self.dimensions), np.float32)
        vectors[order] = embedded
        return scale(vectors)

    def embed_query(self, text: str) -> Vectors:
        """Return a vector of length 1 for a text to find others by, of shape (dimensions,)."""
        vector: Vectors = self.embed_documents([text])[0]
        return vector


def scale(vectors: Vectors) -> Vectors:
    """Return the vectors, along the last axis, at length 1; zero stays zero."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: Vectors = (vectors / np.maximum(lengths, 1e-9)).astype(np.float32)
    return scaled
