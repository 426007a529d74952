"""Choose word pieces that speak for or against any technology.

A piece without a leading space counts anywhere in a search, and a piece with a leading space only
at the start of a word: "configur" matches configure, configured and reconfiguring. Pieces need a
third of the bytes of whole words, and also match words that occur in no search.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
import wordfreq
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from .texts import Search, split_words
from .weights import PRIOR, Numbers, Sample, Vocabulary

BEGINNING, INSIDE, LONGEST = 2, 3, 10  # minimum letters at a start, minimum elsewhere, and maximum
MOST = 3  # maximum absolute value of a piece's points
RARE = 0.02  # weight added to every word, so that rare words also count
OFTEN = 0.6  # exponent of a word's frequency in its weight
ALIKE, SMALL = 0.02, 0.05  # penalties: distance from the words' weights, and size
FIRST, KEPT = 2, 0.75  # initial size relative to the final size, and the share kept in each round
ROUNDS = 60

Table = Mapping[str, int]  # points by piece


class Pieces:
    """All pieces of a vocabulary's words, and a matrix of the words that contain them."""

    def __init__(self, words: Sequence[str]) -> None:
        starts = {word[:end] for word in words for end in range(1, min(len(word), LONGEST) + 1)}
        inside = sorted(start for start in starts if len(start) >= INSIDE)
        self.texts = inside + sorted(f" {start}" for start in starts if len(start) >= BEGINNING)
        self.numbers = {text: number for number, text in enumerate(self.texts)}
        self.sizes = np.array([len(text.encode()) + 1 for text in self.texts])  # including a tab
        self.matrix = count_pieces([f" {word}" for word in words], self.numbers)

    def choose(self, weights: Numbers, counts: Numbers, most: int) -> dict[str, int]:
        """Return the pieces whose points best approximate the words' weights.

        Pieces are chosen greedily by gain per byte.

        Args:
            weights: The weight of each word, in points, of shape (words,).
            counts: How much each word counts in the fit, of shape (words,).
            most: The maximum total size of the pieces, in bytes.

        """
        by_piece, by_word = self.matrix.T.tocsr(), self.matrix
        slopes, totals = by_piece @ (counts * weights), by_piece @ counts
        free = np.ones(len(self.texts), bool)
        chosen: dict[str, int] = {}
        while True:
            points = np.clip(np.round(slopes / totals), -MOST, MOST)
            gains = free * (2 * points * slopes - points**2 * totals) / self.sizes
            best = int(gains.argmax())
            most -= int(self.sizes[best])
            if gains[best] <= 0 or most < 0:
                return chosen
            chosen[self.texts[best]], free[best] = int(points[best]), False
            words = by_piece[best].indices
            rows = by_word[words]
            less = np.repeat(counts[words] * points[best], np.diff(rows.indptr))
            np.subtract.at(slopes, rows.indices, less)


def count_pieces(texts: Sequence[str], numbers: Mapping[str, int]) -> csr_matrix:
    places = [
        (row, numbers[piece])
        for row, text in enumerate(texts)
        for piece in {
            text[start:end]
            for start in range(len(text))
            for end in range(start + 2, min(len(text), start + LONGEST + 1) + 1)
        }
        if piece in numbers
    ]
    rows, columns = zip(*places, strict=True)
    return csr_matrix((np.ones(len(places)), (rows, columns)), (len(texts), len(numbers)))


def fit_pieces(
    weights: Numbers,
    vocabulary: Vocabulary,
    searches: Iterable[Search],
    samples: Collection[Sample],
    *,
    unit: float,
    most: int,
) -> dict[str, int]:
    """Return the strongest pieces with their points, -3 to 3, up to a total size.

    First, more pieces are chosen than fit into the size. Then all points are fitted to the samples
    that contain a name, and the pieces that improve the fit least per byte are dropped, a few at a
    time.

    Args:
        weights: The weight of each word, of shape (words,).
        vocabulary: The words.
        searches: The searches; a word counts more if it occurs in many of them.
        samples: The texts that contain a name.
        unit: The log-odds per point.
        most: The maximum total size of the pieces in bytes, including a tab per piece.

    """
    words = list(vocabulary.numbers)
    often = Counter(word for search in searches for word in {*split_words(search.text)})
    uses = [wordfreq.word_frequency(word, "en") * 2e4 + 0.7 * often[word] for word in words]
    wanted = np.clip(weights / unit, -MOST, MOST)
    counts = (np.array(uses) + RARE) ** OFTEN
    pieces = Pieces(words)
    chosen: dict[str, float] = {**pieces.choose(wanted, counts, FIRST * most)}
    while True:
        numbers = [pieces.numbers[piece] for piece in chosen]
        has = pieces.matrix[:, numbers]
        evidence = Evidence(chosen, samples, has, wanted=wanted, counts=counts, unit=unit)
        points, costs = evidence.fit(list(chosen.values()))
        whole = np.clip(np.round(points), -MOST, MOST).astype(int)
        sizes = pieces.sizes[numbers]
        if sizes[whole != 0].sum() <= most:
            return {piece: int(count) for piece, count in zip(chosen, whole, strict=True) if count}
        order = np.argsort(-costs / sizes, kind="stable")
        kept = order[np.cumsum(sizes[order]) <= max(KEPT * sizes.sum(), most)]
        texts = list(chosen)
        chosen = {texts[number]: float(points[number]) for number in np.sort(kept)}


