"""Find the preset that serves a documentation best, by questions that it carries itself.

The questions are texts of links and names of index entries, of several words as people ask; the
answer is where these lead. They are held out: the ranking that is tested does not know these links.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hookwright_documentation.index.evidence import Evidence
from hookwright_documentation.index.links import Link, count_link_terms, measure_popularity
from hookwright_documentation.index.ranking import DEFAULT, PRESETS, PassageRanker, is_question
from hookwright_documentation.index.terms import list_terms
from hookwright_documentation.pages import Passage

MAX_QUESTIONS, MIN_QUESTIONS = 400, 30  # questions; fewer tell nothing
TOP_K = 5


@dataclass(frozen=True)
class Question:
    """A question that a documentation carries: a name, and the passage it leads to."""

    text: str
    passage: int


def choose_preset(
    passages: Sequence[Passage], links: Sequence[Link], evidence: Evidence
) -> tuple[str, dict[str, float]]:
    """Return the name of the best preset, and the share of questions each one answers.

    The default stays unless another preset does better than chance explains.

    Args:
        passages: The passages.
        links: All links to them.
        evidence: The evidence with all links.

    """
    questions = pick_questions(passages, links)
    if len(questions) < MIN_QUESTIONS:
        return DEFAULT, {}
    held_out = {(question.passage, question.text.casefold()) for question in questions}
    known = [link for link in links if (link.passage, link.text.casefold()) not in held_out]
    tested = replace(
        evidence,
        links=count_link_terms(known, len(passages)),
        popularity=measure_popularity(known, len(passages)),
    )
    answered = {
        name: list_answered(PassageRanker(tested, weights), passages, questions)
        for name, weights in PRESETS.items()
    }
    best = max(answered, key=lambda name: len(answered[name]))
    chosen = best if is_better(answered[best], answered[DEFAULT]) else DEFAULT
    return chosen, {name: len(found) / len(questions) for name, found in answered.items()}


def is_better(some: set[int], others: set[int]) -> bool:
    return len(some) - len(others) > 2 * math.sqrt(len(some ^ others))


def pick_questions(passages: Sequence[Passage], links: Iterable[Link]) -> list[Question]:
    """Return at most one question a passage, always the same ones.

    A text that says no more than the heading or anchor would be found by any preset; one that leads
    to several passages, such as "here", asks for none of them.
    """
    leads: dict[str, set[int]] = {}
    texts: dict[int, list[str]] = {}
    for link in links:
        leads.setdefault(link.text.casefold(), set()).add(link.passage)
        texts.setdefault(link.passage, []).append(link.text)
    picked = []
    generator = np.random.default_rng(0)  # the same questions for the same documentation
    for passage in sorted(texts):
        asked = [
            text
            for text in dict.fromkeys(texts[passage])
            if len(leads[text.casefold()]) == 1 and asks_more(text, passages[passage])
        ]
        if asked:
            picked.append(Question(asked[generator.integers(len(asked))], passage))
    return [picked[number] for number in generator.permutation(len(picked))[:MAX_QUESTIONS]]


def asks_more(text: str, passage: Passage) -> bool:
    known = f"{passage.headings[-1] if passage.headings else ''} {passage.anchor}"
    return is_question(text) and bool(set(list_terms(text)) - set(list_terms(known)))


def list_answered(
    ranker: PassageRanker, passages: Sequence[Passage], questions: Sequence[Question]
) -> set[int]:
    """Return which questions have the right anchor among the first answers.

    A link to a whole page leads to its first passage; any other of the page is right as well.
    """
    first: dict[str, int] = {}
    for number, passage in enumerate(passages):
        first.setdefault(passage.url, number)
    answered = set()
    for number, question in enumerate(questions):
        right = passages[question.passage]
        whole = first[right.url] == question.passage
        for answer, _ in ranker.rank(question.text, TOP_K):
            found = passages[answer]
            if found.url == right.url and (whole or found.anchor == right.anchor):
                answered.add(number)
    return answered
