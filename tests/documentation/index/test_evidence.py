"""The evidence of passages is gathered as it is defined."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookwright_documentation.index.evidence import (
    expand,
    list_passage_terms,
    sum_pages,
    tells_changes,
)
from hookwright_retrieval.bm25 import count_terms
from hookwright_retrieval.embedders import scale

from .passages import make_passage

DOCUMENTS = st.lists(
    st.tuples(st.integers(0, 3), st.lists(st.sampled_from("abcd"), max_size=5)), max_size=8
)


@given(DOCUMENTS)
def test_pages_are_counted_as_one_document(documents: list[tuple[int, list[str]]]) -> None:
    passages = count_terms(terms for _, terms in documents)
    numbers = np.array([page for page, _ in documents], np.int32)
    pages = sum_pages(passages, numbers)
    together = [
        sorted(term for page, terms in documents if page == number for term in terms)
        for number in range(int(numbers.max(initial=-1)) + 1)
    ]
    found: list[list[str]] = [[] for _ in together]
    for term, row in pages.rows.items():
        span = slice(pages.bounds[row], pages.bounds[row + 1])
        for page, count in zip(pages.documents[span], pages.counts[span], strict=True):
            found[page] += [term] * count
    assert [sorted(terms) for terms in found] == together
    assert pages.lengths.tolist() == list(map(len, together))


def test_the_own_heading_counts_most() -> None:
    passage = make_passage("a.html", "salt", "pepper", headings=("Top", "Soups", "Spices"))
    terms = list_passage_terms(passage)
    assert sorted(terms) == ["pepper", "salt", "soup", "spice", "spice", "spice", "top"]


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("whatsnew/3.11.html", "3.11"),
        ("v.html", "Changelog"),
        ("changes/", "Versions"),
        ("a.html", "What\u2019s New In Python 3.11"),
        ("releases/4.2.html", "4.2"),
        ("a.html", "Release notes"),
        ("a.html", "Changes"),
    ],
)
def test_pages_about_changes(page: str, title: str) -> None:
    assert tells_changes(make_passage(page, headings=(title, "Locks")))


@pytest.mark.parametrize(
    ("page", "title"),
    [("threading.html", "Lock.release"), ("exchanges.html", "Exchange logs"), ("a.html", "New")],
)
def test_other_pages(page: str, title: str) -> None:
    assert not tells_changes(make_passage(page, headings=(title, "What's new")))


def test_small_vectors_keep_their_direction() -> None:
    vectors = scale(np.random.default_rng(0).normal(size=(5, 256)).astype(np.float32))
    small = np.rint(vectors / np.abs(vectors).max(axis=1, keepdims=True) * 127).astype(np.int8)
    assert ((expand(small) * vectors).sum(axis=1) > 0.999).all()
