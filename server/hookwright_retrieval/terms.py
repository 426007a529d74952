"""Split texts into terms for comparing lessons with prompts."""

import re
import threading
from functools import cache, lru_cache
from typing import Any

# Words may contain the punctuation found in tool names, versions, flags and paths.
WORD = re.compile(r"\w(?:[\w.+#/-]*[\w+#])?")
PART = re.compile(r"[^\W_]+")
CACHED = 20_000  # maximum number of cached words
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

_stemming = threading.Lock()  # a stemmer is not thread-safe


def list_words(text: str) -> list[str]:
    """Return the stems of a text's words, and of the parts of compound words.

    NODE_OPTIONS yields ["node_option", "node", "option"]; stop words are omitted.
    """
    return [term for word in WORD.findall(text.casefold()) for term in split_word(word)]


@lru_cache(maxsize=CACHED)
def split_word(word: str) -> tuple[str, ...]:
    parts = PART.findall(word)
    whole = [word] if parts != [word] else []
    with _stemming:
        return tuple(
            load_stemmer().stemWords([term for term in whole + parts if term not in STOP_WORDS])
        )


@cache
def load_stemmer() -> Any:
    import Stemmer  # part of the extra [server]; the command line alone needs only the stop words

    return Stemmer.Stemmer("english")
