"""Embed texts with WordLlama, which is fast; its package contains the weights.

WordLlama's tokenizer treats a whole text as one word, which takes most of the time. Because no
token contains a space after another character, words can be tokenized separately, and most of them
are cached.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

import numpy as np
import numpy.typing as npt
from safetensors import safe_open
from tokenizers import Tokenizer

from hookwright_retrieval.arrays import Scores, widen
from hookwright_retrieval.embedders import Vectors, make_plain, scale

# A word with its preceding spaces, except for the space that the tokenizer adds.
WORD = re.compile(r"(?:^| )( *[^ ]+)")
SIGNS = ("\u2581", "<s>", "</s>", "<unk>")  # the tokenizer's space, and its special tokens
CACHED = 20_000  # maximum number of cached words
MAX_WORD = 40  # maximum characters of a cached word
TEXTS = 8  # cached texts, because a prompt is embedded and then compared token by token
WEIGHTS = "weights/l2_supercat_256.safetensors"
TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"


class WordLlamaTokenizer:
    """Splits texts into tokens; any number of threads may share it."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._split_word = lru_cache(CACHED)(self._split)
        self.split = lru_cache(TEXTS)(self._split_by_words)

    def _split_by_words(self, text: str) -> tuple[int, ...]:
        if text.endswith(" ") or any(sign in text for sign in SIGNS):
            return self._split(text)
        words = WORD.findall(text)
        longest = max(map(len, words), default=0)
        split = self._split_word if longest <= MAX_WORD else self._split_any
        return tuple(chain.from_iterable(map(split, words)))

    def _split_any(self, word: str) -> tuple[int, ...]:
        return self._split_word(word) if len(word) <= MAX_WORD else self._split(word)

    def _split(self, text: str) -> tuple[int, ...]:
        return tuple(self._tokenizer.encode(text, add_special_tokens=False).ids)


class WordLlamaEmbedder:
    """WordLlama, running in this process."""

    name = model = "wordllama"
    dimensions = 256
    is_up = True

    def __init__(self) -> None:
        self._tokenizer = load_tokenizer()
        self._vectors = load_vectors()

    def check(self) -> bool:
        return True

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        vectors: Vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for number, text in enumerate(texts):
            if tokens := self._tokenizer.split(make_plain(text)):
                rows = widen(self._vectors.take(tokens, axis=0))
                vectors[number] = rows.sum(axis=0) / len(tokens)
        return scale(vectors)

    def embed_query(self, text: str, weights: Scores | None = None) -> Vectors:
        """Return a query's vector; `weights`, of shape (vocabulary,), are the tokens' weights."""
        if weights is None:
            weights = np.ones(len(self._vectors), np.float32)
        tokens = np.array(self._tokenizer.split(make_plain(text)), np.int64)
        rows = widen(self._vectors.take(tokens, axis=0))
        return scale(weights.take(tokens) @ rows)


@cache
def load_tokenizer() -> WordLlamaTokenizer:
    tokenizer = Tokenizer.from_file(str(find_file(TOKENIZER)))
    tokenizer.no_truncation()
    return WordLlamaTokenizer(tokenizer)


@cache
def load_vectors() -> npt.NDArray[np.float16]:
    """Return WordLlama's token vectors, of shape (tokens, dimensions), loading them only once."""
    with safe_open(find_file(WEIGHTS), framework="numpy") as file:
        vectors: npt.NDArray[np.float16] = file.get_tensor("embedding.weight")
    return vectors


def find_file(name: str) -> Path:
    """Return the path of a file in WordLlama's package.

    The package is not imported, because that takes time and 4 MB of memory for unused features.
    """
    spec = find_spec("wordllama")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("wordllama is not installed", name="wordllama")
    return Path(spec.origin).parent / name
