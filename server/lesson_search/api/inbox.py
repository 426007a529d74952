"""Inbox routes, which only a single-user server exposes."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query, Response

from hookwright_console.errors import UnknownNameError
from lesson_search.api.collections import build_response
from lesson_search.api.dependencies import InboxDependency, ServiceDependency
from lesson_search.api.schemas import IngestResponse, LessonChange
from lesson_search.capture.inbox import Item, open_inbox, read_inbox
from lesson_search.records import check_record

router = APIRouter(tags=["inbox"])


def find_inbox(folder: Path | None) -> Path:
    if folder is None:
        raise UnknownNameError(
            "the inbox is shown only by a server without a token: lesson-search inbox lists it"
        )
    return folder


@router.get("/api/inbox")
def list_inbox(folder: InboxDependency) -> dict[str, list[Item]]:
    """List the lesson candidates that await a decision, most frequent first."""
    return {"items": read_inbox(find_inbox(folder)).items}


@router.post("/api/inbox/{identity}")
def approve(
    identity: str, change: LessonChange, folder: InboxDependency, service: ServiceDependency
) -> IngestResponse:
    """Add a candidate's lesson, with the requested changes, and remove the candidate."""
    values = change.model_dump(exclude_none=True, exclude={"force"})
    with open_inbox(find_inbox(folder)) as inbox:  # locked, so that it is added only once
        item = inbox.find(identity)
        lesson = check_record(replace(item.lesson, **values))
        [result] = service.ingest([lesson], {0} if change.force else ())
        response = build_response(result, "upserted")
        inbox.decide(item)
    return response


@router.post("/api/inbox/{identity}/undo", status_code=204)
def undo(identity: str, folder: InboxDependency) -> Response:
    """Restore a recently removed candidate; a lesson added from it is kept."""
    with open_inbox(find_inbox(folder)) as inbox:
        inbox.undo(identity)
    return Response(status_code=204)


@router.delete("/api/inbox/{identity}", status_code=204)
def decide(
    identity: str, folder: InboxDependency, *, never: Annotated[bool, Query()] = False
) -> Response:
    """Remove a candidate, so that it is not proposed again; with `never`, nor similar ones."""
    with open_inbox(find_inbox(folder)) as inbox:
        inbox.decide(inbox.find(identity), never=never)
    return Response(status_code=204)
