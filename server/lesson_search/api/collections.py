"""List, show, change and remove the records of each collection."""

from bisect import bisect_right
from typing import Annotated

from fastapi import APIRouter, Query

from lesson_search.api.intake import list_changes, show_outcome
from lesson_search.api.messages import (
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
from lesson_search.api.served import Served
from lesson_search.catalogue import Catalogue
from lesson_search.categories import under
from lesson_search.records import Collection

router = APIRouter()
Page = Annotated[PageParameters, Query()]


@router.get("/api/lessons", tags=["read"])
def list_lessons(page: Page, catalogue: Served) -> ListResponse:
    """List the lessons, in the order of their ids."""
    return list_page(catalogue, "lessons", page)


@router.get("/api/skills", tags=["read"])
def list_skills(page: Page, catalogue: Served) -> ListResponse:
    """List the skills, in the order of their ids."""
    return list_page(catalogue, "skills", page)


@router.get("/api/lessons/{identity:path}", tags=["read"], response_model=StoredLesson)
def get_lesson(identity: str, catalogue: Served) -> StoredLesson | StoredSkill:
    """Show a lesson."""
    return show_record(catalogue.get("lessons", identity))


@router.get("/api/skills/{identity:path}", tags=["read"], response_model=StoredSkill)
def get_skill(identity: str, catalogue: Served) -> StoredLesson | StoredSkill:
    """Show a skill."""
    return show_record(catalogue.get("skills", identity))


@router.put("/api/lessons/{identity:path}", tags=["change"])
def change_lesson(identity: str, change: LessonChange, catalogue: Served) -> IngestResponse:
    """Change some fields of a lesson."""
    return change_record(catalogue, "lessons", identity, change)


@router.put("/api/skills/{identity:path}", tags=["change"])
def change_skill(identity: str, change: SkillChange, catalogue: Served) -> IngestResponse:
    """Change some fields of a skill."""
    return change_record(catalogue, "skills", identity, change)


@router.delete("/api/lessons/{identity:path}", tags=["change"])
def remove_lesson(identity: str, catalogue: Served) -> RemovalResponse:
    """Remove a lesson."""
    catalogue.remove("lessons", identity)
    return RemovalResponse(id=identity)


@router.delete("/api/skills/{identity:path}", tags=["change"])
def remove_skill(identity: str, catalogue: Served) -> RemovalResponse:
    """Remove a skill."""
    catalogue.remove("skills", identity)
    return RemovalResponse(id=identity)


def list_page(catalogue: Catalogue, collection: Collection, page: PageParameters) -> ListResponse:
    """Return a page of a collection's records."""
    records = catalogue.choose(collection).list_records()
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
    catalogue: Catalogue, collection: Collection, identity: str, change: LessonChange | SkillChange
) -> IngestResponse:
    """Change some fields of a record."""
    changes = list_changes(change)
    outcome = catalogue.change(collection, identity, force=change.force, **changes)
    return show_outcome(outcome, "updated")
