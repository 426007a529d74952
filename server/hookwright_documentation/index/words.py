"""Split documentation and queries into words in the same way; FTS5 then stems the words."""

import re
import unicodedata
from collections.abc import Iterable

from hookwright_retrieval.embedders import make_plain
from hookwright_retrieval.terms import PART, STOP_WORDS, WORD

MAX_WORD = 80  # characters; longer words are treated as data
LINK_TARGET = re.compile(r"\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)")  # target of a markdown link
HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")  # word boundary in camelCase
NAME = re.compile(r"[A-Za-z0-9]+")
# Thai, Lao, Burmese, Khmer, Japanese, Chinese and Korean
UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]+"
)


def prepare(text: str) -> str:
    """Return a text in the form that FTS5 indexes.

    A name in code is followed by its parts (``readLines read Lines``). In scripts without spaces,
    each pair of characters becomes a word.
    """
    plain = NAME.sub(split_name, unicodedata.normalize("NFKC", LINK_TARGET.sub("]", text)))
    return make_plain(UNSPACED.sub(split_run, plain.casefold()))


def split_name(name: re.Match[str]) -> str:
    parts = HUMP.sub(" ", name[0])
    if len(name[0]) > MAX_WORD:
        return " "
    return parts if parts == name[0] else f"{name[0]} {parts}"


def split_run(run: re.Match[str]) -> str:
    letters = "".join(filter(str.isalpha, run[0]))  # FTS5 splits words at vowel signs
    pairs = (letters[at : at + 2] for at in range(max(1, len(letters) - 1)))
    return f" {' '.join(pairs)} "


def list_words(query: str) -> list[str]:
    """Return the distinct words of a query, without stop words.

    A name yields itself and its parts, such as ``["str.split", "str", "split"]``. Text without
    spaces also yields its pairs of characters.
    """
    plain = unicodedata.normalize("NFKC", query)
    runs = (split_run(run).strip() for run in UNSPACED.finditer(plain))
    words = dict.fromkeys(run for run in runs if " " in run)
    for word in WORD.findall(UNSPACED.sub(split_run, plain)):
        parts = [part.casefold() for part in PART.findall(HUMP.sub(" ", word))]
        if len(word) <= MAX_WORD:
            words.update(dict.fromkeys([word.casefold(), *parts] if len(parts) > 1 else parts))
    return [word for word in words if word not in STOP_WORDS]


def list_trigrams(word: str) -> list[str]:
    """Return a word's trigrams, most of which are also found in its misspellings."""
    framed = f"0{word}0"
    return [framed[at : at + 3] for at in range(len(framed) - 2)]


def match_any(words: Iterable[str]) -> str:
    """Return an FTS5 query that matches any of the words, which must not contain quotes."""
    return " OR ".join(f'"{word}"' for word in words)
