"""Routes to list, show, change and remove records."""

from bisect import bisect_right
from typing import Annotated

from fastapi import APIRouter, Query

from lesson_search.api.dependencies import ServiceDependency
from lesson_search.api.record_conversion import build_response, list_changes
from lesson_search.api.schemas import (
    IngestResponse,
    LessonChange,
    ListResponse,
    PageParameters,
    RemovalResponse,
    SkillChange,
    StoredLesson,
    StoredSkill,
    show_record,
)
from lesson_search.lesson_service import LessonService
from lesson_search.records import CollectionName
from lesson_search.taxonomy.categories import under

router = APIRouter()
Page = Annotated[PageParameters, Query()]


@router.get("/api/lessons", tags=["read"])
def list_lessons(page: Page, service: ServiceDependency) -> ListResponse:
    """List the lessons, ordered by id."""
    return list_page(service, "lessons", page)


@router.get("/api/skills", tags=["read"])
def list_skills(page: Page, service: ServiceDependency) -> ListResponse:
    """List the skills, ordered by id."""
    return list_page(service, "skills", page)


@router.get("/api/lessons/{identity:path}", tags=["read"], response_model=StoredLesson)
def get_lesson(identity: str, service: ServiceDependency) -> StoredLesson | StoredSkill:
    """Show a lesson."""
    return show_record(service.get("lessons", identity))


@router.get("/api/skills/{identity:path}", tags=["read"], response_model=StoredSkill)
def get_skill(identity: str, service: ServiceDependency) -> StoredLesson | StoredSkill:
    """Show a skill."""
    return show_record(service.get("skills", identity))


@router.put("/api/lessons/{identity:path}", tags=["change"])
def change_lesson(
    identity: str, change: LessonChange, service: ServiceDependency
) -> IngestResponse:
    """Change some fields of a lesson."""
    return change_record(service, "lessons", identity, change)


@router.put("/api/skills/{identity:path}", tags=["change"])
def change_skill(identity: str, change: SkillChange, service: ServiceDependency) -> IngestResponse:
    """Change some fields of a skill."""
    return change_record(service, "skills", identity, change)


@router.delete("/api/lessons/{identity:path}", tags=["change"])
def remove_lesson(identity: str, service: ServiceDependency) -> RemovalResponse:
    """Remove a lesson."""
    service.remove("lessons", identity)
    return RemovalResponse(id=identity)


@router.delete("/api/skills/{identity:path}", tags=["change"])
def remove_skill(identity: str, service: ServiceDependency) -> RemovalResponse:
    """Remove a skill."""
    service.remove("skills", identity)
    return RemovalResponse(id=identity)


def list_page(
    service: LessonService, collection: CollectionName, page: PageParameters
) -> ListResponse:
    """Return a page of a collection's records."""
    records = service.get_collection(collection).list_records()
    if page.category:
        records = [one for one in records if any(under(c, [page.category]) for c in one.categories)]
    start = bisect_right([record.id for record in records], page.after or "")
    listed = records[start : start + page.limit]
    more = start + page.limit < len(records)
    return ListResponse(
        records=[show_record(record) for record in listed],
        total=len(records),
        next=listed[-1].id if more else None,
    )


def change_record(
    service: LessonService,
    collection: CollectionName,
    identity: str,
    change: LessonChange | SkillChange,
) -> IngestResponse:
    """Change some fields of a record."""
    changes = list_changes(change)
    result = service.change(collection, identity, force=change.force, **changes)
    return build_response(result, "updated")
