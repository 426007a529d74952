"""Request and response schemas, with examples for the API page.

Unknown fields and wrong types are rejected.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic.config import JsonDict
from pydantic_core import PydanticCustomError

from lesson_search.prompts.context import BUDGET, MAX_BUDGET
from lesson_search.records import (
    CATEGORY,
    MAX_CATEGORIES,
    MAX_NAME,
    MAX_SOURCE,
    CollectionName,
    Lesson,
    Skill,
)
from lesson_search.retrieval.ranking import Evidence
from lesson_search.service.edits import IngestResult

MAX_PROMPT = 1_000_000  # characters; only the beginning and end of a long prompt are used
MAX_BULK = 1_000  # records per request
MAX_LISTED = 1_000  # records per page
MAX_FOUND = 100
SCORE = "The probability that it helps, or one after it does, from 0 to 1."
PROJECT = (
    "The only project whose sessions receive it, by remote or root: github.com/acme/shop; null for"
    " all."
)
MAX_FIELDS = 100  # per request; real requests have a dozen, and rejecting unknown fields is slow

PathField = Annotated[str, Field(pattern=f"^{CATEGORY.pattern}/?$", max_length=MAX_NAME)]

LESSON: JsonDict = {
    "id": "lesson-042",
    "text": "When the frontend build fails with ENOMEM, raise Node's heap by NODE_OPTIONS.",
    "categories": ["devops/ci-cd", "development/frontend/build"],
    "source_file": "lessons/ci-fixes.md",
}
SKILL: JsonDict = {
    "id": "skill-review-pr",
    "text": "Review a GitHub pull request and post comments. Usage: /review-pr NUMBER",
    "categories": ["workflow/code-review"],
    "trigger": "/review-pr",
    "source": "plugin:github-tools",
}


def take_whole(value: object) -> object:
    """Convert 3.0 to 3, since JSON does not distinguish them; return other values unchanged."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


class Request(BaseModel):
    """Common rules for all requests."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def check_size(cls, values: object) -> object:
        """Reject a request with too many fields immediately rather than field by field."""
        if isinstance(values, dict) and len(values) > MAX_FIELDS:
            raise PydanticCustomError(
                "too_many_fields",
                "There are {number} fields, more than {most}: send only those of the API",
                {"number": len(values), "most": MAX_FIELDS},
            )
        return values


class Parameters(Request):
    """Common rules for all parameters, which arrive as strings even if they are numbers."""

    model_config = ConfigDict(strict=False)


class QueryRequest(Request):
    """A prompt, and the collections to search."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"prompt": "How do I fix the failing CI pipeline for the frontend build?"},
                {
                    "prompt": "I need to review the PR that was just opened",
                    "collections": ["lessons", "skills"],
                    "categories": ["devops", "workflow/code-review"],
                    "top_k": 3,
                    "min_score": 0.5,
                },
            ]
        }
    )
    prompt: str = Field(max_length=MAX_PROMPT, description="What the user wrote.")
    top_k: Annotated[int, BeforeValidator(take_whole)] = Field(
        5, ge=1, le=MAX_FOUND, description="The number of results per collection."
    )
    # fail_fast: checking a million invalid items would take seconds.
    categories: list[PathField] | None = Field(
        None,
        max_length=MAX_CATEGORIES,
        fail_fast=True,
        description="Only records in or below one of them.",
    )
    min_score: float | None = Field(
        None,
        ge=0,
        le=1,
        description="The minimum score: 0 for all, null for the threshold of the embedder.",
    )
    collections: list[CollectionName] | None = Field(
        None,
        min_length=1,
        max_length=2,
        fail_fast=True,
        description="The collections to search; results are then grouped by collection.",
    )
    projects: list[str] | None = Field(
        None,
        max_length=MAX_CATEGORIES,
        fail_fast=True,
        description="Lessons of these projects first, and of no others; null for those of all.",
    )
    evidence: bool = Field(default=False, description="Also return what each score consists of.")


class Found(BaseModel):
    """A search result: a skill if it has a trigger."""

    id: str
    text: str
    categories: list[str]
    source_file: str | None = None
    created_at: str | None = None
    project: str | None = None
    trigger: str | None = None
    source: str | None = None
    score: float = Field(description=SCORE)
    evidence: Evidence | None = Field(
        None, description="The parts of its score; results are ordered by their sum."
    )


class QueryResponse(BaseModel):
    """The results, best first: in `lessons`, or by collection in `results`."""

    lessons: list[Found] | None = None
    results: dict[CollectionName, list[Found]] | None = None
    query_time_ms: float = Field(description="The time of the search in the server.")
    model: str = Field(description="The embedder of the prompt.")


