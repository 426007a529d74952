"""Routes to list, show, change and remove records."""

from bisect import bisect_right
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query, Response

from hookwright_console.errors import RefusedError
from lesson_search.api.dependencies import ServiceDependency
from lesson_search.api.record_conversion import build_response, show_record
from lesson_search.api.schemas import (
    IngestResponse,
    LessonChange,
    ListResponse,
    PageParameters,
    RecordChange,
    RemovalResponse,
    SkillChange,
)
from lesson_search.records import CollectionName, Lesson, Skill
from lesson_search.service.edits import build_version

router = APIRouter()
Page = Annotated[PageParameters, Query()]
Named = Annotated[
    str | None,
    Query(
        alias="id",
        description="The id, instead of the one in the path: browsers leave . and .. out of paths.",
    ),
]
IfMatch = Annotated[
    str | None, Header(description="The ETag that a record was shown with; otherwise 412.")
]


async def read_identity(identity: str, named: Named = None) -> str:
    return identity if named is None else named


Identity = Annotated[str, Depends(read_identity)]


def add_routes(
    collection: CollectionName, kind: type[Lesson | Skill], changes: type[RecordChange]
) -> None:
    one, path = collection[:-1], f"/api/{collection}"
    each = f"{path}/{{identity:path}}"

    @router.get(path, tags=["read"], summary=f"List the {collection}, ordered by id")
    def list_records(page: Page, service: ServiceDependency) -> ListResponse:
        records = service.list_records(collection, page.category)
        start = bisect_right(records, page.after or "", key=lambda record: record.id)
        listed = records[start : start + page.limit]
        more = start + page.limit < len(records)
        return ListResponse(
            records=list(map(show_record, listed)),
            total=len(records),
            next=listed[-1].id if more else None,
        )

    @router.get(each, tags=["read"], response_model=kind, summary=f"Show a {one}")
    def get_record(
        identity: Identity, service: ServiceDependency, response: Response
    ) -> Lesson | Skill:
        record = service.get(collection, identity)
        response.headers["ETag"] = f'"{build_version(record)}"'
        return show_record(record)

    @router.put(each, tags=["change"], summary=f"Change some fields of a {one}")
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

    @router.delete(each, tags=["change"], summary=f"Remove a {one}")
    def remove_record(
        identity: Identity, service: ServiceDependency, if_match: IfMatch = None
    ) -> RemovalResponse:
        service.remove(collection, identity, read_etag(if_match))
        return RemovalResponse(id=identity)


def read_etag(value: str | None) -> str | None:
    """Return the version in an If-Match header, or None for any version."""
    return None if value in {None, "*"} else str(value).strip().strip('"')


add_routes("lessons", Lesson, LessonChange)
add_routes("skills", Skill, SkillChange)
