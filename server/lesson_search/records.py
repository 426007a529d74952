"""The records of the collections, lessons and skills, and their validation."""

import itertools
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Any, Literal, TypeVar

from hookwright_console.errors import RefusedError
from hookwright_console.text import is_visible, shorten
from lesson_search.projects import name_project

UNKNOWN = "unknown"  # fingerprint of records created here or ingested without one
MAX_TEXT = 20_000  # characters
MAX_NAME = 200  # characters of an ID or a trigger
MAX_SLUG = 80  # characters
MAX_CATEGORIES = 20  # per record
MAX_SOURCE = 4_096  # characters, the limit of paths
CATEGORY = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*(?:/[a-z0-9]+(?:-[a-z0-9]+)*)*")
# Control characters except newline and tab, and lone surrogates, to which invalid UTF-8 decodes.
UNFIT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
# The time formats that all Python versions parse in the same way.
MOMENT = re.compile(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{3}(?:\d{3})?)?)?(?:Z|[+-]\d\d:\d\d)", re.ASCII
)
WORD = re.compile(r"[^\W_]+")
SENTENCE_END = re.compile(r"[.!?](?:\s|$)|\n")
FINGERPRINT = re.compile(r"[0-9a-f]{32}(?:/[0-9a-f]{32})?|unknown")


@dataclass(frozen=True)
class Lesson:
    """A lesson that a team learned."""

    id: str  # ingesting a lesson replaces the one with the same ID
    text: str
    categories: tuple[str, ...] = ()  # paths such as devops/ci-cd, in any order
    source_file: str = ""  # the file it was read from, or ""
    created_at: str = ""  # time of the first ingestion, in ISO 8601 with a time zone, or ""
    classified: bool = False  # whether the classifier rather than a person chose the categories
    # fingerprint of the ingested version, which edits do not change; "unknown", or "" until it is
    # ingested
    ingested: str = field(default="", compare=False)
    project: str = ""  # the only project that gets it, as named by `name_project`, or ""


@dataclass(frozen=True)
class Skill:
    """A capability that an agent can use on request, such as a command."""

    id: str  # the same as for lessons, like all fields without a comment
    text: str  # what it does, and when to use it
    categories: tuple[str, ...] = ()
    trigger: str = ""  # how to call it, e.g. /review-pr
    source: str = ""  # its origin, such as plugin:github-tools, or ""
    classified: bool = False
    ingested: str = field(default="", compare=False)


Record = TypeVar("Record", Lesson, Skill)
Either = TypeVar("Either", bound=Lesson | Skill)
CollectionName = Literal["lessons", "skills"]
Key = tuple[CollectionName, str]  # a record's collection and ID
COLLECTIONS: dict[type[Lesson | Skill], CollectionName] = {Lesson: "lessons", Skill: "skills"}
KINDS: dict[str, type[Lesson | Skill]] = {name: kind for kind, name in COLLECTIONS.items()}


def find_key(record: Lesson | Skill) -> Key:
    return COLLECTIONS[type(record)], record.id


def find_source(record: Lesson | Skill) -> str:
    return record.source_file if isinstance(record, Lesson) else record.source


def join_fields(record: Lesson | Skill) -> str:
    """Return a record's fields that may contain a secret."""
    other = record.project if isinstance(record, Lesson) else record.trigger
    return f"{record.text}\n{record.id}\n{find_source(record)}\n{other}"


def list_fields(kind: type[Any]) -> list[str]:
    return [field.name for field in fields(kind)]


def take_fields(kind: type[Either], row: Mapping[str, Any]) -> Either:
    """Return a row's record without checks, dropping unknown fields."""
    known = {name: row[name] for name in list_fields(kind) if name in row}
    return kind(**{**known, "categories": tuple(row.get("categories", ()))})


def to_row(record: Lesson | Skill) -> dict[str, Any]:
    return {**vars(record), "categories": list(record.categories)}


def build_record(row: Mapping[str, Any]) -> Lesson | Skill:
    """Return a row's record if valid; raises RefusedError.

    It is a skill if it has a trigger; its source may be a file.
    """
    ingested = row.get("ingested", "")
    if ingested and not FINGERPRINT.fullmatch(ingested):
        raise RefusedError(
            f"expected ingested as export writes it, got '{shorten(ingested)}': remove the field"
        )
    if not row.get("trigger"):
        return check_record(take_fields(Lesson, row))
    source = row.get("source", row.get("source_file", ""))
    return check_record(take_fields(Skill, {**row, "source": source}))


