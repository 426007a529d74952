"""Routes for statistics about lessons, the installed hooks, and the server."""

from collections import Counter
from typing import Annotated, Any

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from hookwright_console.errors import RefusedError
from hookwright_console.text import make_printable
from lesson_search.api.dependencies import ServiceDependency
from lesson_search.api.schemas import HealthResponse, Request
from lesson_search.background.worker_process import call_view, run_aside
from lesson_search.prompts.given_record import GivenRecord
from lesson_search.retrieval.calibrator import Outcome, measure_thresholds
from lesson_search.service.review import Finding

# An overview takes seconds, so only one runs at a time, and waiting requests share its result.
OVERVIEWS = CapacityLimiter(1)

router = APIRouter(tags=["read"])
LESSONS = "lessons"
MAX_GIVEN = 50  # lessons and skills in a list
MAX_CALL = 20_000  # characters
NOT_BLANK = r"^[^\x00]*[^\x00\s][^\x00]*$"

Row = dict[str, Any]

hooks = APIRouter(tags=["hooks"])


@router.get("/api/given")
def list_never_given(service: ServiceDependency) -> Row:
    """Return the lessons never given to agents, if `serve --record` records the given ones."""
    never: list[str] = []
    if service.given_record:
        given = service.given_record.summarize().days
        ids = [record.id for record in service.lessons.list_records()]
        never = [identity for identity in ids if ("lessons", identity) not in given]
    return {
        "recorded": service.given_record is not None,
        "never": never[:MAX_GIVEN],
        "never_count": len(never),
    }


class ReviewResponse(BaseModel):
    """Findings that need a decision, and the IDs of findings that the user kept."""

    findings: list[Finding]
    kept: list[str]


class KeptFinding(Request):
    """A finding that was kept unchanged."""

    id: str = Field(max_length=64)


@router.get("/api/review")
async def list_findings(service: ServiceDependency) -> ReviewResponse:
    """List lessons that need a decision.

    A duplicate is a pair of nearly identical lessons; a recurring lesson was given often, but its
    error kept recurring; an outdated lesson names files or flags that its project does not contain.
    Outdated lessons are only found in projects with sessions on the server's machine.
    """
    found = await run_sync(service.list_findings, limiter=OVERVIEWS)
    return ReviewResponse(findings=found, kept=service.list_kept())


@router.post("/api/review/kept")
def keep_finding(request: KeptFinding, service: ServiceDependency) -> KeptFinding:
    """Keep a finding's lessons unchanged, and hide the finding until they change."""
    service.keep(request.id)
    return request


@router.get("/api/thresholds")
async def list_thresholds(service: ServiceDependency) -> dict[str, list[Outcome]]:
    """List the effect of each threshold on the shipped prompts and lessons, with this embedder."""
    embedder, calibration = service.embedder, service.lessons.calibration
    outcomes = await run_sync(
        measure_thresholds,  # type: ignore[arg-type] # embedders are hashable
        embedder,
        calibration,
        limiter=OVERVIEWS,
    )
    return {"thresholds": outcomes}


@router.get("/api/categories")
def list_categories(service: ServiceDependency) -> dict[str, dict[str, int]]:
    """Count the lessons in or below each category, and those of each project.

    A lesson with two categories counts in both; `first` counts it only in its first one.
    """
    projects = (lesson.project for lesson in service.lessons.list_records())
    return {
        "categories": service.count_categories(),
        "first": service.count_categories(first=True),
        "projects": dict(sorted(Counter(filter(None, projects)).items())),
    }


@router.get("/api/health", response_model=HealthResponse)
def show_health(service: ServiceDependency) -> dict[str, Any]:
    """Show the server's health."""
    return service.read_health()


class TrialRequest(Request):
    """An agent's call to try: a search, a URL or a shell command."""

    query: str | None = Field(
        None, max_length=MAX_CALL, pattern=NOT_BLANK, description="A search, or a URL to fetch."
    )
    command: str | None = Field(
        None, max_length=MAX_CALL, pattern=NOT_BLANK, description="A shell command."
    )


@hooks.get("/api/activity")
async def show_activity(
    service: ServiceDependency, days: Annotated[int, Query(ge=1, le=90)] = 30
) -> Row:
    """Count the calls that hooks redirected or blocked, and the lessons given, by day.

    The kinds of activity are redirects (searches sent to documentation), blocks (calls blocked by a
    route), and lessons (lessons and skills given to agents), with the highest count first. Days
    begin at midnight on this machine, and the last day is today. Projects without record_blocks are
    listed as unrecorded.
    """
    counted: Row = await run_aside(call_view, "count_activity", days)
    if given := service.given_record:  # a large log takes a while to read
        counted["activities"] += await run_sync(list_given, given, counted["first"])
    counted["activities"].sort(key=lambda day: -day["count"])
    return {**counted, "records_lessons": service.given_record is not None}


def list_given(given: GivenRecord, first: str) -> list[Row]:
    """Return how often each lesson or skill was given since a day, such as 2026-11-01.

    All but the 50 most frequently given are combined into one count.
    """
    days = {
        key: Counter({day: number for day, number in each.items() if day >= first})
        for key, each in given.summarize().days.items()
    }
    most = sorted(days, key=lambda day: -days[day].total())
    rows = [(make_printable(key[1]), days[key]) for key in most[:MAX_GIVEN]]
    if most[MAX_GIVEN:]:
        rest = sum((days[key] for key in most[MAX_GIVEN:]), Counter[str]())
        rows.append(("all others", rest))
    return [
        {
            "kind": LESSONS,
            "record": name,
            "count": each.total(),
            "last": max(each, default=""),
            "days": each,
        }
        for name, each in rows
        if each
    ]


@hooks.get("/api/hooks")
async def list_installed() -> dict[str, list[Row]]:
    """List the installed projects by name, and whether each hook is current, stale or missing."""
    return {"projects": await run_aside(call_view, "list_projects")}


@hooks.get("/api/hooks/{project}")
async def list_records(project: str) -> dict[str, list[Row]]:
    """List an installed project's databases and routes, with their triggers and messages."""
    return {"records": await run_aside(call_view, "list_records", project)}


@hooks.post("/api/hooks/{project}/try")
async def try_call(project: str, request: TrialRequest) -> Row:
    """Return how an installed project's hooks would handle a call, without changing anything.

    For each hook that handles the tool: whether it denies the call, warns or allows it, the reason
    shown for a denial, the agent's additional context, and the records that decided this.
    """
    if (request.query is None) == (request.command is None):
        raise RefusedError("pass either a query or a command")
    tried: Row = await run_aside(call_view, "try_call", project, request.query, request.command)
    return tried
