"""Word what an agent is given: the lessons that matter to its prompt, and the skills that may help.

Lessons are text that somebody stored. They stand as they were phrased, but each stays inside its
own list item: nothing in it can pass for a heading or an item of ours, or for the client's words.
"""

import math
import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hookwright_console.unseen import remove_hidden
from lesson_search.prompts.tags import escape_tags
from lesson_search.records import Lesson, Skill

BUDGET = 2_000  # characters
LARGEST_BUDGET = 9_500  # Claude Code puts what is longer than 10,000 characters into a file
USEFUL = 120  # characters of a text that are worth giving without the rest
CUT = " …"
LESSONS = "## Relevant Lessons from Past Experience"
SKILLS = "## Suggested Skills"

# In most scripts a space follows the end of a sentence, in Chinese and Japanese none does. The last
# dot of "e.g." is none.
SENTENCE_END = re.compile(
    r"(?<!\.\w)[.!?\u061f\u06d4\u0964][\"')\]`*]*(?=\s|\Z)|[\u3002\uff01\uff1f]"
)
WORD_END = re.compile(r"(?<=\S)(?=\s)|(?<=[\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f])")


@dataclass(frozen=True)
class Context:
    """What to tell an agent, in Markdown, and the records of which it holds at least a part."""

    text: str
    records: tuple[Lesson | Skill, ...]


@dataclass(frozen=True)
class Item:
    """An item of a list: a text that may be cut, and what stands before and after it."""

    opening: str
    text: str
    ending: str = ""


def format_context(
    lessons: Iterable[tuple[Lesson, float]],
    skills: Iterable[tuple[Skill, float]],
    budget: int = BUDGET,
) -> Context:
    """Return what to tell an agent.

    Args:
        lessons: The lessons that matter, each with its score from 0 to 1, the best first.
        skills: The skills that may help, likewise.
        budget: How many characters there may be, 9,500 at the most. The lessons come first, the
            skills get what they leave. What does not fit is cut at the end of a sentence or a word,
            or left out where less than a useful part would fit; a lesser one that fits may follow.

    Returns:
        A heading and a list for the lessons, and for the skills; no text where neither has an item.

    Raises:
        ValueError: If the budget is larger than what a client shows.

    """
    if budget > LARGEST_BUDGET:
        raise ValueError(
            f"budget is {budget} characters: choose {LARGEST_BUDGET} or fewer, for Claude Code"
            " shows an agent only the beginning of what is longer than 10,000"
        )
    lessons, skills = list(lessons), list(skills)
    told, given = list_within(budget, LESSONS, [format_lesson(*one) for one in lessons])
    room = budget - len(f"{told}\n\n") if told else budget
    suggested, named = list_within(room, SKILLS, [format_skill(*one) for one in skills])
    text = "\n\n".join(part for part in (told, suggested) if part)
    return Context(
        text, (*(lessons[number][0] for number in given), *(skills[number][0] for number in named))
    )


def format_lesson(lesson: Lesson, score: float) -> Item:
    """Return the item of a lesson; its further lines are indented, as those of an item are."""
    categories = ", ".join(flatten(category) for category in lesson.categories)
    brackets = f"**[{categories}]** " if categories else ""
    text = textwrap.indent(clean(lesson.text), "  ").strip()
    return Item(f"- {brackets}(relevance: {count_percent(score)}%): ", text)


def format_skill(skill: Skill, score: float) -> Item:
    """Return the item of a skill: what calls it, and the first sentence of what it does."""
    trigger = flatten(skill.trigger.replace("`", ""))
    text = flatten(skill.text)
    end = SENTENCE_END.search(text)
    text = text[: end.end()].removesuffix(".") if end else text
    opening = f"- `{trigger}` - " if trigger else "- "
    return Item(opening, text, f" ({count_percent(score)}% match)")


def list_within(room: int, heading: str, items: Sequence[Item]) -> tuple[str, list[int]]:
    """Return a heading with those items below it that there is room for, and their numbers.

    Where there is room for none, there is no heading either.
    """
    listed = f"{heading}\n"
    numbers = []
    for number, item in enumerate(items):
        if line := fit(item, room - len(listed) - 1):
            listed += f"\n{line}"
            numbers.append(number)
    return (listed if numbers else ""), numbers


def fit(item: Item, room: int) -> str:
    """Return an item, cut if it is longer than the room, or "" if no useful part of it fits."""
    room -= len(item.opening) + len(item.ending)
    text = item.text if len(item.text) <= room else cut(item.text, room)
    return f"{item.opening}{text}{item.ending}" if text else ""


def cut(text: str, room: int) -> str:
    """Return as much of a text as there is room for, or "" if that is less than a useful part.

    A sentence is the better end, unless a word's end saves twice as much.
    """
    most = room - len(CUT)
    if most < USEFUL:
        return ""
    near = text[: most + 1]  # one more, to see that a word ends there
    sentence, word = (
        max((found.end() for found in end.finditer(near) if found.end() <= most), default=0)
        for end in (SENTENCE_END, WORD_END)
    )
    end = sentence if 2 * sentence >= word and sentence >= USEFUL else word
    return text[:end].rstrip() + CUT if end >= USEFUL else ""


def clean(text: str) -> str:
    """Return a text without what nobody sees; what may be taken for a tag is escaped."""
    lines = "\n".join(text.splitlines())
    return escape_tags(remove_hidden(lines))


def flatten(text: str) -> str:
    """Return a text in one line, cleaned."""
    return " ".join(clean(text).split())


def count_percent(score: float) -> int:
    """Return a score from 0 to 1 in whole percent, rounded down; 0.29 is 29, not 28.999."""
    return math.floor(min(100, max(0, round(100 * score, 6))))
