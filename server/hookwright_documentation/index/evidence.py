"""What an index holds of each passage, to rank it by."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from hookwright_documentation.index.links import Link, count_link_terms, measure_popularity
from hookwright_documentation.index.terms import list_terms, remove_targets
from hookwright_documentation.pages import Passage
from hookwright_retrieval.arrays import Scores, SmallNumbers, shrink
from hookwright_retrieval.bm25 import MAX_COUNT, Postings, count_terms
from hookwright_retrieval.embedders import scale
from hookwright_retrieval.embedders.wordllama import WordLlamaEmbedder
from hookwright_retrieval.second_look import TokenLists, TokenVectors, load_wordllama_table

HEADING = 3  # how often a passage's own heading counts
EMBEDDED = 1_000  # characters of a text that its vector is made of
LOOKED_AT = 250  # characters of a text that the second look sees
BATCH = 500  # passages between two reports of progress
CHANGES = re.compile(
    r"change-?log|what.?s.?new|release.?notes|\brelnotes\b"
    r"|(^|/)(releases?/|(changes|history|news)(\.\w+)?/?$)",
    re.IGNORECASE,
)

Progress = Callable[[int, int], None]  # called with the number of passages done and in total


@dataclass(frozen=True)
class Evidence:
    """What passages are ranked by, which are numbered from 0.

    Args:
        words: The terms of the passages.
        pages: The terms of the pages, which are numbered from 0.
        links: The terms of the links to the passages.
        popularity: The logarithm of 1 + the number of links, of shape (passages,).
        page_numbers: The page of each passage, of shape (passages,).
        changes: 1 for passages that tell what changed between versions, of shape (passages,).
        vectors: The vectors of the passages, each component of the longest 127 at most, of shape
            (passages, dimensions).
        tokens: WordLlama's tokens of the beginning of each passage.

    """

    words: Postings
    pages: Postings
    links: Postings
    popularity: Scores
    page_numbers: npt.NDArray[np.int32]
    changes: npt.NDArray[np.uint8]
    vectors: SmallNumbers
    tokens: TokenLists


def gather_evidence(
    passages: Sequence[Passage], links: Sequence[Link], progress: Progress | None = None
) -> Evidence:
    """Return the evidence of passages and the links to them."""
    words = count_terms(map(list_passage_terms, passages))
    numbers: dict[str, int] = {}
    page_numbers = [numbers.setdefault(each.url, len(numbers)) for each in passages]
    pages = np.array(page_numbers, np.int32)
    return Evidence(
        words,
        sum_pages(words, pages),
        count_link_terms(links, len(passages)),
        measure_popularity(links, len(passages)),
        pages,
        np.array([tells_changes(passage) for passage in passages], np.uint8),
        embed(passages, progress),
        TokenVectors(load_wordllama_table()).list_tokens(
            [shorten(passage, LOOKED_AT) for passage in passages]
        ),
    )


def list_passage_terms(passage: Passage) -> list[str]:
    *above, own = passage.headings or ("",)
    return [
        *list_terms(remove_targets(passage.text)),
        *list_terms(own) * HEADING,
        *list_terms(" ".join(above[-2:])),
        *list_terms(passage.anchor),
    ]


def shorten(passage: Passage, length: int) -> str:
    """Return the last two headings and the beginning of a passage's text."""
    return f"{' '.join(passage.headings[-2:])} {remove_targets(passage.text)[:length]}"


def tells_changes(passage: Passage) -> bool:
    return any(CHANGES.search(text) for text in (urlsplit(passage.url).path, *passage.headings[:1]))


def sum_pages(words: Postings, page_numbers: npt.NDArray[np.int32]) -> Postings:
    number = int(page_numbers.max(initial=-1)) + 1
    rows = np.repeat(np.arange(len(words.rows)), np.diff(words.bounds))
    keys, places = np.unique(rows * number + page_numbers[words.documents], return_inverse=True)
    counts = np.bincount(places, words.counts, minlength=len(keys))
    sizes = np.bincount(keys // max(1, number), minlength=len(words.rows))
    return Postings(
        words.rows,
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        (keys % max(1, number)).astype(np.int32),
        np.minimum(counts, MAX_COUNT).astype(np.uint16),
        np.bincount(page_numbers, words.lengths, minlength=number).astype(np.float32),
    )


def embed(passages: Sequence[Passage], progress: Progress | None) -> SmallNumbers:
    embedder = WordLlamaEmbedder()
    vectors = np.zeros((len(passages), embedder.dimensions), np.int8)
    for start in range(0, len(passages), BATCH):
        batch = passages[start : start + BATCH]
        found = embedder.embed_documents([shorten(passage, EMBEDDED) for passage in batch])
        vectors[start : start + len(batch)], _ = shrink(found)
        if progress:
            progress(start + len(batch), len(passages))
    return vectors


def expand(vectors: SmallNumbers) -> npt.NDArray[np.float32]:
    """Return vectors of length 1 from small integers."""
    return scale(vectors.astype(np.float32))
