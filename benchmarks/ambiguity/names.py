"""Fit the evidence for a name: its prior, and the words that count for or against it."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from hookwright_retrieval.terms import STOP_WORDS

from .pieces import list_pieces
from .texts import Search, occurs, split_words

OWN_POINTS = 4  # points of a word or phrase specific to a name
MAX_WORDS = 20  # maximum number of words for a name, and against it
PRIORS = range(-8, 5)
MISSED, FALSE = 1.0, 1.8  # cost of a missed search, and of a wrongly denied search
# Words that nearly always mean the technology when a coding agent searches for them.
USUAL = {"python": 12.0}
WRITTEN = 0.5  # weight of a listed word that occurs in no search
OFTEN = 3  # minimum number of searches that contain such a word
FOUND = 0.6  # weight of a word that occurs only in the searches


Sides = tuple[list[str], list[str]]  # words for the technology, and words against it


@dataclass
class Name:
    """The evidence for a name: its prior in points, and the words specific to it."""

    prior: int = 0
    words: Sides = field(default_factory=lambda: ([], []))


@dataclass(frozen=True)
class Row:
    """A search: its words as a single text, and the points of the pieces that all names share."""

    text: str
    shared: int
    technical: bool
    weight: float


def fit_name(
    name: str,
    searches: Sequence[Search],
    known: Mapping[str, Sequence[str]],
    table: Mapping[str, int],
    unit: float,
) -> Name:
    """Return a name's evidence, fitted to the searches that contain the name.

    Args:
        name: The name.
        searches: The searches that contain the name.
        known: The listed words for (`for`) and against (`against`) the name, strongest first.
        table: The points of the word pieces that all names share.
        unit: The log-odds per point.

    """
    rows = [build_row(search, table) for search in searches]
    hints = list(list_hints(name, known, table))
    candidates = [dict.fromkeys(known[side], 1.0) for side in ("for", "against")]
    for side, found in enumerate(find_words(name, rows)):
        candidates[side] |= {word: FOUND for word in found if word not in candidates[side]}
        for word in table.keys() & candidates[side].keys():  # the hook counts a shared word once
            del candidates[side][word]
    fitted = Name()

    def price(points: float, row: Row) -> float:
        sign = 1 if row.technical else -1
        return row.weight * math.log1p(math.exp(-sign * points * unit))

    for _ in range(2 * MAX_WORDS + 1):
        fitted.prior = choose_prior(fitted, rows, price)
        best = find_best(fitted, candidates, [*rows, *hints], price)
        if best is None:
            break
        side, word = best
        fitted.words[side].append(word)
    return fitted


def build_row(search: Search, table: Mapping[str, int]) -> Row:
    usual = USUAL.get(search.name, MISSED)
    weight = usual if search.technical else FALSE
    return Row(search.text.casefold(), count_shared(search, table), search.technical, weight)


def list_hints(
    name: str, known: Mapping[str, Sequence[str]], table: Mapping[str, int]
) -> Iterable[Row]:
    for side in ("for", "against"):
        for place, word in enumerate(known[side]):
            search = Search(name, f"{name} {word}", side == "for")
            shared = count_shared(search, table)
            yield Row(
                search.text.casefold(), shared, search.technical, WRITTEN / (1 + 0.03 * place)
            )


def find_words(name: str, rows: Sequence[Row]) -> Sides:
    counts: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    for row in rows:
        words = split_words(row.text)
        pairs = {
            f"{first} {second}" for first, second in pairwise(words) if name in (first, second)
        }
        plain = {word for word in words if len(word) > 2 and not word.isdigit()}  # noqa: PLR2004 - letters
        counts[not row.technical].update(sorted(plain | pairs))
    return tuple(  # type: ignore[return-value]
        [
            word
            for word, count in counts[side].items()
            if count >= OFTEN
            and count >= 4 * counts[1 - side][word]
            and {*word.split()} - {name} - STOP_WORDS
        ]
        for side in (0, 1)
    )


def choose_prior(fitted: Name, rows: Sequence[Row], price: Callable[[float, Row], float]) -> int:
    points = [row.shared + count_own(fitted, row) for row in rows]

    def total(prior: int) -> float:
        prices = (price(score + prior, row) for score, row in zip(points, rows, strict=True))
        return sum(prices) + 0.05 * abs(prior)

    return min(PRIORS, key=total)


def find_best(
    fitted: Name,
    candidates: Sequence[Mapping[str, float]],
    rows: Sequence[Row],
    price: Callable[[float, Row], float],
) -> tuple[int, str] | None:
    """Return the side and the word that most improve a name's fit, or None."""
    points = [(row.shared + count_own(fitted, row) + fitted.prior, row) for row in rows]
    best, most = None, 0.0
    for side, words in enumerate(candidates):
        step = -OWN_POINTS if side else OWN_POINTS
        for word, share in words.items() if len(fitted.words[side]) < MAX_WORDS else ():
            if word in fitted.words[0] or word in fitted.words[1]:
                continue
            has = [(score, row) for score, row in points if occurs(word, row.text)]
            gain = share * sum(price(score, row) - price(score + step, row) for score, row in has)
            if gain > most:
                best, most = (side, word), gain
    return best


def count_shared(search: Search, table: Mapping[str, int]) -> int:
    return sum(table[piece] for piece in list_pieces(search.name, search.text, table))


def count_own(fitted: Name, row: Row) -> int:
    counts = [sum(occurs(word, row.text) for word in side) for side in fitted.words]
    return OWN_POINTS * (counts[0] - counts[1])
