"""Routes that tell about all lessons at once, and about the health of the server."""

from typing import Annotated, Any

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from lesson_search.api.dependencies import ServiceDependency
from lesson_search.api.schemas import HealthResponse, Parameters
from lesson_search.retrieval.calibrator import Outcome, measure_thresholds
from lesson_search.retrieval.collection import LEAST_COSINE, MOST_DUPLICATES, Duplicate

# Such a computation takes seconds: one at a time, whose result those that wait get, too.
OVERVIEWS = CapacityLimiter(1)

router = APIRouter(tags=["read"])


class DuplicateParameters(Parameters):
    """Which pairs of lessons to list."""

    least: float = Field(
        0.9, ge=LEAST_COSINE, le=1, description="The lowest cosine of their vectors."
    )
    limit: int = Field(50, ge=1, le=MOST_DUPLICATES)


class GivenCount(BaseModel):
    """How often a lesson or skill was given."""

    collection: str
    id: str
    count: int


class GivenResponse(BaseModel):
    """What agents were given, as far as it is recorded."""

    recorded: bool = Field(description="Whether the server records it (serve --record).")
    since: str = Field(description="The day of the first record, or an empty text.")
    days: dict[str, int] = Field(description="How many were given each day.")
    most: list[GivenCount] = Field(description="Those given most, most first.")
    never: list[str] = Field(description="The ids of lessons never given, up to the limit.")
    never_count: int = Field(description="How many lessons were never given.")


class GivenParameters(Parameters):
    """How many to list."""

    limit: int = Field(50, ge=1, le=500)


@router.get("/api/given")
def summarize_given(
    parameters: Annotated[GivenParameters, Query()], service: ServiceDependency
) -> GivenResponse:
    """Tell which lessons agents were given most, and which never."""
    if not service.given:
        return GivenResponse(recorded=False, since="", days={}, most=[], never=[], never_count=0)
    summary = service.given.summarize()
    most = summary.counts.most_common(parameters.limit)
    ids = [record.id for record in service.lessons.list_records()]
    never = [one for one in ids if ("lessons", one) not in summary.counts]
    return GivenResponse(
        recorded=True,
        since=summary.since,
        days=summary.days,
        most=[GivenCount(collection=where, id=one, count=n) for (where, one), n in most],
        never=never[: parameters.limit],
        never_count=len(never),
    )


@router.get("/api/duplicates")
async def list_duplicates(
    parameters: Annotated[DuplicateParameters, Query()], service: ServiceDependency
) -> dict[str, list[Duplicate]]:
    """List the pairs of lessons that say nearly the same, nearest first."""
    pairs = await run_sync(service.lessons.list_duplicates, limiter=OVERVIEWS)
    found = [pair for pair in pairs if pair.cosine >= parameters.least]
    return {"pairs": found[: parameters.limit]}


@router.get("/api/thresholds")
async def list_thresholds(service: ServiceDependency) -> dict[str, list[Outcome]]:
    """Tell what each threshold does to the shipped prompts and lessons, with this embedder."""
    embedder, calibration = service.embedder, service.lessons.calibration
    outcomes = await run_sync(
        lambda: measure_thresholds(embedder, calibration),  # type: ignore[arg-type] # it is hashable
        limiter=OVERVIEWS,
    )
    return {"thresholds": outcomes}


@router.get("/api/categories")
def list_categories(service: ServiceDependency) -> dict[str, dict[str, int]]:
    """Count the lessons in or below each category."""
    return {"categories": service.count_categories()}


@router.get("/api/health", response_model=HealthResponse)
def show_health(service: ServiceDependency) -> dict[str, Any]:
    """Show the health of the server."""
    return service.read_health()
