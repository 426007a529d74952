"""The vectors by which tokens of prompts and lessons are compared.

They are WordLlama's, adjusted so that developers' words for the same matter are close to each
other, with weights for the most telling tokens of a prompt or lesson. `benchmarks/tokens/` learns
them from lessons and prompts written for that purpose.
"""

from functools import cache
from pathlib import Path

import numpy as np
from safetensors import safe_open

from hookwright_retrieval.arrays import shrink, widen
from hookwright_retrieval.embedders.wordllama import load_vectors
from hookwright_retrieval.second_look import TokenTable, TokenVectors, measure_lengths

LEARNED = Path(__file__).parent / "lesson-tokens.safetensors"
ROWS = 4_000  # tokens computed at a time, to save memory


@cache
def load_token_vectors() -> TokenVectors:
    return TokenVectors(read_table(LEARNED))


def read_table(path: Path) -> TokenTable:
    """Return the table in a file.

    The file has a projection of WordLlama's directions to fewer dimensions, of shape (256,
    dimensions), and for some tokens, numbered in ascending order, a change: a row of small
    integers, times the scale, times the mixing matrix, of shape (components, dimensions).
    """
    vectors = load_vectors()
    with safe_open(path, framework="numpy") as file:
        projection, mixing, weights = (
            file.get_tensor(name).astype(np.float32) for name in ("projection", "mixing", "weights")
        )
        numbers, changes = file.get_tensor("numbers"), file.get_tensor("changes")
        mixing *= file.get_tensor("scale")
    table = np.empty((len(vectors), projection.shape[1]), np.int8)
    for start in range(0, len(vectors), ROWS):
        rows = widen(vectors[start : start + ROWS])
        moved = (rows / measure_lengths(rows)[:, None]) @ projection
        some = slice(*np.searchsorted(numbers, (start, start + ROWS)))
        moved[numbers[some] - np.int64(start)] += widen(changes[some]) @ mixing
        table[start : start + ROWS], _ = shrink(moved)
    return TokenTable(table, weights[0], weights[1])
