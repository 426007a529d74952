"""Take in lessons and skills, and sort them anew."""

from typing import TYPE_CHECKING

from fastapi import APIRouter

from hookwright_console.errors import RefusedError
from lesson_search.api.dependencies import ServiceDependency
from lesson_search.api.record_conversion import build_record, build_response
from lesson_search.api.schemas import (
    BulkRequest,
    BulkResponse,
    BulkResult,
    IngestRequest,
    IngestResponse,
    RecategorizedRecord,
    RecategorizeRequest,
    RecategorizeResponse,
)

if TYPE_CHECKING:
    from lesson_search.records import Lesson, Skill

router = APIRouter(tags=["change"])


@router.post("/api/ingest")
def ingest(request: IngestRequest, service: ServiceDependency) -> IngestResponse:
    """Add a lesson, or a skill, or put it in the place of the one with its id."""
    [result] = service.ingest([build_record(request)], {0} if request.force else ())
    return build_response(result, "upserted")


@router.post("/api/ingest/bulk")
def ingest_all(request: BulkRequest, service: ServiceDependency) -> BulkResponse:
    """Add many at once; one that is refused does not stop the others."""
    results: list[BulkResult] = []
    taken: dict[int, Lesson | Skill] = {}  # by their numbers
    for number, item in enumerate(request.lessons):
        results.append(BulkResult(id=item.id or "", categories=[], change="refused", reason=""))
        try:
            taken[number] = build_record(item)
        except RefusedError as refused:
            results[number].reason = str(refused)
    forced = {place for place, number in enumerate(taken) if request.lessons[number].force}
    outcomes = service.ingest(list(taken.values()), forced)
    for number, outcome in zip(taken, outcomes, strict=True):
        results[number] = BulkResult(
            id=outcome.id,
            categories=list(outcome.categories),
            change=outcome.change,
            reason=outcome.why,
        )
    errors = sum(result.change == "refused" for result in results)
    return BulkResponse(ingested=len(results) - errors, errors=errors, results=results)


@router.post("/api/recategorize")
def recategorize(request: RecategorizeRequest, service: ServiceDependency) -> RecategorizeResponse:
    """Sort records anew, by the taxonomy as it is now."""
    moves = service.recategorize(by_hand=request.by_hand, preview=request.preview)
    return RecategorizeResponse(moved=[RecategorizedRecord(**vars(move)) for move in moves])
