"""A query is compared with documents token by token, using WordLlama's real vectors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookwright_retrieval.embedders.wordllama import load_tokenizer, load_vectors
from hookwright_retrieval.token_vectors import (
    VOCABULARY,
    TokenTable,
    TokenVectors,
    load_wordllama_table,
)

TEXTS = ["the docker build cache is lost", "", "postgres vacuum", "Docker!", "half \ud83e"]


@pytest.fixture(scope="module")
def vectors() -> TokenVectors:
    return TokenVectors(load_wordllama_table())


def score_slowly(query: str, text: str) -> float:
    vectors = load_vectors().astype(np.float32)
    wanted, tokens = (sorted(set(load_tokenizer().split(words))) for words in (query, text))
    total = score = 0.0
    for token in wanted:
        vector = vectors[token]
        length = float(np.linalg.norm(vector))
        cosines = [
            float(vector @ vectors[other]) / (length * float(np.linalg.norm(vectors[other])))
            for other in tokens
        ]
        score += length * max(cosines)
        total += length
    return score / total


@pytest.mark.parametrize("text", [TEXTS[0], TEXTS[2], TEXTS[3]])
def test_score_is_the_mean_of_the_nearest_tokens(vectors: TokenVectors, text: str) -> None:
    query = "why does docker lose its cache"
    [score] = vectors.score(query, vectors.list_tokens([text]))
    assert score == pytest.approx(score_slowly(query, text), abs=2e-3)


def test_identical_words_score_one(vectors: TokenVectors) -> None:
    scores = vectors.score("docker build", vectors.list_tokens(TEXTS))
    assert scores[0] == pytest.approx(1, abs=1e-5)
    assert scores[1] == 0
    assert scores[0] > scores[2]


@given(
    queries=st.text(max_size=30),
    numbers=st.lists(st.sampled_from(range(len(TEXTS))), max_size=6),
    cut=st.sampled_from(range(len(TEXTS) + 1)),
)
def test_selected_documents_score_as_if_alone(
    vectors: TokenVectors, queries: str, numbers: list[int], cut: int
) -> None:
    first, rest = vectors.list_tokens(TEXTS[:cut]), vectors.list_tokens(TEXTS[cut:])
    documents, chosen = first.extend(rest), np.array(numbers, np.int64)
    alone = vectors.list_tokens([TEXTS[number] for number in numbers])
    scores = vectors.score(queries, documents.select(chosen))
    assert len(scores) == len(numbers)
    assert (scores <= 1 + 1e-5).all()
    assert scores == pytest.approx(vectors.score(queries, alone), abs=1e-5)
    everywhere = vectors.score(queries, documents)[chosen]
    assert scores == pytest.approx(everywhere, abs=1e-5)


def test_long_query_is_truncated(vectors: TokenVectors, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hookwright_retrieval.token_vectors.MAX_TOKENS", 1)
    documents = vectors.list_tokens(["the of and", "docker"])
    scores = vectors.score("the docker of and", documents)
    assert scores[1] > scores[0]


def test_vocabulary_matches_the_model() -> None:
    assert len(load_vectors()) == VOCABULARY <= 2**16


def test_opening_counts_as_much_as_the_whole_text(vectors: TokenVectors) -> None:
    opening, more = "docker build cache", ", postgres vacuum and a lunch at noon"
    query, whole = "the docker cache is lost", opening + more
    parts = [(opening, opening), (opening, whole), ("", "")]
    scores = vectors.score_openings(query, vectors.list_tokens_in_parts(parts))
    both = [score_slowly(query, text) * score_slowly(text, query) for text in (opening, whole)]
    assert scores == pytest.approx([both[0], sum(both) / 2, 0], abs=2e-3)
    assert scores[0] > scores[1]
    assert vectors.score_openings(opening, vectors.list_tokens_in_parts(parts))[0] == (
        pytest.approx(1, abs=1e-5)
    )


def test_table_weighs_tokens() -> None:
    table = load_wordllama_table()
    [cache] = load_tokenizer().split("cache")
    heavy = table.query_weights.copy()
    heavy[cache] = 1_000
    query_weighted = TokenVectors(TokenTable(table.vectors, heavy, table.document_weights))
    scores = query_weighted.score(
        "docker cache", query_weighted.list_tokens(["the cache", "docker"])
    )
    assert scores[0] == pytest.approx(1, abs=0.02)
    assert scores[1] < 0.9
    document_weighted = TokenVectors(TokenTable(table.vectors, table.query_weights, heavy))
    parts = document_weighted.list_tokens_in_parts([("cache in docker", "cache in docker")])
    assert (
        document_weighted.score_openings("cache", parts)[0]
        > query_weighted.score_openings("cache", parts)[0]
    )
