"""The records of the collections: lessons and skills."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeVar

UNKNOWN = "unknown"  # the fingerprint of records that were written here, or ingested unnoted


@dataclass(frozen=True)
class Lesson:
    """Something that a team learned."""

    id: str  # the id; ingesting a lesson replaces the one with the same id
    text: str
    categories: tuple[str, ...] = ()  # paths such as devops/ci-cd, in any order
    source_file: str = ""  # the file it was read from, or ""
    created_at: str = ""  # when it was first ingested, in ISO 8601 with a time zone, or ""
    classified: bool = False  # whether the classifier chose the categories, not a person
    # the fingerprint of what was ingested, which edits do not change; or "unknown", or "" in
    # records stored before there were fingerprints
    ingested: str = field(default="", compare=False)


@dataclass(frozen=True)
class Skill:
    """Something that an agent can do on request, such as a command."""

    id: str  # as for lessons, like the other fields that are not named here
    text: str  # what it does, and when to use it
    categories: tuple[str, ...] = ()
    trigger: str = ""  # how it is called, e.g. /review-pr
    source: str = ""  # its origin, e.g. plugin:github-tools, or ""
    classified: bool = False
    ingested: str = field(default="", compare=False)


Record = TypeVar("Record", Lesson, Skill)
Either = TypeVar("Either", bound=Lesson | Skill)
CollectionName = Literal["lessons", "skills"]
Key = tuple[CollectionName, str]  # the collection of a record, and its id
COLLECTIONS: dict[type[Lesson | Skill], CollectionName] = {Lesson: "lessons", Skill: "skills"}
KINDS: dict[str, type[Lesson | Skill]] = {name: kind for kind, name in COLLECTIONS.items()}


def find_key(record: Lesson | Skill) -> Key:
    return COLLECTIONS[type(record)], record.id


def find_source(record: Lesson | Skill) -> str:
    return record.source_file if isinstance(record, Lesson) else record.source


def join_fields(record: Lesson | Skill) -> str:
    """Return the fields of a record that may hold a secret."""
    trigger = "" if isinstance(record, Lesson) else f"\n{record.trigger}"
    return f"{record.text}\n{record.id}\n{find_source(record)}{trigger}"


def list_fields(kind: type[Any]) -> list[str]:
    return [one.name for one in fields(kind)]


def take_fields(kind: type[Either], row: Mapping[str, Any]) -> Either:
    """Return the record of a row, unchecked; what is not a field of it is left out."""
    known = {name: row[name] for name in list_fields(kind) if name in row}
    return kind(**{**known, "categories": tuple(row.get("categories", ()))})


def to_row(record: Lesson | Skill) -> dict[str, Any]:
    ingested = record.ingested or UNKNOWN
    return {**vars(record), "categories": list(record.categories), "ingested": ingested}
