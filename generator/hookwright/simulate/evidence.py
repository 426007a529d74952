"""The words of a search that speak for a technology with an ambiguous name, or against it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hookwright_console.text import name_some

CERTAIN = 900  # points: what a record says by hand counts more than all words together
VETO = 1_000_000  # points of a word of `unless`, at least
PIECE = 3  # points of a piece of a word, at most
MAX_WORDS = 5  # words of each kind that a sentence names


@dataclass(frozen=True)
class Evidence:
    """What a search says of an ambiguous keyword.

    Args:
        keyword: The keyword, as the hook counts it.
        points: What each word counts: above 0 for the technology, below 0 against it. The keyword
            itself counts what it means without any other word.

    """

    keyword: str
    points: tuple[tuple[str, int], ...]

    @property
    def sum(self) -> int:
        """The sum of the points; the technology is meant above 0."""
        return sum(points for _, points in self.points)

    @property
    def lowest(self) -> int:
        """The points of the word that says most against it."""
        return min(points for _, points in self.points)

    @property
    def field(self) -> str:
        """The field of the record that decides, unless or with; "" where the words do."""
        if self.lowest <= -VETO:
            return "unless"
        certain = any(abs(points) >= CERTAIN for _, points in self.points)
        return "with" if certain else ""

    @property
    def words(self) -> dict[str, int]:
        """The points of each word besides the keyword."""
        return {word: points for word, points in self.points if word != self.keyword}

    def describe(self) -> str:
        """Return the words for and against, the most telling ones first, and their sum."""
        told = sorted(self.points, key=lambda one: -abs(one[1]))
        sides = {
            "for": [self.word(*one) for one in told if one[1] > 0],
            "against": [self.word(*one) for one in told if one[1] < 0],
        }
        parts = [f"{side} {name_some(words, MAX_WORDS)}" for side, words in sides.items() if words]
        line = "above 0" if self.sum > 0 else "not above 0"
        return f"{', '.join(parts) or 'no word for or against'} (sum {self.sum}, {line})"

    def word(self, word: str, points: int) -> str:
        """Return a word with its points, such as 'mutex' +3."""
        return f"{word!r}{' by itself' if word == self.keyword else ''} {points:+}"

    def export(self) -> dict[str, Any]:
        """Return the points for scripts."""
        return {"points": dict(self.points), "sum": self.sum}


def read_evidence(keyword: str, points: Mapping[str, int], query: str) -> Evidence:
    """Return the evidence in the trace of a hook.

    Args:
        keyword: The keyword, case-folded.
        points: What each word counts, the keyword among them, and each piece of a word.
        query: The search, whose words are named in the place of their pieces.

    """
    total = {keyword: 0}
    for text, count in points.items():
        whole = text == keyword or abs(count) > PIECE
        word = text if whole else find_word(text, query.casefold())
        total[word] = total.get(word, 0) + count
    told = ((word, count) for word, count in total.items() if count or word == keyword)
    return Evidence(keyword, tuple(told))


def find_word(piece: str, query: str) -> str:
    found = re.search(rf"\w*{re.escape(piece)}\w*", f" {query}")
    return found[0].rpartition(" ")[2] if found else piece
