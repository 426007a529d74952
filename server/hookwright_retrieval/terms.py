"""Split a text into the terms that lessons and prompts are compared by."""

import re
from functools import lru_cache

# Words include the signs in names of tools, versions, flags and paths.
WORD = re.compile(r"\w(?:[\w.+#/-]*[\w+#])?")
PART = re.compile(r"[^\W_]+")
ENDINGS = ("ingly", "edly", "ing", "ies", "ied", "ers", "ed", "es", "er", "ly", "s")
MIN_STEM = 3  # characters that stay when an ending is removed
GRAM = 4
CACHED = 20_000  # words
STOP_WORDS = frozenset(
    PART.findall(
        """
        a about am an and any are as at be but by can could did do does for from get got had has
        have how i if in into is it its just me my need no not of on or our please so some that the
        their them then there these they this to us want was we were what when where which who why
        will with would you your
        """
    )
)


def list_words(text: str) -> list[str]:
    """Return the words of a text without endings, and the parts of compound words.

    Args:
        text: Any text. Case does not matter; stop words are left out.

    Returns:
        The words in order, such as ``["node_option", "node", "option"]`` for NODE_OPTIONS.

    """
    return [term for word in WORD.findall(text.casefold()) for term in split_word(word)]


@lru_cache(maxsize=CACHED)
def split_word(word: str) -> tuple[str, ...]:
    parts = PART.findall(word)
    whole = [word] if parts != [word] else []
    return tuple(strip_ending(term) for term in whole + parts if term not in STOP_WORDS)


def strip_ending(word: str) -> str:
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= MIN_STEM and len(word) > GRAM:
            return word[: -len(ending)]
    return word


def list_grams(text: str) -> list[str]:
    """Return the character 4-grams of each word, which its other forms share.

    Args:
        text: Any text. Case does not matter; stop words are left out.

    Returns:
        The 4-grams in order, with ``_`` for the beginning and the end of a word.

    """
    return [gram for word in PART.findall(text.casefold()) for gram in split_grams(word)]


@lru_cache(maxsize=CACHED)
def split_grams(word: str) -> tuple[str, ...]:
    if word in STOP_WORDS:
        return ()
    framed = f"_{word}_"
    return tuple(framed[i : i + GRAM] for i in range(max(1, len(framed) - GRAM + 1)))
