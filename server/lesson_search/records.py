"""What the collections hold: lessons, and skills."""

from dataclasses import dataclass
from typing import Literal, TypeVar


@dataclass(frozen=True)
class Lesson:
    """What a team learned, to be told where it matters.

    Args:
        id: What it is known by; an ingested lesson with the id of another takes its place.
        text: The lesson itself.
        categories: Paths such as devops/ci-cd, in no particular order; none where nobody said.
        source_file: Where it was read, or "".
        created_at: When it was first ingested, in ISO 8601 with the time zone, or "".
        classified: Whether the categories came from the classifier, not from a hand.

    """

    id: str
    text: str
    categories: tuple[str, ...] = ()
    source_file: str = ""
    created_at: str = ""
    classified: bool = False


@dataclass(frozen=True)
class Skill:
    """What an agent can be asked to do by name, such as a command.

    Args:
        id: What it is known by, as for lessons.
        text: What it does, and when to use it.
        categories: As for lessons.
        trigger: What calls it, e.g. /review-pr.
        source: Where it comes from, e.g. plugin:github-tools, or "".
        classified: As for lessons.

    """

    id: str
    text: str
    categories: tuple[str, ...] = ()
    trigger: str = ""
    source: str = ""
    classified: bool = False


Record = TypeVar("Record", Lesson, Skill)
CollectionName = Literal["lessons", "skills"]
COLLECTIONS: dict[type[Lesson | Skill], CollectionName] = {Lesson: "lessons", Skill: "skills"}
