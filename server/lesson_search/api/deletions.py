"""Routes for deleted records: their ids, which export and import carry over, and the latest."""

from fastapi import APIRouter
from pydantic import BaseModel, Field

from lesson_search.api.dependencies import ServiceDependency
from lesson_search.api.record_conversion import show_record
from lesson_search.api.schemas import (
    MAX_BULK,
    Request,
)
from lesson_search.records import CollectionName, Lesson, Skill
from lesson_search.service.lesson_service import LessonService
from lesson_search.validation import check_id

router = APIRouter()


class DeletedRecord(Request):
    """A deleted record."""

    collection: CollectionName
    id: str


class DeletionsRequest(Request):
    """Deleted records."""

    records: list[DeletedRecord] = Field(max_length=MAX_BULK, fail_fast=True)


class DeletionsResponse(BaseModel):
    """The deleted records that ingesting does not bring back."""

    records: list[DeletedRecord]


class RecentDeletion(BaseModel):
    """A deleted record as it was."""

    collection: CollectionName
    deleted_at: str = Field(description="In ISO 8601 in UTC.")
    record: Lesson | Skill


class RecentDeletionsResponse(BaseModel):
    """The records deleted since the server started, latest first, at most 200."""

    deletions: list[RecentDeletion]


@router.get("/api/deletions/recent", tags=["read"])
def list_recent_deletions(service: ServiceDependency) -> RecentDeletionsResponse:
    """List what was deleted lately; a record comes back by ingesting it with If-None-Match: *."""
    return RecentDeletionsResponse(
        deletions=[
            RecentDeletion(
                collection=one.collection, deleted_at=one.time, record=show_record(one.record)
            )
            for one in service.recent_deletions.list_latest()
            if service.get_collection(one.collection).get(one.record.id) is None
        ]
    )


@router.get("/api/deletions", tags=["read"])
def list_deletions(service: ServiceDependency) -> DeletionsResponse:
    """List the deleted records that ingesting does not bring back."""
    return build_response(service)


@router.post("/api/deletions", tags=["change"])
def note_deletions(request: DeletionsRequest, service: ServiceDependency) -> DeletionsResponse:
    """Note records as deleted, except those that exist; return all that are."""
    service.note_deleted([(one.collection, check_id(one.id)) for one in request.records])
    return build_response(service)


def build_response(service: LessonService) -> DeletionsResponse:
    rows = [DeletedRecord(collection=where, id=one) for where, one in service.list_deleted()]
    return DeletionsResponse(records=rows)
