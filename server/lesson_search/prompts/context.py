"""Format a prompt's lessons and skills as context for the agent.

A lesson's wording is kept but confined to its list item, so it cannot imitate our headings, other
items or client messages.
"""

import math
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from hookwright_console.text import remove_hidden
from lesson_search.prompts.tags import escape_tags
from lesson_search.records import Lesson, Skill

BUDGET = 2_000  # characters
MAX_BUDGET = 9_500  # Claude Code moves context of more than 10,000 characters to a file
USEFUL = 120  # characters; a shorter part of a text is not worth including
CUT = " …"
LESSONS = "## Relevant Lessons from Past Experience"
SKILLS = "## Suggested Skills"

# A sentence ends before a space, except in Chinese and Japanese. The last dot of "e.g." does not
# end a sentence.
SENTENCE_END = re.compile(
    r"(?<!\.\w)[.!?\u061f\u06d4\u0964][\"')\]`*]*(?=\s|\Z)|[\u3002\uff01\uff1f]"
)
WORD_END = re.compile(r"(?<=\S)(?=\s)|(?<=[\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f])")


@dataclass(frozen=True)
class Context:
    """The context in Markdown, and the records that it contains, at least partly."""

    text: str
    records: tuple[Lesson | Skill, ...]


Item = tuple[str, str, str]  # a list item: a text that may be truncated, between two others


def format_context(found: Sequence[tuple[Lesson | Skill, float]], budget: int = BUDGET) -> Context:
    """Return the context for an agent: a headed list of lessons, and one of skills, best first.

    The budget is the maximum number of characters. Lessons come first; skills get the rest. An
    item that does not fit is cut at the end of a sentence or word, or left out if too little would
    remain; a later one that fits may follow. Raises ValueError if clients cannot show so much.
    """
    if budget > MAX_BUDGET:
        raise ValueError(
            f"budget is {budget} characters: choose {MAX_BUDGET} or fewer, for Claude Code"
            " shows an agent only the beginning of what is longer than 10,000"
        )
    text = ""
    records: list[Lesson | Skill] = []
    for kind, heading in ((Lesson, LESSONS), (Skill, SKILLS)):
        listed = f"{text}\n\n{heading}\n" if text else f"{heading}\n"
        for record, score in found:
            item = format_item(record, score)
            if isinstance(record, kind) and (line := fit(item, budget - len(listed) - 1)):
                text = listed = f"{listed}\n{line}"
                records.append(record)
    return Context(text, tuple(records))


def format_item(record: Lesson | Skill, score: float) -> Item:
    if isinstance(record, Skill):
        return format_skill(record, score)
    categories = ", ".join(flatten(category) for category in record.categories)
    brackets = f"**[{categories}]** " if categories else ""
    text = textwrap.indent(clean_text(record.text), "  ").strip()
    return f"- {brackets}(relevance: {count_percent(score)}%): ", text, ""


def format_skill(skill: Skill, score: float) -> Item:
    trigger = flatten(skill.trigger.replace("`", ""))
    text = flatten(skill.text)
    end = SENTENCE_END.search(text)
    text = text[: end.end()].removesuffix(".") if end else text
    opening = f"- `{trigger}` - " if trigger else "- "
    return opening, text, f" ({count_percent(score)}% match)"


def fit(item: Item, room: int) -> str:
    opening, text, ending = item
    room -= len(opening) + len(ending)
    shown = text if len(text) <= room else cut(text, room)
    return f"{opening}{shown}{ending}" if shown else ""


def cut(text: str, room: int) -> str:
    """Return the part of a text that fits, or "" if it is too short to be useful.

    It ends after a sentence, unless a cut after a word keeps twice as much.
    """
    most = room - len(CUT)
    if most < USEFUL:
        return ""
    near = text[: most + 1]  # one more character, to see whether a word ends there
    sentence, word = (
        max((found.end() for found in end.finditer(near) if found.end() <= most), default=0)
        for end in (SENTENCE_END, WORD_END)
    )
    end = sentence if 2 * sentence >= word and sentence >= USEFUL else word
    return text[:end].rstrip() + CUT if end >= USEFUL else ""


def clean_text(text: str) -> str:
    """Return a text without invisible characters, and with possible tags escaped."""
    return escape_tags(remove_hidden("\n".join(text.splitlines())))


def flatten(text: str) -> str:
    return " ".join(clean_text(text).split())


def count_percent(score: float) -> int:
    """Return a score from 0 to 1 as a whole percentage, rounded down; 0.29 gives 29, not 28."""
    return math.floor(min(100, max(0, round(100 * score, 6))))