def check_record(record: Either) -> Either:
    r"""Return a record with normalized line ends and categories; raises RefusedError.

    Only the ID may be empty, since files may omit it.
    """
    check_name("id", record.id)
    if isinstance(record, Lesson):
        check_source("source_file", record.source_file)
        check_moment(record.created_at)
        record = replace(record, project=name_project(record.project))
    else:
        check_source("source", record.source)
        check_name("trigger", record.trigger)
    categories = check_categories(record.categories)
    return replace(record, text=check_text(record.text), categories=categories)


def slugify(text: str) -> str:
    # The rest would be truncated anyway. NFKC is needed because file names on macOS store accents
    # as separate characters.
    plain = unicodedata.normalize("NFKC", text[: 2 * MAX_SLUG]).lower()
    return "-".join(WORD.findall(plain))[:MAX_SLUG].strip("-") or "untitled"


def suggest_ids(text: str) -> Iterator[str]:
    """Return IDs for a new record, which are derived from the first sentence of its text."""
    return number_ids(slugify(SENTENCE_END.split(text, 1)[0]))


def number_ids(stem: str) -> Iterator[str]:
    return itertools.chain([stem], (f"{stem}-{number}" for number in itertools.count(2)))


def check_text(text: str) -> str:
    text = text.replace("\r\n", "\n")
    if not text.strip():
        raise RefusedError("the text is empty: write what was learned")
    if len(text) > MAX_TEXT:
        raise RefusedError(
            f"the text has {len(text):,} characters, more than {MAX_TEXT:,}: split it"
        )
    if unfit := UNFIT.search(text):
        line = text.count("\n", 0, unfit.start()) + 1
        column = unfit.start() - text.rfind("\n", 0, unfit.start())
        place = f"in line {line}, column {column} of the text"
        if unfit[0] >= "\ud800":
            raise RefusedError(f"invalid UTF-8 {place}: save it as UTF-8")
        raise RefusedError(f"U+{ord(unfit[0]):04X} {place} is a control character: remove it")
    return text


def check_id(name: str) -> str:
    """Return an ID; raises RefusedError if it is empty, too long, or has invisible characters."""
    if not name:
        raise RefusedError("the id is empty: choose one, or remove the field")
    check_name("id", name)
    return name


def check_name(field: str, name: str) -> None:
    """Raise RefusedError if a name is too long or has invisible characters."""
    if len(name) > MAX_NAME:
        raise RefusedError(
            f"the {field} has {len(name):,} characters, more than {MAX_NAME}: shorten it"
        )
    if not is_visible(name) or name != name.strip():
        raise RefusedError(
            f"the {field} '{shorten(name)}' has white space at an end, or unprintable"
            " characters: remove them"
        )


def check_source(field: str, source: str) -> None:
    """Raise RefusedError if a source is longer than a path can be, or has invisible characters."""
    if len(source) > MAX_SOURCE or not is_visible(source):
        raise RefusedError(
            f"the {field} '{shorten(source)}' has more than {MAX_SOURCE:,} characters, or"
            " unprintable ones: shorten it, or remove them"
        )


def check_categories(categories: Sequence[str]) -> tuple[str, ...]:
    """Return categories without duplicates; raises RefusedError for any not like devops/ci-cd."""
    if len(categories) > MAX_CATEGORIES:
        raise RefusedError(
            f"there are {len(categories):,} categories, more than {MAX_CATEGORIES}: remove some"
        )
    for category in categories:
        if len(category) > MAX_NAME:
            raise RefusedError(
                f"the category '{shorten(category)}' has more than {MAX_NAME} characters:"
                " shorten it"
            )
        if not CATEGORY.fullmatch(category):
            raise RefusedError(
                f"expected a category of lower-case words such as devops/ci-cd, got"
                f" '{shorten(category)}'"
            )
    return tuple(dict.fromkeys(categories))


def check_moment(moment: str) -> None:
    """Raise RefusedError unless a time is empty, or in ISO 8601 with a time zone."""
    with suppress(ValueError):
        if not moment:
            return
        if MOMENT.fullmatch(moment):
            datetime.fromisoformat(moment.replace("Z", "+00:00"))
            return
    raise RefusedError(
        "expected created_at with a time zone such as 2025-11-15T10:30:00Z, got"
        f" '{shorten(moment)}'"
    )
