"""Embed with WordLlama: fast, and its package includes the weights, so nothing is downloaded."""

import logging
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hookwright_console.unused_modules import leaving_out
from hookwright_retrieval.embedders import Vectors, make_plain, scale
from hookwright_retrieval.embedders.wordllama_tokenizer import WordLlamaTokenizer

if TYPE_CHECKING:
    from wordllama.inference import WordLlamaInference


class WordLlamaEmbedder:
    """WordLlama in this process."""

    name = model = "wordllama"
    dimensions = 256
    is_up = True

    def __init__(self) -> None:
        """Load the weights, unless they are loaded already."""
        self._tokenizer = load_tokenizer()
        self._vectors: Vectors = load_model().embedding  # of tokens

    def check(self) -> bool:
        """Return True: there is no service."""
        return True

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return a vector of length 1 for each document, of shape (texts, dimensions)."""
        vectors: Vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for number, text in enumerate(texts):
            if tokens := self._tokenizer.split(make_plain(text)):
                vectors[number] = self._vectors.take(tokens, axis=0).sum(axis=0) / len(tokens)
        return scale(vectors)

    def embed_query(self, text: str) -> Vectors:
        """Return a vector of length 1 for a query, of shape (dimensions,)."""
        vector: Vectors = self.embed_documents([text])[0]
        return vector


@cache
def load_tokenizer() -> WordLlamaTokenizer:
    """Return what splits texts into the tokens of WordLlama, which is loaded once."""
    return WordLlamaTokenizer(load_model().tokenizer)


@cache
def load_model() -> "WordLlamaInference":
    """Return WordLlama's weights and tokenizer, which are loaded once."""
    root, nobody = logging.getLogger(), logging.NullHandler()
    root.addHandler(nobody)  # otherwise the import turns on the log messages of all packages
    try:
        with leaving_out({"requests": {}}):  # for downloads, and 0.2 s
            import wordllama
    finally:
        root.removeHandler(nobody)
    # In other folders it would search for its tokenizer, and then try to download it.
    folder = Path(wordllama.__file__).parent
    return wordllama.WordLlama.load(cache_dir=folder, disable_download=True)
