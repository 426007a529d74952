"""Search the index of a documentation."""

import math
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hookwright_documentation.databases import MAX_QUERY
from hookwright_documentation.index.index_file import BM25, PASSAGE, parse_passage, reading
from hookwright_documentation.index.vectors import compare_tokens, compare_vectors
from hookwright_documentation.index.words import list_trigrams, list_words, match_any
from hookwright_retrieval.arrays import round_scores, sort_best

CANDIDATES = 200  # passages that FTS5 returns for reranking
MAX_WORDS = 24  # maximum number of query words; the rarest are used
ENOUGH = 1_000  # passages with the rarest words; once reached, common words only affect scores
COMPARED = 100  # candidates to compare token by token
FURTHER = 3  # additional anchors per page
BEST = 3  # number of a page's best passages whose scores are added up
SPELLINGS = 30  # candidate spellings: the words that share the most trigrams with a misspelled one
SIMILAR = 0.8  # minimum similarity between a misspelled word and its correction
# Weights of other evidence, relative to the BM25 score of the words.
PAGE, POPULARITY, CHANGES, VECTOR, TOKENS = 0.2, 0.25, -0.5, 2.0, 1.5
ABOUT_CHANGES = re.compile(
    r"change-?log|what.?s.?new|release.?notes|(new|added|changed|removed|deprecated) in|upgrad"
    r"|migrat",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class PassageHit:
    """A passage that answers a query."""

    url: str  # the address of its page, without a fragment
    anchor: str  # its fragment, or ""
    headings: tuple[str, ...]  # the page's title and the headings down to the passage
    text: str  # markdown without the heading
    score: float  # higher is better; comparable only within one answer
    coverage: float = 1.0  # share of the query's words found in the passage, weighted by rarity
    further: tuple[tuple[str, str], ...] = ()  # anchor and heading of the page's other matches

    @property
    def address(self) -> str:
        """The passage's address, with its fragment if any."""
        return f"{self.url}#{self.anchor}" if self.anchor else self.url


class Candidate(NamedTuple):
    """A passage that may answer a query; its headings are JSON."""

    number: int
    page: int
    score: float
    anchor: str
    headings: str


@dataclass(frozen=True)
class DocumentationIndex:
    """A searchable index that any number of threads may share; each search opens the file."""

    path: Path

    def search(self, query: str, top_k: int = 5) -> list[PassageHit]:
        """Return the best passage of each of the best pages, best first.

        Raises ReportedError if the index cannot be read, is damaged, or was written by another
        version.
        """
        with reading(self.path) as connection:
            return list(find_hits(connection, query[:MAX_QUERY], top_k)) if query.strip() else []

    def check_whole(self) -> None:
        """Check the whole file, which is slow; raises the same errors as `search`."""
        with reading(self.path) as connection:
            if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                raise ValueError("the file is damaged")
            for row in connection.execute(f"SELECT {PASSAGE}"):
                parse_passage(*row)


def find_hits(connection: sqlite3.Connection, query: str, top_k: int) -> Iterator[PassageHit]:
    size = int(connection.execute("SELECT max(id) FROM passages").fetchone()[0] or 0)
    counts = count_words(connection, query)
    pages: dict[int, list[Candidate]] = {}
    for candidate in rank(query, find_candidates(connection, query, counts), size):
        if candidate.page in pages or len(pages) < top_k:
            pages.setdefault(candidate.page, []).append(candidate)
    best = [first.number for first, *_ in pages.values()]
    listed = ",".join("?" * len(best))
    coverage = dict.fromkeys(best, 0.0)
    weights = {
        word: math.log(1 + (size - times + 0.5) / (times + 0.5)) for word, times in counts.items()
    }
    having = f"SELECT rowid FROM words WHERE words MATCH ? AND rowid IN ({listed})"  # noqa: S608
    for word, weight in weights.items():
        for (number,) in connection.execute(having, (match_any([word]), *best)):
            coverage[number] += weight / sum(weights.values())
    reading = f"SELECT passages.id, {PASSAGE} WHERE passages.id IN ({listed})"
    shown = {number: parse_passage(*row) for number, *row in connection.execute(reading, best)}
    for first, *others in pages.values():
        number = first.number
        further: dict[str, str] = {}
        for other in others:
            if other.anchor not in ("", first.anchor) and len(further) < FURTHER:
                _, _, headings, _ = parse_passage("", other.anchor, other.headings, "")
                further.setdefault(other.anchor, headings[-1] if headings else "")
        yield PassageHit(*shown[number], first.score, coverage[number], tuple(further.items()))


def count_words(connection: sqlite3.Connection, query: str) -> dict[str, int]:
    """Return the search words and the number of passages that contain each word.

    A word that occurs in no passage is replaced by the most similar known word, if any.
    """
    counts: dict[str, int] = {}
    for word in list_words(query):
        times = count_passages(connection, word)
        if not times and not word.isalnum():
            continue  # the word's parts are searched instead
        if not times and (nearest := find_spelling(connection, word)):
            word, times = nearest, count_passages(connection, nearest)  # noqa: PLW2901
        counts[word] = times
    return dict(sorted(counts.items(), key=lambda item: item[1])[:MAX_WORDS])


def count_passages(connection: sqlite3.Connection, word: str) -> int:
    statement = "SELECT count(*) FROM words WHERE words MATCH ?"
    return int(connection.execute(statement, (match_any([word]),)).fetchone()[0])


def find_spelling(connection: sqlite3.Connection, word: str) -> str:
    """Return the most similar word in the documentation, or ""."""
    statement = """
        SELECT word FROM spellings JOIN vocabulary ON id = spellings.rowid
        WHERE spellings MATCH ? ORDER BY rank LIMIT ?
    """
    rows = connection.execute(statement, (match_any(list_trigrams(word)), SPELLINGS))
    return next(iter(get_close_matches(word, [found for (found,) in rows], 1, SIMILAR)), "")


def find_candidates(
    connection: sqlite3.Connection, query: str, counts: Mapping[str, int]
) -> list[tuple[Any, ...]]:
    """Return the passages to rank with their word scores, sorted by number.

    `counts` has the search words, rarest first, and the number of passages that contain each word.
    Each passage contains one of the rarest query words, because scoring all passages with a common
    word would take too long. If no query word occurs in any passage, the passages with the nearest
    vectors are returned.
    """
    words, expressions = [*counts], []
    scored = f"SELECT rowid AS number, -{BM25} AS score FROM words WHERE words MATCH ?"  # noqa: S608
    if any(counts.values()):
        rare = sum(total < ENOUGH for total in accumulate([0, *counts.values()][:-1]))
        selecting, common = match_any(words[:rare]), match_any(words[rare:])
        expressions = [selecting]
        if common:
            expressions = [f"({selecting}) {operator} ({common})" for operator in ("AND", "NOT")]
        source = " UNION ALL ".join([scored] * len(expressions))
    else:
        numbers = ",".join(map(str, find_nearest(connection, query)))
        source = f"SELECT id AS number, 0.0 AS score FROM passages WHERE id IN ({numbers})"  # noqa: S608
    statement = f"""
        SELECT number, score, page, popularity, tells_changes, anchor, headings, vector, tokens
        FROM ({source} ORDER BY score DESC, number LIMIT {CANDIDATES})
        LEFT JOIN passages ON passages.id = number LEFT JOIN pages ON pages.id = page
        ORDER BY number
    """  # noqa: S608
    return connection.execute(statement, expressions).fetchall()


def find_nearest(connection: sqlite3.Connection, query: str) -> list[int]:
    """Return the numbers of the passages whose vectors are nearest to the query's vector."""
    rows = connection.execute("SELECT id, vector FROM passages").fetchall()
    nearest = sort_best(compare_vectors(query, [vector for _, vector in rows]))
    return [rows[at][0] for at in nearest[:CANDIDATES].tolist()]


def rank(query: str, rows: Sequence[tuple[Any, ...]], size: int) -> Iterator[Candidate]:
    """Yield the passages from `find_candidates`, best first."""
    if not rows:
        return
    numbers, found, pages, popularity, changes, anchors, headings, vectors, tokens = zip(
        *rows, strict=True
    )
    # A word found in a single passage has weight 1.
    scores = np.array(found) / math.log(size + 1.5)
    scores += PAGE * np.array(score_pages(pages, scores.tolist()))
    scores += POPULARITY * np.array(popularity)
    if not ABOUT_CHANGES.search(query):
        scores += CHANGES * np.array(changes)
    if len(query.split()) > 1:  # the parts of a single name have no meaning of their own
        scores += VECTOR * compare_vectors(query, vectors)
    best = sort_best(scores)[:COMPARED]
    scores[best] += TOKENS * compare_tokens(query, [tokens[at] for at in best.tolist()])
    scores = round_scores(scores)
    for at in sort_best(scores).tolist():
        yield Candidate(numbers[at], pages[at], float(scores[at]), anchors[at], headings[at])


def score_pages(pages: Sequence[int], scores: Sequence[float]) -> list[float]:
    """Return the sum of the best scores on each passage's page."""
    found: dict[int, list[float]] = {}
    for page, score in zip(pages, scores, strict=True):
        found.setdefault(page, []).append(score)
    sums = {page: sum(sorted(each)[-BEST:]) for page, each in found.items()}
    return [sums[page] for page in pages]
