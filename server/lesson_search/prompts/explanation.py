"""Why a prompt gets lessons, or none."""

from dataclasses import dataclass

from lesson_search.prompts.filter import Obstacle
from lesson_search.records import CollectionName


@dataclass(frozen=True)
class Likeness:
    """How near a collection comes to a prompt.

    Args:
        records: The number of its records.
        threshold: The score from which a record matters.
        best: The best score; None without records, or while the embedder is down.
        given: How many records matter that the session got recently.
        left: How many matter that it did not get, up to the number it is given at once.

    """

    records: int
    threshold: float
    best: float | None
    given: int
    left: int


@dataclass(frozen=True)
class Explanation:
    """Why a prompt gets lessons, or none: what rules it out, or how near each collection comes."""

    obstacle: Obstacle | None
    embedder_is_up: bool
    collections: dict[CollectionName, Likeness]
