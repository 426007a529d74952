"""Routes to ingest lessons and skills, and to classify them again."""

from dataclasses import replace
from typing import Annotated, Literal
from uuid import uuid4

from fastapi import APIRouter, Header

from hookwright_console.errors import RefusedError
from lesson_search.api.dependencies import ServiceDependency
from lesson_search.api.schemas import (
    BulkRequest,
    BulkResponse,
    IngestRequest,
    IngestResponse,
    RecategorizeRequest,
)
from lesson_search.files.json_lines import lift_metadata
from lesson_search.records import UNKNOWN, Either, Lesson, Skill
from lesson_search.service.edits import CategoryChange, IngestResult
from lesson_search.validation import build_record, check_id

router = APIRouter(tags=["change"])
IfNoneMatch = Annotated[
    str | None,
    Header(description="* to bring back what was deleted; 412 if one has its id again."),
]


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


@router.post("/api/ingest")
def ingest(
    request: IngestRequest, service: ServiceDependency, if_none_match: IfNoneMatch = None
) -> IngestResponse:
    """Add a lesson or skill; it replaces the one with its id, unless that was edited or deleted."""
    if if_none_match == "*":
        return build_response(service.bring_back(read_record(request)), "upserted")
    forced, restored = ({0} if chosen else set() for chosen in (request.force, request.restore))
    [result] = service.ingest([read_record(request)], forced, restored)
    return build_response(result, "upserted")


@router.post("/api/ingest/bulk")
def ingest_all(request: BulkRequest, service: ServiceDependency) -> BulkResponse:
    """Add many records; if one is refused, the others are still added."""
    results: dict[int, IngestResult] = {}  # by position in the request
    accepted: dict[int, Lesson | Skill] = {}
    for number, item in enumerate(request.lessons):
        try:
            accepted[number] = read_record(item)
        except RefusedError as refused:  # noqa: PERF203 - one refusal does not stop the others
            results[number] = IngestResult(item.id or "", (), "refused", str(refused))
    forced = {place for place, number in enumerate(accepted) if request.lessons[number].force}
    restored = {place for place, number in enumerate(accepted) if request.lessons[number].restore}
    saved = service.ingest(list(accepted.values()), forced, restored)
    results |= dict(zip(accepted, saved, strict=True))
    errors = sum(one.change == "refused" for one in results.values())
    ingested = sum(one.change in {"added", "updated", "unchanged"} for one in results.values())
    in_order = [results[number] for number in range(len(request.lessons))]
    return BulkResponse(ingested=ingested, errors=errors, results=in_order)


@router.post("/api/recategorize")
def recategorize(
    request: RecategorizeRequest, service: ServiceDependency
) -> dict[str, list[CategoryChange]]:
    """Classify records again by the current taxonomy; return those whose categories change."""
    return {"moved": service.recategorize(**request.model_dump())}
