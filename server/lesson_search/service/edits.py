"""Change records, and preserve edits made here when their file is ingested again.

A record keeps the fingerprint of its ingested version. Differences from that version are edits made
here, which survive ingesting the same files again.
"""

import hashlib
import json
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import Literal

from hookwright_console.errors import ReportedError
from lesson_search.records import UNKNOWN, CollectionName, Lesson, Skill, find_source


class UnknownRecordError(ReportedError):
    """No record has this ID."""


class ChangedRecordError(ReportedError):
    """A record has changed since it was read, or already exists."""


Change = Literal["added", "updated", "unchanged", "kept", "left_out", "refused"]


@dataclass(frozen=True)
class IngestResult:
    """The result of ingesting a record."""

    id: str
    categories: tuple[str, ...]
    # the change: "kept" if the record was edited here, "left_out" if it was deleted here
    change: Change
    reason: str = ""  # the reason for a refusal and what to do, or the conflict with an edit, or ""


@dataclass(frozen=True)
class CategoryChange:
    """A record with changed categories."""

    collection: CollectionName
    id: str
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True)
class Deletion:
    """A deleted record with its last contents."""

    collection: CollectionName
    deleted_at: str  # in ISO 8601 in UTC
    record: Lesson | Skill


def format_now() -> str:
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def build_fingerprint(record: Lesson | Skill, before: Lesson | Skill | None = None) -> str:
    """Return a record's fingerprint: a hash of its texts and of manually chosen categories.

    Without categories, the record keeps those of the previous record.
    """
    categories = digest_categories(record)
    if before and not has_categories(record):
        _, _, categories = before.ingested.partition("/")
    return hash_texts(list_texts(record)) + (f"/{categories}" if categories else "")


def is_same(stored: Lesson | Skill, incoming: Lesson | Skill) -> bool:
    """Return whether a stored record makes an incoming one redundant."""
    if isinstance(stored, Lesson) and isinstance(incoming, Lesson):
        return stored.text == incoming.text and stored.project in {"", incoming.project}
    return list_texts(stored) == list_texts(incoming)


def has_ingestion(record: Lesson | Skill) -> bool:
    return record.ingested not in {"", UNKNOWN}


def is_edited(stored: Lesson | Skill, incoming: Lesson | Skill) -> bool:
    """Return whether ingesting a record would undo an edit of the stored one.

    If the ingested version is unknown, any difference counts.
    """
    other_categories = has_categories(incoming) and set(incoming.categories) != set(
        stored.categories
    )
    if not has_ingestion(stored):
        by_hand = bool(digest_categories(stored))
        return stored.text != incoming.text or (by_hand and other_categories)
    texts, _, categories = stored.ingested.partition("/")
    other_texts = list_texts(stored) != list_texts(incoming)
    return (other_texts and hash_texts(list_texts(stored)) != texts) or (
        other_categories and digest_categories(stored) != categories
    )


def explain_conflict(stored: Lesson | Skill, incoming: Lesson | Skill) -> str:
    """Return how an edited record conflicts with the one to ingest, or "" if only one changed."""
    if not has_ingestion(stored):
        return "the stored record differs, and may have been edited"
    if build_fingerprint(incoming, stored) != stored.ingested:
        return "the stored record was edited, and this one was changed or moved"
    return ""


def has_categories(record: Lesson | Skill) -> bool:
    """Return whether a record has categories, or was classified but matched none."""
    return bool(record.categories or record.classified)


def list_texts(record: Lesson | Skill) -> list[str]:
    trigger = [] if isinstance(record, Lesson) else [record.trigger]
    return [record.text, *trigger, find_source(record)]


def digest_categories(record: Lesson | Skill) -> str:
    by_hand = () if record.classified else record.categories
    return hash_texts(sorted(by_hand)) if by_hand else ""


def build_version(record: Lesson | Skill) -> str:
    """Return a hash of a record's non-empty fields, so that new empty fields do not change it."""
    fields = {name: value for name, value in vars(record).items() if value and value != UNKNOWN}
    return hash_texts([type(record).__name__, *(f"{name}={fields[name]}" for name in fields)])


def hash_texts(texts: list[str]) -> str:
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:32]


def carry_over(record: Lesson | Skill, before: Lesson | Skill | None) -> Lesson | Skill:
    """Return an incoming record with its fingerprint, and with what the stored one adds to it.

    These are the original ingestion time, the project, and categories unless it is classified anew.
    """
    record = replace(record, ingested=record.ingested or build_fingerprint(record, before))
    if isinstance(record, Lesson):
        known = before if isinstance(before, Lesson) else record
        created_at = record.created_at or known.created_at or format_now()
        record = replace(record, created_at=created_at, project=record.project or known.project)
    if before and not has_categories(record):
        by_hand = before.categories and not before.classified
        if by_hand or before.text == record.text:
            return replace(record, categories=before.categories, classified=before.classified)
    return record