class Evidence:
    """The data to which the points of pieces are fitted."""

    def __init__(
        self,
        chosen: Iterable[str],
        samples: Collection[Sample],
        has: csr_matrix,
        *,
        wanted: Numbers,
        counts: Numbers,
        unit: float,
    ) -> None:
        """Find the pieces in the samples.

        Args:
            chosen: The pieces.
            samples: The texts that contain a name.
            has: Whether each word contains each piece, of shape (words, pieces).
            wanted: The weight of each word, in points, of shape (words,).
            counts: How much each word counts, of shape (words,).
            unit: The log-odds per point.

        """
        self.texts = unit * build_samples(list(chosen), samples)
        names = sorted({sample.name for sample in samples})
        places = [names.index(sample.name) for sample in samples]
        self.named = csr_matrix((np.ones(len(places)), (range(len(places)), places)))
        self.labels = np.array([sample.technical for sample in samples], float)
        self.shares = np.array([sample.weight for sample in samples])
        self.has, self.wanted, self.counts = has, wanted, counts

    def fit(self, start: Sequence[float]) -> tuple[Numbers, Numbers]:
        """Return each piece's points, and roughly how much worse the fit would be without it.

        Args:
            start: The initial points.

        """
        values = np.array([*start, *np.zeros(self.named.shape[1])])
        options = {"maxiter": ROUNDS}
        values = minimize(self.measure, values, jac=True, method="L-BFGS-B", options=options).x
        points = values[: len(start)]
        chances = self.guess(values)
        bends = self.texts.power(2).T @ (self.shares * chances * (1 - chances))
        bends += 2 * ALIKE * (self.has.T @ self.counts) + 2 * SMALL
        return points, points**2 * bends / 2

    def guess(self, values: Numbers) -> Numbers:
        """Return the probability that each sample is technical, given the points and priors."""
        points, priors = np.split(values, [self.texts.shape[1]])
        sums = self.texts @ points + self.named @ priors
        chances: Numbers = 1 / (1 + np.exp(-np.clip(sums, -30, 30)))
        return chances

    def measure(self, values: Numbers) -> tuple[float, Numbers]:
        """Return the loss for the given points and priors, and its gradient."""
        points, priors = np.split(values, [self.texts.shape[1]])
        chances = self.guess(values)
        likely = np.where(self.labels > 0, chances, 1 - chances)
        slope, off = self.shares * (chances - self.labels), self.has @ points - self.wanted
        loss = ALIKE * (self.counts * off**2).sum() - (self.shares * np.log(likely + 1e-12)).sum()
        loss += SMALL * (points**2).sum() + PRIOR * (priors**2).sum() / 2
        by_piece = self.texts.T @ slope + 2 * ALIKE * (self.has.T @ (self.counts * off))
        slopes = [by_piece + 2 * SMALL * points, self.named.T @ slope + PRIOR * priors]
        return float(loss), np.concatenate(slopes)


def build_samples(chosen: Sequence[str], samples: Collection[Sample]) -> csr_matrix:
    numbers = {piece: number for number, piece in enumerate(chosen)}
    places = [
        (row, numbers[piece])
        for row, sample in enumerate(samples)
        for piece in list_pieces(sample.name, sample.text, chosen)
    ]
    rows, columns = zip(*places, strict=True)
    return csr_matrix((np.ones(len(places)), (rows, columns)), (len(samples), len(chosen)))


def list_pieces(name: str, text: str, table: Iterable[str]) -> list[str]:
    """Return the pieces that the hook counts in a search, except those of the name itself."""
    padded = f" {text.casefold()}"
    return [piece for piece in table if piece in padded and piece not in f" {name}"]


def count_pieces_of(name: str, table: Table) -> int:
    """Return the total points of a name's parts, excluding the name as a whole."""
    return sum(points for piece, points in table.items() if piece in f" {name}" and piece != name)
