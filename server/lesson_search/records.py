"""The records of the collections: lessons and skills."""

from dataclasses import dataclass, field
from typing import Literal, TypeVar


@dataclass(frozen=True)
class Lesson:
    """Something that a team learned.

    Args:
        id: The id; ingesting a lesson replaces the one with the same id.
        text: The text.
        categories: Paths such as devops/ci-cd, in any order.
        source_file: The file it was read from, or "".
        created_at: When it was first ingested, in ISO 8601 with a time zone, or "".
        classified: Whether the classifier chose the categories, not a person.
        ingested: The fingerprint of what was ingested, which edits do not change; or "unknown", or
            "" in records stored before there were fingerprints.

    """

    id: str
    text: str
    categories: tuple[str, ...] = ()
    source_file: str = ""
    created_at: str = ""
    classified: bool = False
    ingested: str = field(default="", compare=False)


@dataclass(frozen=True)
class Skill:
    """Something that an agent can do on request, such as a command.

    Args:
        id: The id, as for lessons.
        text: What it does, and when to use it.
        categories: As for lessons.
        trigger: How it is called, e.g. /review-pr.
        source: Its origin, e.g. plugin:github-tools, or "".
        classified: As for lessons.
        ingested: As for lessons.

    """

    id: str
    text: str
    categories: tuple[str, ...] = ()
    trigger: str = ""
    source: str = ""
    classified: bool = False
    ingested: str = field(default="", compare=False)


Record = TypeVar("Record", Lesson, Skill)
CollectionName = Literal["lessons", "skills"]
COLLECTIONS: dict[type[Lesson | Skill], CollectionName] = {Lesson: "lessons", Skill: "skills"}


def join_fields(record: Lesson | Skill) -> str:
    """Return the fields of a record that may hold a secret."""
    if isinstance(record, Lesson):
        return f"{record.text}\n{record.id}\n{record.source_file}"
    return f"{record.text}\n{record.id}\n{record.source}\n{record.trigger}"


def find_source(record: Lesson | Skill) -> str:
    """Return the file or the origin of a record, or ""."""
    return record.source_file if isinstance(record, Lesson) else record.source
