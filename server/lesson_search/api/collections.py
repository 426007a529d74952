"""Routes to list, show, change and remove records."""

from bisect import bisect_right
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query, Response

from lesson_search.api.dependencies import ServiceDependency
from lesson_search.api.record_conversion import build_response, build_stored, list_changes
from lesson_search.api.schemas import (
    IngestResponse,
    LessonChange,
    ListResponse,
    PageParameters,
    RemovalResponse,
    SkillChange,
    StoredLesson,
    StoredSkill,
)
from lesson_search.records import CollectionName
from lesson_search.service.edits import build_version
from lesson_search.service.lesson_service import LessonService
from lesson_search.taxonomy.categories import under

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
    """Return the id of the record that a request is about."""
    return identity if named is None else named


Identity = Annotated[str, Depends(read_identity)]


@router.get("/api/lessons", tags=["read"])
def list_lessons(page: Page, service: ServiceDependency) -> ListResponse:
    """List the lessons, ordered by id."""
    return list_page(service, "lessons", page)


@router.get("/api/skills", tags=["read"])
def list_skills(page: Page, service: ServiceDependency) -> ListResponse:
    """List the skills, ordered by id."""
    return list_page(service, "skills", page)


@router.get("/api/lessons/{identity:path}", tags=["read"], response_model=StoredLesson)
def get_lesson(
    identity: Identity, service: ServiceDependency, response: Response
) -> StoredLesson | StoredSkill:
    """Show a lesson."""
    return show_one(service, "lessons", identity, response)


@router.get("/api/skills/{identity:path}", tags=["read"], response_model=StoredSkill)
def get_skill(
    identity: Identity, service: ServiceDependency, response: Response
) -> StoredLesson | StoredSkill:
    """Show a skill."""
    return show_one(service, "skills", identity, response)


@router.put("/api/lessons/{identity:path}", tags=["change"])
def change_lesson(
    identity: Identity, change: LessonChange, service: ServiceDependency, if_match: IfMatch = None
) -> IngestResponse:
    """Change some fields of a lesson."""
    return change_record(service, "lessons", identity, change, if_match)


@router.put("/api/skills/{identity:path}", tags=["change"])
def change_skill(
    identity: Identity, change: SkillChange, service: ServiceDependency, if_match: IfMatch = None
) -> IngestResponse:
    """Change some fields of a skill."""
    return change_record(service, "skills", identity, change, if_match)


@router.delete("/api/lessons/{identity:path}", tags=["change"])
def remove_lesson(
    identity: Identity, service: ServiceDependency, if_match: IfMatch = None
) -> RemovalResponse:
    """Remove a lesson."""
    service.remove("lessons", identity, read_etag(if_match))
    return RemovalResponse(id=identity)


@router.delete("/api/skills/{identity:path}", tags=["change"])
def remove_skill(
    identity: Identity, service: ServiceDependency, if_match: IfMatch = None
) -> RemovalResponse:
    """Remove a skill."""
    service.remove("skills", identity, read_etag(if_match))
    return RemovalResponse(id=identity)


def show_one(
    service: LessonService, collection: CollectionName, identity: str, response: Response
) -> StoredLesson | StoredSkill:
    record = service.get(collection, identity)
    response.headers["ETag"] = f'"{build_version(record)}"'
    return build_stored(record)


def read_etag(value: str | None) -> str | None:
    """Return the version in an If-Match header, or None for any version."""
    return None if value in {None, "*"} else str(value).strip().strip('"')


def list_page(
    service: LessonService, collection: CollectionName, page: PageParameters
) -> ListResponse:
    records = service.get_collection(collection).list_records()
    if page.category:
        records = [one for one in records if any(under(c, [page.category]) for c in one.categories)]
    start = bisect_right(records, page.after or "", key=lambda record: record.id)
    listed = records[start : start + page.limit]
    more = start + page.limit < len(records)
    return ListResponse(
        records=[build_stored(record) for record in listed],
        total=len(records),
        next=listed[-1].id if more else None,
    )


def change_record(
    service: LessonService,
    collection: CollectionName,
    identity: str,
    change: LessonChange | SkillChange,
    if_match: str | None,
) -> IngestResponse:
    """Change some fields of a record."""
    changes = list_changes(change)
    version = read_etag(if_match)
    result = service.change(collection, identity, version=version, force=change.force, **changes)
    return build_response(result, "updated")
