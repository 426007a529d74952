"""Routes for the hooks that are installed on the server's machine, and what they did there."""

from collections import Counter
from typing import Annotated

from anyio.to_thread import run_sync
from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from hookwright_console.errors import RefusedError
from hookwright_console.text import make_printable
from lesson_search.api.dependencies import ServiceDependency
from lesson_search.api.schemas import Request
from lesson_search.background.worker_process import call_view, run_aside
from lesson_search.prompts.given import Summary

LESSONS = "lessons"
MAX_GIVEN = 50  # lessons and skills
MAX_CALL = 20_000  # characters
NOT_BLANK = r"^[^\x00]*[^\x00\s][^\x00]*$"

router = APIRouter(tags=["hooks"])


class ActivityParameters(Request):
    """How many days to count."""

    model_config = ConfigDict(strict=False)
    days: int = Field(30, ge=1, le=90)


class Activity(BaseModel):
    """What a record did.

    Its kind is redirects for searches that were sent to documentation, blocks for calls that a
    route blocked, and lessons for lessons and skills that agents were given.
    """

    kind: str
    record: str
    count: int
    last: str = Field(description="The time of the last, or an empty text.")
    days: dict[str, int] = Field(description="How many there were on each day that has some.")


class ActivityResponse(BaseModel):
    """What the hooks did on the server's machine, and what is not recorded."""

    first: str = Field(description="The first day; days begin at midnight on this machine.")
    last: str = Field(description="The last day: today.")
    activities: list[Activity] = Field(description="Most frequent first.")
    unrecorded: list[str] = Field(description="The projects without record_blocks.")
    records_lessons: bool = Field(description="Whether the server records what it gives.")
    projects: int = Field(description="How many projects are installed.")


class HookRow(BaseModel):
    """An installed hook."""

    client: str
    hook: str
    scope: str
    state: str = Field(description="current, stale or missing.")


class ProjectRow(BaseModel):
    """An installed project."""

    project: str
    folder: str = Field(description="What it was installed from, or an empty text.")
    current: bool
    error: str = Field(description="Why it cannot be read, or an empty text.")
    hooks: list[HookRow]


class ProjectsResponse(BaseModel):
    """The installed projects, by name."""

    projects: list[ProjectRow]


class RecordRow(BaseModel):
    """A database or a route of a project."""

    kind: str = Field(description="database or route.")
    name: str
    when: str = Field(description="Its keywords, or its tool and pattern.")
    told: str = Field(description="Where it sends to, or what the agent is told.")
    disabled: bool


class RecordsResponse(BaseModel):
    """The databases and routes of a project."""

    records: list[RecordRow]


class TrialRequest(Request):
    """A call of an agent to try: one of the two."""

    query: str | None = Field(
        None, max_length=MAX_CALL, pattern=NOT_BLANK, description="A search, or a URL to fetch."
    )
    command: str | None = Field(
        None, max_length=MAX_CALL, pattern=NOT_BLANK, description="A shell command."
    )


class HookTrial(BaseModel):
    """What a hook does with a call, and what the agent gets."""

    hook: str
    does: str = Field(description="deny, warn or allow.")
    reason: str = Field(description="What a denied call fails with, word for word.")
    context: str = Field(description="What the agent gets besides, word for word.")
    why: list[str] = Field(description="The records that decided.")


class TrialResponse(BaseModel):
    """What the hooks of a project that handle a call do with it."""

    tool: str = Field(description="The tool that is called.")
    hooks: list[HookTrial] = Field(description="None where no hook handles the tool.")


@router.get("/api/activity")
async def show_activity(
    parameters: Annotated[ActivityParameters, Query()], service: ServiceDependency
) -> ActivityResponse:
    """Count what the hooks redirected and blocked each day, and which lessons were given."""
    counted = await run_aside(call_view, "count_activity", parameters.days)
    activities = [Activity(**one) for one in counted.pop("activities")]
    if given := service.given:  # a full record takes a while to read
        activities += await run_sync(lambda: list_given(given.summarize(), counted["first"]))
    activities.sort(key=lambda one: -one.count)
    records_lessons = service.given is not None
    return ActivityResponse(**counted, activities=activities, records_lessons=records_lessons)


def list_given(summary: Summary, first: str) -> list[Activity]:
    """Return how often each lesson or skill was given since a day, such as 2026-11-01.

    Those beyond the 50 given most are counted as one.
    """
    days = {
        one: Counter({day: number for day, number in each.items() if day >= first})
        for one, each in summary.each.items()
    }
    most = sorted(days, key=lambda one: -days[one].total())
    rows = [(make_printable(one[1]), days[one]) for one in most[:MAX_GIVEN]]
    if most[MAX_GIVEN:]:
        rest = sum((days[one] for one in most[MAX_GIVEN:]), Counter[str]())
        rows.append(("all others", rest))
    return [
        Activity(
            kind=LESSONS, record=name, count=each.total(), last=max(each, default=""), days=each
        )
        for name, each in rows
        if each
    ]


@router.get("/api/hooks")
async def list_installed() -> ProjectsResponse:
    """List the installed projects."""
    return ProjectsResponse(projects=await run_aside(call_view, "list_projects"))


@router.get("/api/hooks/{project}")
async def list_records(project: str) -> RecordsResponse:
    """List the databases and routes of an installed project."""
    return RecordsResponse(records=await run_aside(call_view, "list_records", project))


@router.post("/api/hooks/{project}/try")
async def try_call(project: str, request: TrialRequest) -> TrialResponse:
    """Tell what the hooks of an installed project do with a call, which changes nothing."""
    if (request.query is None) == (request.command is None):
        raise RefusedError("give a query or a command, and not both")
    tried = await run_aside(call_view, "try_call", project, request.query, request.command)
    return TrialResponse(**tried)
