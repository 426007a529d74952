"""Explain why a prompt gets lessons, or none."""

from collections.abc import Sequence
from dataclasses import dataclass

from lesson_search.prompts.context import format_context
from lesson_search.prompts.filter import Obstacle, find_obstacle
from lesson_search.records import COLLECTIONS, CollectionName, Lesson, Skill
from lesson_search.service.lesson_service import EXTRA, LessonService

BELOW = 5  # maximum number of listed records below the threshold


@dataclass(frozen=True)
class Candidate:
    """A record considered for a prompt."""

    id: str
    text: str
    score: float  # its score, from 0 to 1


@dataclass(frozen=True)
class CollectionMatch:
    """How well a collection matches a prompt."""

    records: int  # number of records
    threshold: float  # minimum score of a relevant record
    best: float | None  # best score; None without records, or while the embedder is down
    given: int  # relevant records that were given to the session recently
    left: int  # relevant records that are given now, up to the limit per prompt
    candidates: tuple[Candidate, ...]  # relevant and nearly relevant records, best first


@dataclass(frozen=True)
class Explanation:
    """Why a prompt gets lessons, or none."""

    obstacle: Obstacle | None  # why the prompt is filtered out, or None
    embedder_is_up: bool  # whether searches can find anything
    # each collection's match; empty if the prompt is filtered out
    collections: dict[CollectionName, CollectionMatch]
    context: str  # the context for the agent, or ""


def explain(
    service: LessonService,
    session: str | None,
    prompt: str,
    *,
    top_k: int,
    budget: int,
    min_score: float | None = None,
    projects: Sequence[str] = (),
) -> Explanation:
    """Explain the result of `LessonService.build_context`, without recording anything.

    It takes the same arguments.
    """
    obstacle = find_obstacle(prompt)
    near: dict[CollectionName, CollectionMatch] = {}
    chosen: list[tuple[Lesson | Skill, float]] = []
    for name in () if obstacle else COLLECTIONS.values():
        collection = service.get_collection(name)
        threshold = collection.threshold if min_score is None else min_score
        found = service.search(name, prompt, top_k + EXTRA, 0.0, projects=projects)
        keys = {f"{name} {hit.record.id}": hit.record.id for hit in found}
        given = {keys[key] for key in service.memory.list_given(session, keys)}
        matter = [hit for hit in found if hit.score >= threshold]
        left = [hit for hit in matter if hit.record.id not in given][:top_k]
        near[name] = CollectionMatch(
            len(collection),
            threshold,
            found[0].score if found else None,
            sum(hit.record.id in given for hit in matter),
            len(left),
            tuple(
                Candidate(hit.record.id, hit.record.text, round(hit.score, 4))
                for hit in found[: len(matter) + BELOW]
            ),
        )
        chosen += [(hit.record, hit.score) for hit in left]
    context = format_context(chosen, budget).text
    return Explanation(obstacle, service.embedder.is_up, near, context)
