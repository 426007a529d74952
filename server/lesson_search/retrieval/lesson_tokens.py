"""The vectors that the tokens of prompts and lessons are compared by.

They are WordLlama's, changed so that words that developers use of the same matter are near each
other, and with weights for what tells most, in a prompt or in a lesson. `benchmarks/tokens/` learns
them from lessons and prompts that were written for that.
"""

from functools import cache
from pathlib import Path

import numpy as np
from safetensors import safe_open

from hookwright_retrieval.arrays import shrink, widen
from hookwright_retrieval.embedders.wordllama import load_vectors
from hookwright_retrieval.second_look import TokenTable, TokenVectors, measure_lengths

LEARNED = Path(__file__).parent / "lesson-tokens.safetensors"
ROWS = 4_000  # tokens that are computed at a time, so that it takes little memory


@cache
def load_token_vectors() -> TokenVectors:
    return TokenVectors(read_table(LEARNED))


def read_table(path: Path) -> TokenTable:
    """Return the table that a file tells.

    The file has the projection of WordLlama's directions to fewer dimensions, of shape (256,
    dimensions), and for the numbered tokens, which ascend, a change of it: a row of small
    integers, times the scale, by the mixing, of shape (components, dimensions).
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
