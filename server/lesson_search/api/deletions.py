"""Routes for the ids of deleted records, which export and import carry over."""

from fastapi import APIRouter
from pydantic import BaseModel, Field

from lesson_search.api.dependencies import ServiceDependency
from lesson_search.api.schemas import LARGEST_BULK, Request
from lesson_search.lesson_service import LessonService
from lesson_search.records import CollectionName
from lesson_search.validation import check_id

router = APIRouter()


class DeletedRecord(Request):
    """A deleted record."""

    collection: CollectionName
    id: str


class DeletionsRequest(Request):
    """Deleted records."""

    records: list[DeletedRecord] = Field(max_length=LARGEST_BULK, fail_fast=True)


class DeletionsResponse(BaseModel):
    """The deleted records that ingesting does not bring back."""

    records: list[DeletedRecord]


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
    """Return the response with all deleted records."""
    rows = [DeletedRecord(collection=where, id=one) for where, one in service.list_deleted()]
    return DeletionsResponse(records=rows)
