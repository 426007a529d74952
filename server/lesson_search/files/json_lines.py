"""Read lessons and skills from lines of JSON."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from hookwright_console.errors import RefusedError
from hookwright_console.text import show
from lesson_search.records import Lesson, Skill
from lesson_search.validation import (
    check_categories,
    check_id,
    check_moment,
    check_name,
    check_source,
    check_text,
)

LESSON_FIELDS = ("id", "text", "categories", "classified", "source_file", "created_at")
SKILL_FIELDS = (*LESSON_FIELDS, "trigger", "source", "metadata")
METADATA_FIELDS = ("skill_name", "trigger", "source")


def read_row(line: str, source: str) -> Lesson | Skill:
    """Return the lesson or skill in a line of JSON, its id "" where there is none.

    Raises:
        RefusedError: There is none, or a field of it is not as it should be.

    """
    row = read_object(line)
    row = {field: value for field, value in row.items() if value is not None}
    lift_metadata(row)
    check_fields(row, SKILL_FIELDS if "trigger" in row else LESSON_FIELDS)
    categories = row.pop("categories", [])
    if not isinstance(categories, list) or not all(isinstance(one, str) for one in categories):
        raise RefusedError('categories are no list of texts: write ["devops/ci-cd"]')
    classified = row.pop("classified", False)
    if not isinstance(classified, bool):
        raise RefusedError("classified is neither true nor false: write one of them")
    for field, value in row.items():
        if not isinstance(value, str):
            raise RefusedError(f"{field} is no text: put it in quotes")
    name = check_id(row["id"]) if "id" in row else ""
    text = check_text(row.get("text", ""))
    paths = check_categories(categories)
    created_at = check_moment(row.get("created_at", ""))
    read_from = source
    if "source_file" in row:
        read_from = check_source("source_file", row["source_file"])
    if "trigger" not in row:
        return Lesson(name, text, paths, read_from, created_at, classified)
    if not row["trigger"]:
        raise RefusedError("trigger is empty: name what calls the skill, or leave it out")
    trigger = check_name("trigger", row["trigger"])
    if "source" in row:
        read_from = check_source("source", row["source"])
    return Skill(name, text, paths, trigger, read_from, classified)


def lift_metadata(row: dict[str, Any]) -> None:
    """Put what a skill's `metadata` says where the row itself says nothing, as the API does.

    Raises:
        RefusedError: It is no object, or has other fields.

    """
    metadata = row.pop("metadata", {})
    if not isinstance(metadata, dict):
        raise RefusedError('metadata is no object: write {"trigger": "/review-pr"}')
    check_fields(metadata, METADATA_FIELDS)
    for field in ("trigger", "source"):
        if metadata.get(field) is not None and row.get(field, "") == "":
            row[field] = metadata[field]


def read_object(line: str) -> dict[str, Any]:
    """Return the object in a line of JSON.

    Raises:
        RefusedError: There is none, or it has a field twice.

    """
    try:
        row = json.loads(line, object_pairs_hook=build_object)
    except json.JSONDecodeError as error:
        raise RefusedError(
            f"is no valid JSON ({error.msg}, column {error.colno}): write one object a line"
        ) from None
    except RefusedError:
        raise
    except (ValueError, RecursionError):
        raise RefusedError("is no JSON that can be read: write one object a line") from None
    if not isinstance(row, dict):
        raise RefusedError('is no JSON object: write one a line, such as {"text": "..."}')
    return row


def check_fields(given: Iterable[str], known: Sequence[str]) -> None:
    """Refuse fields that are not known."""
    if unknown := [show(field) for field in given if field not in known]:
        names = ", ".join(f"'{field}'" for field in unknown[:3])
        raise RefusedError(f"has the unknown field {names}: only {', '.join(known)} are read")


def build_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the pairs as a dict; one of two equal keys would be lost on the way."""
    value = dict(pairs)
    if len(value) < len(pairs):
        raise RefusedError("has the same field twice: take one out")
    return value
