"""Convert requests to records, and results to responses."""

from typing import Literal
from uuid import uuid4

from hookwright_console.errors import RefusedError
from lesson_search.api.schemas import (
    IngestRequest,
    IngestResponse,
    LessonChange,
    SkillChange,
    SkillMetadata,
    StoredLesson,
    StoredSkill,
)
from lesson_search.records import Lesson, Skill
from lesson_search.service.edits import UNKNOWN, IngestResult, check_fingerprint
from lesson_search.validation import (
    check_categories,
    check_id,
    check_moment,
    check_name,
    check_source,
    check_text,
)


def build_record(request: IngestRequest) -> Lesson | Skill:
    """Return the lesson or skill in a request, with a new id if it has none.

    Raises:
        RefusedError: A field is invalid.

    """
    metadata = request.metadata or SkillMetadata()
    name = check_id(str(uuid4()) if request.id is None else request.id)
    text = check_text(request.text)
    categories = check_categories(request.categories or ())
    source_file = check_source("source_file", request.source_file or "")
    trigger = check_name("trigger", request.trigger or metadata.trigger or "")
    moment = check_moment(request.created_at or "")
    ingested = check_fingerprint(request.ingested or "")
    if not trigger:
        return Lesson(name, text, categories, source_file, moment, request.classified, ingested)
    source = check_source("source", request.source or metadata.source or source_file)
    return Skill(name, text, categories, trigger, source, request.classified, ingested)


def list_changes(change: LessonChange | SkillChange) -> dict[str, object]:
    """Return the new value of each changed field.

    Raises:
        RefusedError: There is no change, or a value is invalid.

    """
    values = change.model_dump(exclude_none=True, exclude={"force"})
    if not values:
        raise RefusedError("no changes: send a field and its new value")
    checked: dict[str, object] = {}
    for field, value in values.items():
        if field == "text":
            checked[field] = check_text(value)
        elif field == "categories":
            checked[field] = check_categories(value)
        elif field == "trigger":
            checked[field] = check_trigger(value)
        else:
            checked[field] = check_source(field, value)
    return checked


def check_trigger(trigger: str) -> str:
    """Return the trigger of a skill, or raise RefusedError."""
    if not trigger:
        raise RefusedError("the trigger is empty: write what calls the skill, e.g. /review-pr")
    return check_name("trigger", trigger)


def build_response(result: IngestResult, status: Literal["upserted", "updated"]) -> IngestResponse:
    """Return the response for one changed record, or raise RefusedError."""
    if result.change == "refused":
        raise RefusedError(result.why)
    return IngestResponse(
        id=result.id,
        categories=list(result.categories),
        status=result.change if result.change in {"kept", "left_out"} else status,
        change=result.change,
    )


def build_stored(record: Lesson | Skill) -> StoredLesson | StoredSkill:
    """Return a record as responses have it."""
    values = {**vars(record), "categories": list(record.categories)}
    values["ingested"] = record.ingested or UNKNOWN
    return StoredLesson(**values) if isinstance(record, Lesson) else StoredSkill(**values)
