"""Inbox routes, which only a single-user server exposes."""

from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from hookwright_console.errors import UnknownNameError
from lesson_search.api.dependencies import InboxDependency
from lesson_search.api.schemas import Request
from lesson_search.capture.inbox import Item, open_inbox, read_inbox

router = APIRouter(tags=["inbox"])


class InboxResponse(BaseModel):
    """The candidates, most frequent first."""

    items: list[Item]


class Decision(Request):
    """Whether to accept similar candidates in future."""

    model_config = ConfigDict(strict=False)
    never: bool = Field(default=False, description="Also drop similar candidates from now on.")


def find_inbox(folder: Path | None) -> Path:
    if folder is None:
        raise UnknownNameError(
            "the inbox is shown only by a server without a token: lesson-search inbox lists it"
        )
    return folder


@router.get("/api/inbox")
def list_inbox(folder: InboxDependency) -> InboxResponse:
    """List the lesson candidates that await a decision."""
    return InboxResponse(items=read_inbox(find_inbox(folder)).items)


@router.delete("/api/inbox/{identity}", status_code=204)
def decide(
    identity: str, decision: Annotated[Decision, Query()], folder: InboxDependency
) -> Response:
    """Remove a candidate that became a lesson or was rejected; it does not return."""
    with open_inbox(find_inbox(folder)) as inbox:
        inbox.decide(inbox.find(identity), never=decision.never)
    return Response(status_code=204)
