"""Embed with WordLlama: fast, and its package includes the weights, so nothing is downloaded."""

import logging
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hookwright_retrieval.embedders import Vectors, make_plain, scale

if TYPE_CHECKING:
    from wordllama.inference import WordLlamaInference

BATCH = 32  # texts per call


class WordLlamaEmbedder:
    """WordLlama in this process."""

    name = model = "wordllama"
    dimensions = 256
    is_up = True

    def __init__(self) -> None:
        """Load the weights, unless they are loaded already."""
        self._model = load_model()

    def check(self) -> bool:
        """Return True: there is no service."""
        return True

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return a vector of length 1 for each document, of shape (texts, dimensions)."""
        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        # WordLlama pads a batch to its longest text, so sorting takes a third of the time.
        order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
        plain = [make_plain(texts[number]) for number in order]
        embedded = self._model.embed(plain, batch_size=BATCH)
        vectors: Vectors = np.empty((len(texts), self.dimensions), np.float32)
        vectors[order] = embedded
        return scale(vectors)

    def embed_query(self, text: str) -> Vectors:
        """Return a vector of length 1 for a query, of shape (dimensions,)."""
        vector: Vectors = self.embed_documents([text])[0]
        return vector


@cache
def load_model() -> "WordLlamaInference":
    """Return WordLlama's weights and tokenizer, which are loaded once."""
    root, nobody = logging.getLogger(), logging.NullHandler()
    root.addHandler(nobody)  # otherwise the import turns on the log messages of all packages
    try:
        import wordllama
    finally:
        root.removeHandler(nobody)
    # In other folders it would search for its tokenizer, and then try to download it.
    folder = Path(wordllama.__file__).parent
    return wordllama.WordLlama.load(cache_dir=folder, disable_download=True)
