"""Split documentation and questions into stems, and names of code also into their parts."""

import re
import threading
from functools import lru_cache

import Stemmer

from hookwright_retrieval.terms import PART, STOP_WORDS, WORD

LINK_TARGET = re.compile(r"\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)")  # of a link in markdown
HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")  # between words of camelCase
MAX_WORD = 80  # characters of a word; longer ones are data
CACHED = 50_000  # words

_stemmer = Stemmer.Stemmer("english")
_stemming = threading.Lock()  # a stemmer is for one thread at a time


def remove_targets(text: str) -> str:
    """Return markdown without the addresses of its links, which say nothing to a reader."""
    return LINK_TARGET.sub("]", text)


def list_terms(text: str) -> list[str]:
    """Return the stems of a text without stop words.

    Args:
        text: Any text. Case matters only for the parts of names.

    Returns:
        The stems in order, such as ``["str.split", "str", "split"]`` for str.split and
        ``["readlines", "read", "line"]`` for readLines.

    """
    return [term for word in WORD.findall(text) for term in split_word(word)]


@lru_cache(maxsize=CACHED)
def split_word(word: str) -> tuple[str, ...]:
    if len(word) > MAX_WORD:
        return ()
    whole = word.casefold()
    parts = [part.casefold() for part in PART.findall(HUMP.sub("_", word))]
    words = parts if parts == [whole] else [whole, *parts]
    with _stemming:
        return tuple(_stemmer.stemWords([each for each in words if each not in STOP_WORDS]))
