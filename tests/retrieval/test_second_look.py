"""Documents are compared with a query token by token, with WordLlama's real vectors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookwright_retrieval.embedders.wordllama import load_model
from hookwright_retrieval.second_look import MOST_TOKENS, NO_TOKENS, TokenVectors

TEXTS = ["the docker build cache is lost", "", "postgres vacuum", "Docker!", "half \ud83e"]
ALL = np.arange(len(TEXTS))


@pytest.fixture(scope="module")
def vectors() -> TokenVectors:
    """Return the vectors of tokens."""
    return TokenVectors()


def score_slowly(query: str, text: str) -> float:
    """Return the weighted mean of each token's cosine to the nearest, pair by pair."""
    model = load_model()
    wanted, tokens = (
        sorted(set(model.tokenizer.encode(one, add_special_tokens=False).ids))
        for one in (query, text)
    )
    total = score = 0.0
    for one in wanted:
        vector = model.embedding[one]
        length = float(np.linalg.norm(vector))
        cosines = [
            float(vector @ model.embedding[other])
            / (length * float(np.linalg.norm(model.embedding[other])))
            for other in tokens
        ]
        score += length * max(cosines)
        total += length
    return score / total


@pytest.mark.parametrize("text", [TEXTS[0], TEXTS[2], TEXTS[3]])
def test_score_is_the_mean_of_the_nearest(vectors: TokenVectors, text: str) -> None:
    """A score is the mean cosine to the nearest tokens, weighted by the query tokens' lengths."""
    query = "why does docker lose its cache"
    [score] = vectors.score(query, vectors.list_tokens([text]), np.array([0]))
    assert score == pytest.approx(score_slowly(query, text), abs=1e-5)


def test_own_words_score_one(vectors: TokenVectors) -> None:
    """A document that has all tokens of the query scores 1, and one without any tokens 0."""
    scores = vectors.score("docker build", vectors.list_tokens(TEXTS), ALL)
    assert scores[0] == pytest.approx(1, abs=1e-5)
    assert scores[1] == 0
    assert scores[0] > scores[2]


@given(
    queries=st.text(max_size=30),
    numbers=st.lists(st.sampled_from(range(len(TEXTS))), max_size=6),
    cut=st.sampled_from(range(len(TEXTS) + 1)),
)
def test_some_documents_score_as_if_alone(
    vectors: TokenVectors, queries: str, numbers: list[int], cut: int
) -> None:
    """Documents score the same in any order and company, however they came in."""
    first, rest = vectors.list_tokens(TEXTS[:cut]), vectors.list_tokens(TEXTS[cut:])
    documents, chosen = NO_TOKENS.extend(first).extend(rest), np.array(numbers, np.int64)
    alone = vectors.list_tokens([TEXTS[number] for number in numbers])
    scores = vectors.score(queries, documents, chosen)
    assert len(scores) == len(numbers)
    assert (scores <= 1 + 1e-5).all()
    again = vectors.score(queries, alone, np.arange(len(numbers)))
    assert scores == pytest.approx(again, abs=1e-5)
    picked = vectors.score(queries, documents.select(chosen), np.arange(len(numbers)))
    assert scores == pytest.approx(picked, abs=1e-5)


def test_long_query_is_cut(vectors: TokenVectors, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a very long query only the tokens that tell most count."""
    monkeypatch.setattr("hookwright_retrieval.second_look.MOST_TOKENS", 1)
    documents = vectors.list_tokens(["the of and", "docker"])
    scores = vectors.score("the docker of and", documents, np.array([0, 1]))
    assert scores[1] > scores[0]
    assert MOST_TOKENS > 1
