"""What becomes of records that are changed."""

from dataclasses import dataclass
from typing import Literal

from hookwright_console.errors import ReportedError
from lesson_search.records import CollectionName


class UnknownRecordError(ReportedError):
    """No record has an id."""


class ChangedRecordError(ReportedError):
    """A record is not the one that was to be changed, or to be added, any more."""


Change = Literal["added", "updated", "unchanged", "kept", "left_out", "refused"]


@dataclass(frozen=True)
class IngestResult:
    """The result for one ingested record.

    Args:
        id: The id of the record.
        categories: Its categories now.
        change: The change that was made: "kept" if it was edited here, "left_out" if it was
            deleted here.
        why: Why it was refused and what to do, or how it conflicts with an edit, or "".

    """

    id: str
    categories: tuple[str, ...]
    change: Change
    why: str = ""


@dataclass(frozen=True)
class CategoryChange:
    """A record whose categories change."""

    collection: CollectionName
    id: str
    before: tuple[str, ...]
    after: tuple[str, ...]
