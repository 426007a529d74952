"""Search the index of a documentation."""

import math
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

import numpy as np

from hookwright_console.errors import ReportedError
from hookwright_console.text import shorten
from hookwright_documentation.databases import MAX_QUERY
from hookwright_documentation.index import index_file
from hookwright_documentation.index.index_file import (
    BM25,
    PASSAGE,
    DamagedIndexError,
    OtherFormatError,
    parse_passage,
    reading,
)
from hookwright_documentation.index.vectors import compare_tokens, compare_vectors
from hookwright_documentation.index.words import list_trigrams, list_words, match_any

CANDIDATES = 200  # passages that FTS5 returns for re-ranking
MAX_WORDS = 24  # words of a query; the rarest are used
COMPARED = 100  # candidates to compare token by token
FURTHER = 3  # additional anchors per page
BEST = 3  # top passages of a page whose scores are added up
SPELLINGS = 30  # words that share the most trigrams with a misspelled one
SIMILAR = 0.8  # minimum similarity of a misspelled word to the right one
DECIMALS = 4  # of a score; further ones differ between processors
# Weights of the other evidence, relative to the words' BM25 score.
PAGE, POPULARITY, CHANGES, VECTOR, TOKENS = 0.2, 0.25, -0.5, 2.0, 1.5
ABOUT_CHANGES = re.compile(
    r"change-?log|what.?s.?new|release.?notes|(new|added|changed|removed|deprecated) in|upgrad"
    r"|migrat",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class PassageHit:
    """A passage that answers a query.

    Args:
        url: The address of the passage's page, without a fragment.
        anchor: The passage's fragment, or "".
        headings: The title of the page, and the headings down to the passage.
        text: The markdown, without the heading.
        score: Higher is better; comparable only within one answer.
        coverage: The share of the query's words that the passage contains, weighted by rarity.
        further: Anchors and headings of other matching passages of the page.

    """

    url: str
    anchor: str
    headings: tuple[str, ...]
    text: str
    score: float
    coverage: float = 1.0
    further: tuple[tuple[str, str], ...] = ()

    @property
    def address(self) -> str:
        """The passage's address, with its fragment if any."""
        return f"{self.url}#{self.anchor}" if self.anchor else self.url


class DocumentationIndex:
    """An index for any number of threads; each search opens the file.

    Args:
        path: The file.
        name: The name of the database, for error messages.

    """

    def __init__(self, path: Path, name: str) -> None:
        self._path, self._name = path, name

    def search(self, query: str, top_k: int = 5) -> list[PassageHit]:
        """Return the best passage of each of the best pages, best first.

        Raises:
            ReportedError: The index cannot be read or is damaged.

        """
        with explaining(self._name), reading(self._path) as connection:
            return list(find_hits(connection, query[:MAX_QUERY], top_k)) if query.strip() else []

    def check_whole(self) -> None:
        """Check the whole file; raises like `search`."""
        with explaining(self._name):
            index_file.check_whole(self._path)


def open_index(path: Path) -> DocumentationIndex:
    """Return the index of a generation.

    Raises:
        ReportedError: The index cannot be read, is damaged, or was written by another version.

    """
    name = shorten(path.absolute().parents[1].name)
    with explaining(name):
        index_file.check_head(path)
    return DocumentationIndex(path, name)


@contextmanager
def explaining(name: str) -> Iterator[None]:
    """Turn the errors of an unusable index into ReportedError."""
    way_out = f"run hookwright refresh {name}"
    try:
        yield
    except DamagedIndexError:
        raise ReportedError(f"{name}: the index is damaged: {way_out}") from None
    except OtherFormatError:
        raise ReportedError(
            f"{name}: the index was built by another version of Hookwright: {way_out}"
        ) from None
    except OSError as error:
        raise ReportedError(
            f"{name}: the index cannot be read ({error.strerror}): {way_out}"
        ) from None
    except sqlite3.OperationalError:
        raise ReportedError(
            f"{name}: this Python's SQLite has no FTS5: install Hookwright with another Python"
        ) from None


def find_hits(connection: sqlite3.Connection, query: str, top_k: int) -> Iterator[PassageHit]:
    words = weigh_words(connection, query)
    ranked = rank(connection, query, find_candidates(connection, query, [*words]))
    pages: dict[int, list[int]] = {}
    scores = {}
    for number, page, score in ranked:
        if page in pages or len(pages) < top_k:
            pages.setdefault(page, []).append(number)
            scores[number] = score
    has = {
        word: find_passages(connection, word, [first for first, *_ in pages.values()])
        for word in words
    }
    total = sum(words.values())
    for first, *others in pages.values():
        shown = read_passage(connection, first)
        covered = sum(weight for word, weight in words.items() if first in has[word])
        further: dict[str, str] = {}
        for other in others:
            _, anchor, headings, _ = read_passage(connection, other)
            if anchor and anchor != shown[1]:
                further.setdefault(anchor, headings[-1] if headings else "")
            if len(further) == FURTHER:
                break
        yield PassageHit(*shown, scores[first], covered / (total or 1), tuple(further.items()))


def read_passage(
    connection: sqlite3.Connection, number: int
) -> tuple[str, str, tuple[str, ...], str]:
    rows = connection.execute(f"SELECT {PASSAGE} WHERE passages.id = ?", (number,))
    return parse_passage(*rows.fetchone())


def find_passages(connection: sqlite3.Connection, word: str, numbers: Sequence[int]) -> set[int]:
    marks = ",".join("?" * len(numbers))
    statement = f"SELECT rowid FROM words WHERE words MATCH ? AND rowid IN ({marks})"  # noqa: S608
    return {number for (number,) in connection.execute(statement, (match_any([word]), *numbers))}


def weigh_words(connection: sqlite3.Connection, query: str) -> dict[str, float]:
    """Return the search words and their weights.

    A word that occurs nowhere is replaced by the most similar one, if any.
    """
    size = count_all(connection)
    weights: dict[str, float] = {}
    for word in list_words(query):
        times = count_passages(connection, word)
        if not times and not word.isalnum():
            continue  # its parts are searched instead
        if not times and (nearest := find_spelling(connection, word)):
            word, times = nearest, count_passages(connection, nearest)  # noqa: PLW2901
        weights[word] = math.log(1 + (size - times + 0.5) / (times + 0.5))
    rarest = sorted(weights, key=weights.__getitem__, reverse=True)[:MAX_WORDS]
    return {word: weights[word] for word in weights if word in rarest}


def count_all(connection: sqlite3.Connection) -> int:
    """Return the total number of passages."""
    return int(connection.execute("SELECT max(id) FROM passages").fetchone()[0] or 0)


def count_passages(connection: sqlite3.Connection, word: str) -> int:
    statement = "SELECT count(*) FROM words WHERE words MATCH ?"
    return int(connection.execute(statement, (match_any([word]),)).fetchone()[0])


def find_spelling(connection: sqlite3.Connection, word: str) -> str:
    """Return the documentation's most similar word, or ""."""
    statement = """
        SELECT word FROM spellings JOIN vocabulary ON id = spellings.rowid
        WHERE spellings MATCH ? ORDER BY rank LIMIT ?
    """
    rows = connection.execute(statement, (match_any(list_trigrams(word)), SPELLINGS))
    return next(iter(get_close_matches(word, [found for (found,) in rows], 1, SIMILAR)), "")


def find_candidates(
    connection: sqlite3.Connection, query: str, words: Sequence[str]
) -> dict[int, float]:
    """Return the numbers of the passages to rank, and the scores of their words.

    If no query word occurs, these are the passages with the nearest vectors.
    """
    statement = f"""
        SELECT rowid, -{BM25} AS score FROM words WHERE words MATCH ?
        ORDER BY score DESC, rowid LIMIT ?
    """  # noqa: S608 - of a constant
    found = words and connection.execute(statement, (match_any(words), CANDIDATES)).fetchall()
    if found:
        return dict(found)
    rows = connection.execute("SELECT id, vector, tokens FROM passages").fetchall()
    if not rows:
        return {}
    nearest = np.argsort(-compare_vectors(query, [stored for _, *stored in rows]), kind="stable")
    return {rows[at][0]: 0.0 for at in nearest[:CANDIDATES].tolist()}


def rank(
    connection: sqlite3.Connection, query: str, candidates: Mapping[int, float]
) -> list[tuple[int, int, float]]:
    """Return the number, page and score of passages, best first."""
    marks = ",".join("?" * len(candidates))
    statement = f"""
        SELECT passages.id, page, popularity, tells_changes, vector, tokens
        FROM passages JOIN pages ON pages.id = page WHERE passages.id IN ({marks})
    """  # noqa: S608 - of marks
    rows = connection.execute(statement, list(candidates)).fetchall()
    if len(rows) != len(candidates):
        raise DamagedIndexError
    if not rows:
        return []
    numbers, pages, popularity, changes, *stored = zip(*rows, strict=True)
    scores = np.array([candidates[number] for number in numbers])
    scores /= math.log(count_all(connection) + 1.5)  # a word in only one passage weighs 1
    scores += PAGE * np.array(score_pages(pages, scores.tolist()))
    scores += POPULARITY * np.array(popularity)
    if not ABOUT_CHANGES.search(query):
        scores += CHANGES * np.array(changes)
    vectors = list(zip(*stored, strict=True))
    if len(query.split()) > 1:  # the parts of a single name mean nothing
        scores += VECTOR * compare_vectors(query, vectors)
    best = np.argsort(-scores.round(DECIMALS), kind="stable")[:COMPARED]
    scores[best] += TOKENS * compare_tokens(query, [vectors[at] for at in best.tolist()])
    scores = scores.round(DECIMALS)
    order = np.lexsort((numbers, -scores)).tolist()
    return [(numbers[at], pages[at], float(scores[at])) for at in order]


def score_pages(pages: Sequence[int], scores: Sequence[float]) -> list[float]:
    """Return the sum of the best scores on each passage's page."""
    found: dict[int, list[float]] = {}
    for page, score in zip(pages, scores, strict=True):
        found.setdefault(page, []).append(score)
    sums = {page: sum(sorted(each)[-BEST:]) for page, each in found.items()}
    return [sums[page] for page in pages]
