"""Read the stores of lessons and prompts, and collect each prompt's candidates."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hookwright_retrieval.embedders import make_plain
from hookwright_retrieval.embedders.wordllama import WordLlamaEmbedder, load_tokenizer
from hookwright_retrieval.token_vectors import MAX_TOKENS
from lesson_search.retrieval.calibration import SHIPPED, read_calibration
from lesson_search.retrieval.evaluation import read_set
from lesson_search.retrieval.ranking import Ranker, build_index_data, prepare, take_opening

TEXTS = Path(__file__).with_name("texts.tar.xz")
STORES, NOTES = "stores", "notes"  # folders of `TEXTS`
CANDIDATES = 14  # lessons per prompt
FEW, NEAREST = 6, 10  # after the first pass: candidates by initial weights, and by the ranking
FIRST = np.array([3.5, 0.4])  # initial weights of similarity and words

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Sample:
    """A prompt and its candidates.

    Args:
        prompt: The prompt's tokens, of shape (prompt tokens,).
        tokens: The distinct tokens of all candidates, of shape (tokens,).
        places: Indices of each candidate's tokens, padded with 0, of shape (candidates, longest).
        whole: Which indices are not padding, of the same shape.
        opening: Which tokens occur in the candidate's opening, of the same shape.
        evidence: Vector similarity and word overlap, of shape (candidates, 2).
        wanted: Which candidates help, of shape (candidates,).
        is_note: Whether the candidates are notes, of which exactly one answers the question.

    """

    prompt: Numbers
    tokens: Numbers
    places: Numbers
    whole: Flags
    opening: Flags
    evidence: npt.NDArray[np.float32]
    wanted: Flags
    is_note: bool


def list_samples(
    texts: Path, lengths: npt.NDArray[Any], *, learned: bool = False
) -> Iterator[Sample]:
    """Yield the prompts of all stores, and the questions about notes.

    Args:
        texts: The folder into which `TEXTS` was unpacked.
        lengths: The length of each token's vector; from a long prompt, only the longest are used.
        learned: Whether the vectors learned so far also select candidates.

    """
    for folder in [*sorted((texts / STORES).iterdir()), texts / NOTES]:
        yield from read_store(folder, lengths, learned=learned)


def read_store(folder: Path, lengths: npt.NDArray[Any], *, learned: bool) -> Iterator[Sample]:
    store, embedder = read_set(folder), WordLlamaEmbedder()
    calibration = read_calibration(embedder.name, SHIPPED)
    if calibration is None:
        raise SystemExit("no calibration: run python -m benchmarks.fit_ranking")
    index_data = build_index_data(store.texts, embedder.embed_documents(store.texts))
    ranker = Ranker(embedder, calibration, index_data)
    wholes = [split(text) for text in store.texts]
    openings = [split(take_opening(text)) for text in store.texts]
    everything = np.arange(len(store.texts))
    for question in store.questions:
        order, found, _ = ranker.find(question.prompt, len(everything))
        evidence = np.empty((len(everything), 2))
        evidence[order] = found[:, :2]
        best = np.argsort(-(evidence @ FIRST), kind="stable")[: FEW if learned else CANDIDATES]
        if learned:
            best = np.union1d(best, order[:NEAREST])
        helping = [number for number in everything if store.ids[number] in question.wanted]
        chosen = np.union1d(best, np.array(helping, np.int64))
        prompt = np.array(sorted(split(prepare(question.prompt))), np.int64)
        if not len(prompt):
            continue
        tokens, places, whole, opening = pad(
            [wholes[number] for number in chosen], [openings[number] for number in chosen]
        )
        yield Sample(
            prompt[np.argsort(-lengths[prompt], kind="stable")[:MAX_TOKENS]],
            tokens,
            places,
            whole,
            opening,
            evidence[chosen].astype(np.float32),
            np.isin(chosen, helping),
            is_note=folder.name == NOTES,
        )


def split(text: str) -> set[int]:
    """Return the distinct tokens of a text."""
    return set(load_tokenizer().split(make_plain(text)))


def pad(wholes: list[set[int]], openings: list[set[int]]) -> tuple[Numbers, Numbers, Flags, Flags]:
    """Return the tokens of lessons as the fields of a sample."""
    tokens = np.array(sorted(set().union(*wholes)), np.int64)
    shape = (len(wholes), max(map(len, wholes)))
    places, whole, opening = np.zeros(shape, np.int64), np.zeros(shape, bool), np.zeros(shape, bool)
    for row, (all_tokens, first) in enumerate(zip(wholes, openings, strict=True)):
        own = np.array(sorted(all_tokens), np.int64)
        places[row, : len(own)] = np.searchsorted(tokens, own)
        whole[row, : len(own)] = True
        opening[row, : len(own)] = np.isin(own, list(first))
    return tokens, places, whole, opening
