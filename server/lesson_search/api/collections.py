"""Routes that ingest, list, show, change, remove and restore records."""

from bisect import bisect_right
from collections import Counter
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Header, Query, Response
from pydantic import Field

from hookwright_console.errors import RefusedError
from lesson_search.api.dependencies import ServiceDependency
from lesson_search.api.schemas import (
    MAX_BULK,
    BulkRequest,
    BulkResponse,
    IngestRequest,
    IngestResponse,
    LessonChange,
    ListResponse,
    PageParameters,
    RecategorizeRequest,
    RecordChange,
    Request,
    SkillChange,
)
from lesson_search.files.json_lines import lift_metadata
from lesson_search.records import (
    CollectionName,
    Lesson,
    Skill,
    build_record,
    check_id,
)
from lesson_search.service.edits import CategoryChange, Deletion, IngestResult, build_version
from lesson_search.service.lesson_service import LessonService

router = APIRouter()
IfNoneMatch = Annotated[
    str | None,
    Header(description="* to restore a deleted record; 412 if its id is in use again."),
]
Page = Annotated[PageParameters, Query()]
Named = Annotated[
    str | None,
    Query(
        alias="id",
        description="The id, instead of the one in the path: browsers leave . and .. out of paths.",
    ),
]
IfMatch = Annotated[
    str | None, Header(description="The record's current ETag; 412 if it has changed since.")
]


def read_record(request: IngestRequest) -> Lesson | Skill:
    """Return the lesson or skill in a request, with the ID "" if it has none."""
    row = request.model_dump(exclude_none=True)
    lift_metadata(row)
    return build_record({**row, "id": check_id(row["id"]) if "id" in row else ""})


def build_response(result: IngestResult, status: Literal["upserted", "updated"]) -> IngestResponse:
    if result.change == "refused":
        raise RefusedError(result.reason)
    return IngestResponse(
        id=result.id,
        categories=list(result.categories),
        status=result.change if result.change in {"kept", "left_out"} else status,
        change=result.change,
    )


@router.post("/api/ingest", tags=["change"])
def ingest(
    request: IngestRequest, service: ServiceDependency, if_none_match: IfNoneMatch = None
) -> IngestResponse:
    """Add a lesson or skill, or replace the one with its ID unless that was edited or deleted.

    A record without an ID gets a new one, unless an identical record exists.
    """
    if if_none_match == "*":
        return build_response(service.bring_back(read_record(request)), "upserted")
    forced, restored = ({0} if chosen else set() for chosen in (request.force, request.restore))
    [result] = service.ingest([read_record(request)], forced, restored)
    return build_response(result, "upserted")


@router.post("/api/ingest/bulk", tags=["change"])
def ingest_all(request: BulkRequest, service: ServiceDependency) -> BulkResponse:
    """Add many records; if one is refused, the others are still added."""
    results: dict[int, IngestResult] = {}  # keyed by position in the request
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
    counts = Counter(result.change for result in results.values())
    ingested = counts["added"] + counts["updated"] + counts["unchanged"]
    in_order = [results[number] for number in range(len(request.lessons))]
    return BulkResponse(ingested=ingested, errors=counts["refused"], results=in_order)


@router.post("/api/recategorize", tags=["change"])
def recategorize(
    request: RecategorizeRequest, service: ServiceDependency
) -> dict[str, list[CategoryChange]]:
    """Reclassify records with the current taxonomy; return those whose categories changed."""
    return {"moved": service.recategorize(**request.model_dump())}


async def read_identity(identity: str, named: Named = None) -> str:
    return identity if named is None else named


Identity = Annotated[str, Depends(read_identity)]


def add_routes(
    collection: CollectionName, kind: type[Lesson | Skill], changes: type[RecordChange]
) -> None:
    noun, path = collection[:-1], f"/api/{collection}"
    each = f"{path}/{{identity:path}}"

    @router.get(path, tags=["read"], summary=f"List the {collection}, ordered by id")
    def list_records(page: Page, service: ServiceDependency) -> ListResponse:
        records = service.list_records(collection, page.category, page.project)
        start = bisect_right(records, page.after or "", key=lambda record: record.id)
        listed = records[start : start + page.limit]
        following = listed[-1].id if start + page.limit < len(records) else None
        return ListResponse(records=listed, total=len(records), next=following)

    @router.get(each, tags=["read"], response_model=kind, summary=f"Show a {noun}")
    def get_record(
        identity: Identity, service: ServiceDependency, response: Response
    ) -> Lesson | Skill:
        record = service.get(collection, identity)
        response.headers["ETag"] = f'"{build_version(record)}"'
        return record

    @router.put(each, tags=["change"], summary=f"Change some fields of a {noun}")
    def change_record(
        identity: Identity,
        change: changes,  # type: ignore[valid-type] # a class
        service: ServiceDependency,
        if_match: IfMatch = None,
    ) -> IngestResponse:
        values = change.model_dump(exclude_none=True, exclude={"force"})  # type: ignore[attr-defined]
        if not values:
            raise RefusedError("no changes: send a field and its new value")
        version, force = read_etag(if_match), change.force  # type: ignore[attr-defined]
        result = service.change(collection, identity, version=version, force=force, **values)
        return build_response(result, "updated")

    @router.delete(each, tags=["change"], summary=f"Remove a {noun}")
    def remove_record(
        identity: Identity, service: ServiceDependency, if_match: IfMatch = None
    ) -> dict[str, str]:
        service.remove(collection, identity, read_etag(if_match))
        return {"id": identity, "status": "deleted"}


def read_etag(value: str | None) -> str | None:
    """Return the version in an If-Match header, or None for any version."""
    return None if value in {None, "*"} else str(value).strip().strip('"')


add_routes("lessons", Lesson, LessonChange)
add_routes("skills", Skill, SkillChange)


class DeletedRecord(Request):
    """A deleted record."""

    collection: CollectionName
    id: str


class DeletionsRequest(Request):
    """Deleted records."""

    records: list[DeletedRecord] = Field(max_length=MAX_BULK, fail_fast=True)


@router.get("/api/deletions/recent", tags=["read"])
def list_recent_deletions(service: ServiceDependency) -> dict[str, list[Deletion]]:
    """List up to 200 records deleted since the server started, latest first.

    To restore a record, ingest it with If-None-Match: *.
    """
    return {"deletions": service.list_deletions()}


@router.get("/api/deletions", tags=["read"])
def list_deletions(service: ServiceDependency) -> dict[str, list[DeletedRecord]]:
    """List the deleted records that ingestion does not restore."""
    return show_deletions(service)


@router.post("/api/deletions", tags=["change"])
def note_deletions(
    request: DeletionsRequest, service: ServiceDependency
) -> dict[str, list[DeletedRecord]]:
    """Mark records as deleted unless they exist; return all marked records."""
    service.note_deleted([(record.collection, check_id(record.id)) for record in request.records])
    return show_deletions(service)


def show_deletions(service: LessonService) -> dict[str, list[DeletedRecord]]:
    rows = [
        DeletedRecord(collection=where, id=identity) for where, identity in service.list_deleted()
    ]
    return {"records": rows}
