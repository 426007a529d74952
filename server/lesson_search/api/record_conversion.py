"""Convert requests to records, and results to responses."""

from dataclasses import replace
from typing import Literal
from uuid import uuid4

from hookwright_console.errors import RefusedError
from lesson_search.api.schemas import IngestRequest, IngestResponse
from lesson_search.files.json_lines import lift_metadata
from lesson_search.records import UNKNOWN, Either, Lesson, Skill
from lesson_search.service.edits import IngestResult
from lesson_search.validation import build_record, check_id


def read_record(request: IngestRequest) -> Lesson | Skill:
    """Return the lesson or skill in a request, with a new id if it has none."""
    row = request.model_dump(exclude_none=True)
    lift_metadata(row)
    return build_record({**row, "id": check_id(row.get("id", str(uuid4())))})


def build_response(result: IngestResult, status: Literal["upserted", "updated"]) -> IngestResponse:
    if result.change == "refused":
        raise RefusedError(result.reason)
    return IngestResponse(
        id=result.id,
        categories=list(result.categories),
        status=result.change if result.change in {"kept", "left_out"} else status,
        change=result.change,
    )


def show_record(record: Either) -> Either:
    return replace(record, ingested=record.ingested or UNKNOWN)
