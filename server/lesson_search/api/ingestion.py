"""Routes to ingest lessons and skills, and to classify them again."""

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Header

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
IfNoneMatch = Annotated[
    str | None,
    Header(description="* to bring back what was deleted; 412 if one has its id again."),
]


@router.post("/api/ingest")
def ingest(
    request: IngestRequest, service: ServiceDependency, if_none_match: IfNoneMatch = None
) -> IngestResponse:
    """Add a lesson or skill; it replaces the one with its id, unless that was edited or deleted."""
    if if_none_match == "*":
        return build_response(service.bring_back(build_record(request)), "upserted")
    forced, restored = ({0} if chosen else set() for chosen in (request.force, request.restore))
    [result] = service.ingest([build_record(request)], forced, restored)
    return build_response(result, "upserted")


@router.post("/api/ingest/bulk")
def ingest_all(request: BulkRequest, service: ServiceDependency) -> BulkResponse:
    """Add many records; if one is refused, the others are still added."""
    results: list[BulkResult] = []
    accepted: dict[int, Lesson | Skill] = {}  # by position in the request
    for number, item in enumerate(request.lessons):
        results.append(BulkResult(id=item.id or "", categories=[], change="refused", reason=""))
        try:
            accepted[number] = build_record(item)
        except RefusedError as refused:
            results[number].reason = str(refused)
    forced = {place for place, number in enumerate(accepted) if request.lessons[number].force}
    restored = {place for place, number in enumerate(accepted) if request.lessons[number].restore}
    results_in_order = service.ingest(list(accepted.values()), forced, restored)
    for number, result in zip(accepted, results_in_order, strict=True):
        results[number] = BulkResult(
            id=result.id,
            categories=list(result.categories),
            change=result.change,
            reason=result.why,
        )
    errors = sum(one.change == "refused" for one in results)
    ingested = sum(one.change in {"added", "updated", "unchanged"} for one in results)
    return BulkResponse(ingested=ingested, errors=errors, results=results)


@router.post("/api/recategorize")
def recategorize(request: RecategorizeRequest, service: ServiceDependency) -> RecategorizeResponse:
    """Classify records again by the current taxonomy."""
    moves = service.recategorize(by_hand=request.by_hand, preview=request.preview)
    return RecategorizeResponse(moved=[RecategorizedRecord(**vars(move)) for move in moves])