class IngestRequest(Request):
    """A lesson, or a skill if it has a trigger."""

    model_config = ConfigDict(json_schema_extra={"examples": [LESSON, SKILL]})
    id: str | None = Field(
        None, description="A record with this id is replaced; null for a new one."
    )
    text: str
    categories: list[str] | None = Field(
        None, fail_fast=True, description="The categories; null to classify it."
    )
    source_file: str | None = Field(None, description="The file it was read from.")
    project: str | None = Field(None, description=PROJECT)
    created_at: str | None = Field(
        None, description="The time of its first ingest, e.g. 2025-11-15T10:30:00Z; null for now."
    )
    classified: bool = Field(
        default=False, description="Whether the categories were found by the classifier."
    )
    trigger: str | None = Field(None, description="The trigger of a skill, e.g. /review-pr.")
    source: str | None = Field(None, description="The origin of a skill.")
    metadata: dict[str, str | None] | None = Field(
        None, max_length=3, description="The trigger and source, alternatively."
    )
    force: bool = Field(default=False, description="Also accept apparent secrets.")
    restore: bool = Field(
        default=False, description="Also replace a record that was edited or deleted here."
    )
    ingested: str | None = Field(
        None,
        description="The fingerprint of what was ingested, as export writes it; null for this"
        " record's own, unknown for none.",
    )


class IngestResponse(BaseModel):
    """The result for a record."""

    id: str
    categories: list[str]
    status: Literal["upserted", "updated", "kept", "left_out"]
    change: Literal["added", "updated", "unchanged", "kept", "left_out"] = Field(
        description="kept: it was edited here. left_out: it was deleted here."
    )


class BulkRequest(Request):
    """The lessons and skills to ingest."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"lessons": [LESSON, SKILL]}]})
    lessons: list[IngestRequest] = Field(max_length=MAX_BULK, fail_fast=True)


class BulkResponse(BaseModel):
    """The number of ingested and refused records, and each record's result.

    Neither number includes records that were kept or left out.
    """

    ingested: int
    errors: int
    results: list[IngestResult]


class RecordChange(Request):
    """New values for some fields of a record."""

    text: str | None = None
    categories: list[str] | None = Field(None, fail_fast=True)
    force: bool = Field(default=False, description="Also accept apparent secrets.")


class LessonChange(RecordChange):
    """New values for some fields of a lesson."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"categories": ["devops/ci-cd"]}]})
    source_file: str | None = None
    project: str | None = Field(None, description=PROJECT)


class SkillChange(RecordChange):
    """New values for some fields of a skill."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"trigger": "/review"}]})
    trigger: str | None = None
    source: str | None = None


class ListResponse(BaseModel):
    """A page of records, ordered by id."""

    records: list[Lesson | Skill]
    total: int = Field(description="The number of records on all pages.")
    next: str | None = Field(
        description="The value of `after` for the next page; null on the last."
    )


class RecategorizeRequest(Request):
    """Which records to reclassify."""

    by_hand: bool = Field(
        default=False, description="Also records whose categories were chosen by hand."
    )
    preview: bool = Field(default=False, description="Change nothing.")


class HealthResponse(BaseModel):
    """The health of the server."""

    status: Literal["healthy", "degraded"]
    ollama: Literal["connected", "unreachable", "not used"]
    embedder: Literal["up", "down"]
    store: Literal["up", "down"]
    chromadb_collections: int
    lesson_count: int
    skill_count: int
    model: str
    threshold: float = Field(description="The default minimum score of results.")
    uptime_seconds: int
    version: str


class PageParameters(Parameters):
    """The records to list."""

    after: str | None = Field(None, max_length=MAX_NAME, description="Only ids after this one.")
    limit: int = Field(100, ge=1, le=MAX_LISTED)
    category: PathField | None = Field(None, description="Only records in or below this category.")
    project: str | None = Field(
        None, max_length=MAX_SOURCE, description="Only lessons from this project."
    )


class HookEvent(BaseModel):
    """The event that a client sends to its UserPromptSubmit hooks."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={
            "examples": [
                {
                    "session_id": "3f0c1d6e-8a52-4c59-9d3c-5a3c0c1d6e8a",
                    "hook_event_name": "UserPromptSubmit",
                    "prompt": "why is the docker build cache lost",
                }
            ]
        },
    )
    prompt: Any = None
    session_id: Any = None
    agent_id: Any = None
    cwd: Any = None


class HookParameters(Parameters):
    """Limits on the returned context."""

    top_k: int = Field(3, ge=1, le=MAX_FOUND)
    budget: int = Field(BUDGET, ge=200, le=MAX_BUDGET, description="Characters.")
    min_score: float | None = Field(None, ge=0, le=1, description="null for the server's own.")
