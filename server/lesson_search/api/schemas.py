"""What requests and responses hold, with examples for the page that describes the interface.

Every request is refused that has an unknown field, or one of another type than its own.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic.config import JsonDict
from pydantic_core import PydanticCustomError

from lesson_search.prompts.context import BUDGET, LARGEST_BUDGET
from lesson_search.records import CollectionName, Lesson, Skill
from lesson_search.validation import CATEGORY, LONGEST_NAME, MOST_CATEGORIES

LONGEST_PROMPT = 1_000_000  # characters; of a long one only the beginning and the end are looked at
LARGEST_BULK = 1_000  # records of a request
MOST_LISTED = 1_000  # records of a page
MOST_FOUND = 100
MOST_FIELDS = 100  # of a request, which has a dozen: with each other one it would take longer

PathField = Annotated[str, Field(pattern=f"^{CATEGORY.pattern}/?$", max_length=LONGEST_NAME)]

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
    """Return 3 for 3.0, which is a whole number in JSON as well, and all else as it is."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


class Request(BaseModel):
    """What every request has in common."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def check_size(cls, given: object) -> object:
        """Refuse very many fields at once, before each of them is refused."""
        if isinstance(given, dict) and len(given) > MOST_FIELDS:
            raise PydanticCustomError(
                "too_many_fields",
                "There are {number} fields, more than {most}: name those of the interface",
                {"number": len(given), "most": MOST_FIELDS},
            )
        return given


class QueryRequest(Request):
    """A prompt, and what may be found for it."""

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
    prompt: str = Field(max_length=LONGEST_PROMPT, description="What the user wrote.")
    top_k: Annotated[int, BeforeValidator(take_whole)] = Field(
        5, ge=1, le=MOST_FOUND, description="How many to return of a collection."
    )
    # A list is refused for the first that is wrong in it: a million others would take seconds.
    categories: list[PathField] | None = Field(
        None,
        max_length=MOST_CATEGORIES,
        fail_fast=True,
        description="Only what is in or below one of them.",
    )
    min_score: float | None = Field(
        None,
        ge=0,
        le=1,
        description="What has to be scored at least: 0 is no threshold, null the embedder's own.",
    )
    collections: list[CollectionName] | None = Field(
        None,
        min_length=1,
        max_length=2,
        fail_fast=True,
        description="Where to search; the answer is then by collection.",
    )


class FoundLesson(BaseModel):
    """A lesson that matters."""

    id: str
    text: str
    score: float = Field(description="The chance that it helps, from 0 to 1.")
    categories: list[str]
    source_file: str
    created_at: str


class FoundSkill(BaseModel):
    """A skill that may help."""

    id: str
    text: str
    score: float = Field(description="The chance that it helps, from 0 to 1.")
    categories: list[str]
    trigger: str
    source: str


class FoundInCollections(BaseModel):
    """What was found in each collection that was asked for."""

    lessons: list[FoundLesson] | None = None
    skills: list[FoundSkill] | None = None


class QueryResponse(BaseModel):
    """What was found, the best first: in `lessons`, or by collection in `results`."""

    lessons: list[FoundLesson] | None = None
    results: FoundInCollections | None = None
    query_time_ms: float = Field(description="How long the search took in the server.")
    model: str = Field(description="What embedded the prompt.")


class SkillMetadata(Request):
    """What a skill may have in a `metadata` of its own."""

    skill_name: str | None = None
    trigger: str | None = None
    source: str | None = None


class IngestRequest(Request):
    """A lesson, or a skill, which has a trigger."""

    model_config = ConfigDict(json_schema_extra={"examples": [LESSON, SKILL]})
    id: str | None = Field(None, description="What has this id is replaced; else a new one.")
    text: str
    categories: list[str] | None = Field(
        None, fail_fast=True, description="Where it belongs; else it is sorted."
    )
    source_file: str | None = Field(None, description="Where it was read.")
    created_at: str | None = Field(
        None, description="When it was first ingested, e.g. 2025-11-15T10:30:00Z; else now."
    )
    classified: bool = Field(default=False, description="The categories are no hand's choice.")
    trigger: str | None = Field(None, description="What calls a skill, e.g. /review-pr.")
    source: str | None = Field(None, description="Where a skill comes from.")
    metadata: SkillMetadata | None = Field(None, description="The same two, one level deeper.")
    force: bool = Field(default=False, description="Take what looks like a secret, too.")


class IngestResponse(BaseModel):
    """What became of a record."""

    id: str
    categories: list[str]
    status: Literal["upserted", "updated"]
    change: Literal["added", "updated", "unchanged"]


class BulkRequest(Request):
    """Lessons and skills."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"lessons": [LESSON, SKILL]}]})
    lessons: list[IngestRequest] = Field(max_length=LARGEST_BULK, fail_fast=True)


