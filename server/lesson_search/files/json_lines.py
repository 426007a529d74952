"""Read lessons and skills from JSON Lines."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from hookwright_console.errors import RefusedError
from hookwright_console.text import shorten
from lesson_search.records import (
    COLLECTIONS,
    KINDS,
    Key,
    Lesson,
    Skill,
    build_record,
    check_id,
)

FIELDS = ("id", "text", "categories", "classified", "source_file", "created_at", "ingested")
LESSON_FIELDS = (*FIELDS, "project")
SKILL_FIELDS = (*FIELDS, "trigger", "source", "metadata")
DELETED_FIELDS = ("deleted", "collection", "id")
METADATA_FIELDS = ("skill_name", "trigger", "source")


def read_row(line: str, source: str) -> Lesson | Skill | Key:
    """Return the record in a JSON line, or the key of a record that it marks as deleted.

    The record's ID is "" if the line has none.
    """
    row = parse_object(line)
    row = {field: value for field, value in row.items() if value is not None}
    if "deleted" in row:
        return read_deleted(row)
    lift_metadata(row)
    check_fields(row, SKILL_FIELDS if "trigger" in row else LESSON_FIELDS)
    categories = row.pop("categories", [])
    if not isinstance(categories, list) or not all(
        isinstance(category, str) for category in categories
    ):
        raise RefusedError('expected categories such as ["devops/ci-cd"]')
    classified = row.pop("classified", False)
    if not isinstance(classified, bool):
        raise RefusedError("classified must be true or false")
    for field, value in row.items():
        if not isinstance(value, str):
            raise RefusedError(f"{field} is not text: put it in quotes")
    if "id" in row:
        check_id(row["id"])
    if "trigger" in row and not row["trigger"]:
        raise RefusedError("trigger is empty: write what calls the skill, or remove the field")
    named = {"id": "", "text": "", "source_file": source, **row}
    return build_record({**named, "categories": categories, "classified": classified})


def read_deleted(row: dict[str, Any]) -> Key:
    check_fields(row, DELETED_FIELDS)
    collection, identity = row.get("collection"), row.get("id")
    if row["deleted"] is not True or not isinstance(identity, str):
        raise RefusedError(
            'expected a deleted record as export writes it: {"deleted": true, "collection": '
            '"lessons", "id": "..."}'
        )
    if not (kind := KINDS.get(str(collection))):
        raise RefusedError(
            f"expected the collection lessons or skills, got '{shorten(str(collection))}'"
        )
    return COLLECTIONS[kind], check_id(identity)


def lift_metadata(row: dict[str, Any]) -> None:
    """Move the fields of a skill's `metadata` to the row, without overwriting the row's own."""
    metadata = row.pop("metadata", {})
    if not isinstance(metadata, dict):
        raise RefusedError('expected metadata such as {"trigger": "/review-pr"}')
    check_fields(metadata, METADATA_FIELDS)
    for field in ("trigger", "source"):
        if metadata.get(field) is not None and row.get(field, "") == "":
            row[field] = metadata[field]


def parse_object(line: str) -> dict[str, Any]:
    """Return the object in a JSON line; raises RefusedError for any other value."""
    try:
        row = json.loads(line, object_pairs_hook=build_object)
    except (ValueError, RecursionError) as error:
        why = ""
        if isinstance(error, json.JSONDecodeError):
            why = f" ({error.msg}, column {error.colno})"
        raise RefusedError(f"not valid JSON{why}: write one object per line") from None
    if not isinstance(row, dict):
        raise RefusedError('expected a JSON object such as {"text": "..."}')
    return row


def check_fields(fields: Iterable[str], known: Sequence[str]) -> None:
    if unknown := [shorten(field) for field in fields if field not in known]:
        names = ", ".join(f"'{field}'" for field in unknown[:3])
        noun = "field" if len(unknown) == 1 else "fields"
        raise RefusedError(f"unknown {noun} {names}: the fields are {', '.join(known)}")


def build_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise RefusedError("duplicate field: remove one")
    return value
