"""Split texts into WordLlama's tokens, word by word.

The tokenizer takes a whole text for one word, which takes most of embedding it. No token has a
space after another character, so words are split as well one by one, and most are split already.
"""

import re
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer

# A word and the spaces before it but one, which the tokenizer adds.
WORD = re.compile(r"(?:^| )( *[^ ]+)")
SIGNS = ("\u2581", "<s>", "</s>", "<unk>")  # the tokenizer's for a space, and its special tokens
CACHED = 20_000  # words
MAX_WORD = 40  # characters of a word that is cached
TEXTS = 8  # texts that are kept: a prompt is embedded, and then compared token by token


class WordLlamaTokenizer:
    """Splits texts into tokens, for any number of threads."""

    def __init__(self, tokenizer: "Tokenizer") -> None:
        self._tokenizer = tokenizer
        self._split_word = lru_cache(CACHED)(self._split)
        self._split_text = lru_cache(TEXTS)(self._split_by_words)

    def split(self, text: str) -> tuple[int, ...]:
        return self._split_text(text)

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