class BulkResult(BaseModel):
    """What became of one record of several."""

    id: str
    categories: list[str]
    change: Literal["added", "updated", "unchanged", "refused"]
    reason: str = Field(description="Why it was refused, and the way out.")


class BulkResponse(BaseModel):
    """How many records were taken, how many refused, and what became of each."""

    ingested: int
    errors: int
    results: list[BulkResult]


class LessonChange(Request):
    """New values of some fields of a lesson; the others stay as they are."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"categories": ["devops/ci-cd"]}]})
    text: str | None = None
    categories: list[str] | None = Field(None, fail_fast=True)
    source_file: str | None = None
    force: bool = Field(default=False, description="Take what looks like a secret, too.")


class SkillChange(Request):
    """New values of some fields of a skill; the others stay as they are."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"trigger": "/review"}]})
    text: str | None = None
    categories: list[str] | None = Field(None, fail_fast=True)
    trigger: str | None = None
    source: str | None = None
    force: bool = Field(default=False, description="Take what looks like a secret, too.")


class StoredLesson(BaseModel):
    """A lesson as it is kept."""

    id: str
    text: str
    categories: list[str]
    classified: bool
    source_file: str
    created_at: str


class StoredSkill(BaseModel):
    """A skill as it is kept."""

    id: str
    text: str
    categories: list[str]
    classified: bool
    trigger: str
    source: str


class ListResponse(BaseModel):
    """A page of records, in the order of their ids."""

    records: list[StoredLesson | StoredSkill]
    total: int = Field(description="How many there are on all pages.")
    next: str | None = Field(description="What `after` of the next page is; null at the last.")


class RemovalResponse(BaseModel):
    """What was removed."""

    id: str
    status: Literal["deleted"] = "deleted"


class RecategorizeRequest(Request):
    """Which records to sort anew."""

    by_hand: bool = Field(default=False, description="Those too that a hand has sorted.")
    preview: bool = Field(default=False, description="Change nothing.")


class RecategorizedRecord(BaseModel):
    """A record that belongs elsewhere."""

    collection: CollectionName
    id: str
    before: list[str]
    after: list[str]


class RecategorizeResponse(BaseModel):
    """The records that belong elsewhere."""

    moved: list[RecategorizedRecord]


class CategoriesResponse(BaseModel):
    """How many lessons are in each category or below it."""

    categories: dict[str, int] = Field(
        examples=[{"devops": 2, "devops/ci-cd": 1, "devops/docker": 1}]
    )


class HealthResponse(BaseModel):
    """How the server is."""

    status: Literal["healthy", "degraded"]
    ollama: Literal["connected", "unreachable", "not used"]
    embedder: Literal["up", "down"]
    store: Literal["up", "down"]
    chromadb_collections: int
    lesson_count: int
    skill_count: int
    model: str
    threshold: float = Field(description="What is scored less is not given, unless asked for.")
    uptime_seconds: int
    version: str


class HookEvent(BaseModel):
    """The event that a client sends to its UserPromptSubmit hooks, as it is."""

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


class HookOutput(BaseModel):
    """What an agent is told."""

    hookEventName: Literal["UserPromptSubmit"]  # noqa: N815 - the client's name for it
    additionalContext: str  # noqa: N815 - as above


class HookAnswer(BaseModel):
    """What a client takes from its hooks: nothing, or what an agent is told."""

    hookSpecificOutput: HookOutput | None = None  # noqa: N815 - as above


class HookParameters(Request):
    """How much to tell an agent."""

    model_config = ConfigDict(strict=False)
    top_k: int = Field(3, ge=1, le=MOST_FOUND)
    budget: int = Field(BUDGET, ge=200, le=LARGEST_BUDGET, description="Characters.")


class PageParameters(Request):
    """Which records to list."""

    model_config = ConfigDict(strict=False)
    after: str | None = Field(None, max_length=LONGEST_NAME, description="Only greater ids.")
    limit: int = Field(100, ge=1, le=MOST_LISTED)
    category: PathField | None = Field(None, description="Only what is in it or below it.")


class ErrorResponse(BaseModel):
    """Why a request was refused, and the way out, in one line."""

    detail: str


def show_record(record: Lesson | Skill) -> StoredLesson | StoredSkill:
    """Return a record as it is shown."""
    values = {**vars(record), "categories": list(record.categories)}
    return StoredLesson(**values) if isinstance(record, Lesson) else StoredSkill(**values)
