"""The vectors used to compare the tokens of prompts and lessons.

They are WordLlama's, adjusted so that developers' words for the same topic are close to each other,
and weighted by how informative a token is in a prompt or lesson. `benchmarks/tokens/` trains them
on lessons and prompts written for that purpose.
"""

from functools import cache
from pathlib import Path

import numpy as np
from safetensors import safe_open

from hookwright_retrieval.arrays import shrink, widen
from hookwright_retrieval.embedders.wordllama import load_vectors
from hookwright_retrieval.token_vectors import TokenTable, TokenVectors, measure_lengths

LEARNED = Path(__file__).parent / "lesson-tokens.safetensors"
ROWS = 4_000  # tokens computed at a time, to save memory


@cache
def load_token_vectors() -> TokenVectors:
    return TokenVectors(read_table(LEARNED))


def read_table(path: Path) -> TokenTable:
    """Return the table in a file.

    The file contains a projection of WordLlama's dimensions to fewer, of shape (256, dimensions),
    and adjustments for some tokens, in ascending order of their numbers: a row of small integers,
    times the scale, times the mixing matrix, of shape (components, dimensions).
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
