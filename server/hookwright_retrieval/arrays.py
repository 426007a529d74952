"""Arrays of numbers and of scores."""

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float32]


def list_ranges(starts: Integers, sizes: Integers) -> tuple[Integers, Integers]:
    """Return the numbers of ranges, one range after another, and where each range begins.

    Args:
        starts: The first number of each range, of shape (ranges,).
        sizes: How many numbers each has, of shape (ranges,).

    Returns:
        The numbers, of shape (sum of sizes,), and the place of each range's first number among
        them, with the end of the last, of shape (ranges + 1,).

    """
    bounds = np.concatenate([[0], np.cumsum(sizes)])
    return np.repeat(starts - bounds[:-1], sizes) + np.arange(bounds[-1]), bounds


def find_best(scores: Scores, most: int) -> Integers:
    """Return the numbers of the highest scores, in any order; none of those with -inf.

    Args:
        scores: The scores, of shape (scores,).
        most: The maximum number to return.

    """
    every = most >= len(scores)
    best = np.arange(len(scores)) if every else np.argpartition(-scores, most)[:most]
    found: Integers = best[np.isfinite(scores[best])]
    return found
