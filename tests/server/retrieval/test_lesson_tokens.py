"""The learned token vectors reflect which terms developers use for the same topic."""

from pathlib import Path

import numpy as np
import pytest
from safetensors import SafetensorError

from hookwright_retrieval.embedders.wordllama import load_vectors
from hookwright_retrieval.token_vectors import VOCABULARY, TokenVectors, load_wordllama_table
from lesson_search.retrieval.lesson_tokens import LEARNED, load_token_vectors, read_table

LESSON = "histogram_quantile ended at the last bucket of the histogram"


def test_table_covers_every_token() -> None:
    table = read_table(LEARNED)
    assert table.vectors.shape == (VOCABULARY, 128)
    assert (np.abs(table.vectors).max(axis=1)[1:] == 127).all()
    assert (table.query_weights > 0).all()
    assert (table.document_weights > 0).all()


def test_table_uses_less_memory_than_the_models() -> None:
    assert read_table(LEARNED).vectors.nbytes <= 4_096_000
    assert load_vectors().nbytes <= 16_384_000


@pytest.mark.parametrize(
    ("prompt", "others"),
    [
        ("the p99 panel is a flat line", "the panel of the kitchen is flat"),
        ("99th percentile never above 10 s", "the 99th visitor never came"),
    ],
)
def test_synonyms_are_close(prompt: str, others: str) -> None:
    learned, plain = load_token_vectors(), TokenVectors(load_wordllama_table())

    def prefer(vectors: TokenVectors) -> float:
        parts = vectors.list_tokens_in_parts([(LESSON, LESSON), (others, others)])
        lesson, other = vectors.score_openings(prompt, parts).tolist()
        return float(lesson / other)

    assert prefer(learned) > prefer(plain)


def test_damaged_file_is_rejected(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.safetensors"
    damaged.write_bytes(LEARNED.read_bytes()[:1_000])
    with pytest.raises(SafetensorError):
        read_table(damaged)
