"""Routes for the hooks that are installed on the server's machine, and what they did there."""

from collections import Counter
from datetime import date, timedelta
from typing import Annotated, Any

from anyio.to_thread import run_sync
from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from hookwright_console.errors import RefusedError
from hookwright_console.hidden_characters import escape_hidden
from hookwright_console.text import make_printable, shorten
from lesson_search import hookwright_command
from lesson_search.api.dependencies import ServiceDependency
from lesson_search.api.schemas import Request
from lesson_search.prompts.given_record import Summary

HOOKS = {"docsearch": "redirects", "tool_routing": "blocks"}
LESSONS = "lessons"
MAX_GIVEN = 50  # lessons and skills
MAX_CALL = 20_000  # characters
NOT_BLANK = r"^[^\x00]*[^\x00\s][^\x00]*$"

router = APIRouter(tags=["hooks"])


class UnknownProjectError(RefusedError):
    """No project of this name is installed."""


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
    report = await hookwright_command.ask(
        "stats", "--all", "--json", "--days", str(parameters.days)
    )
    until = date.fromisoformat(report["until"])
    activities = [read_activity(row, until) for row in report["records"]]
    first = (until - timedelta(parameters.days - 1)).isoformat()
    if given := service.given:  # a full record takes a while to read
        activities += await run_sync(lambda: list_given(given.summarize(), first))
    projects = report["projects"]
    return ActivityResponse(
        first=first,
        last=until.isoformat(),
        activities=sorted(activities, key=lambda one: -one.count),
        unrecorded=[
            make_printable(one["project"]) for one in projects if not one["records_blocks"]
        ],
        records_lessons=service.given is not None,
        projects=len(projects),
    )


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


def read_activity(row: dict[str, Any], until: date) -> Activity:
    """Return what a record did, as the command line counts it."""
    latest_first = enumerate(reversed(row["per_day"]))
    days = {(until - timedelta(ago)).isoformat(): number for ago, number in latest_first if number}
    return Activity(
        kind=HOOKS.get(row["hook"], "blocks"),
        record=make_printable(row["record"]),
        count=row["blocks"],
        last=row["last"] or "",
        days=days,
    )


@router.get("/api/hooks")
async def list_installed() -> ProjectsResponse:
    """List the installed projects."""
    return ProjectsResponse(
        projects=[
            ProjectRow(
                project=row["project"],
                folder=make_printable(row["folder"] or ""),
                current=row["current"],
                error=make_printable(row["error"]),
                hooks=[HookRow(**one) for one in row["hooks"]],
            )
            for row in await ask_projects()
        ]
    )


async def ask_projects() -> list[dict[str, Any]]:
    """Return the installed projects; raises ReportedError."""
    answer = await hookwright_command.ask("status", "--all", "--json", codes=(0, 1))
    rows: list[dict[str, Any]] = answer["projects"]
    return rows


async def find_folder(project: str) -> str:
    """Return the folder of an installed project; raises UnknownProjectError."""
    for row in await ask_projects():
        if row["project"] == project and row["folder"]:
            return str(row["folder"])
    raise UnknownProjectError(f"no installed project '{shorten(project)}' whose folder is known")


@router.get("/api/hooks/{project}")
async def list_records(project: str) -> RecordsResponse:
    """List the databases and routes of an installed project."""
    folder = await find_folder(project)
    found = await hookwright_command.ask("list", "--json", "--project", folder)
    databases = [read_database(row) for row in found["databases"]]
    routes = [read_route(name, row) for name, row in found["routes"].items()]
    return RecordsResponse(records=[*databases, *routes])


def read_database(row: dict[str, Any]) -> RecordRow:
    """Return a database of a project."""
    return RecordRow(
        kind="database",
        name=escape_hidden(row.get("name") or row["description"]),
        when=escape_hidden(", ".join(row["keywords"])),
        told=escape_hidden(row["mcp_tool_name"]),
        disabled=bool(row.get("disabled")),
    )


def read_route(name: str, row: dict[str, Any]) -> RecordRow:
    """Return a route of a project."""
    does = row.get("action", "block")
    return RecordRow(
        kind="route",
        name=escape_hidden(name),
        when=escape_hidden(f"{row.get('tool', 'WebFetch')} {row.get('pattern', '')}"),
        told=escape_hidden(": ".join(filter(None, (does, row.get("message", "").strip())))),
        disabled=bool(row.get("disabled")),
    )


@router.post("/api/hooks/{project}/try")
async def try_call(project: str, request: TrialRequest) -> TrialResponse:
    """Tell what the hooks of an installed project do with a call, which changes nothing."""
    folder = await find_folder(project)
    # What follows -- or = is data, whatever it begins with.
    if (request.query is None) == (request.command is None):
        raise RefusedError("give a query or a command, and not both")
    call = ["--", request.query] if request.query is not None else [f"--bash={request.command}"]
    told = await hookwright_command.ask("try", "--json", "--project", folder, *call)
    return TrialResponse(
        tool=make_printable(told["tool"]),
        hooks=[
            HookTrial(
                hook=one["hook"],
                does=one["does"],
                reason=escape_hidden(one["reason"]),
                context=escape_hidden(one["context"]),
                why=list_reasons(one),
            )
            for one in told["hooks"]
        ],
    )


def list_reasons(told: dict[str, Any]) -> list[str]:
    """Return the records that decided on a call, in lines."""
    matched = [f"{one['database']}: by {one['keyword']!r}" for one in told.get("databases", ())]
    vetoed = [f"not {one['database']}: {one['why']}" for one in told.get("vetoed", ())]
    routes = [f"{one['route']}: {one['outcome']}" for one in told.get("routes", ())]
    return [make_printable(line) for line in (*matched, *vetoed, *routes)]
