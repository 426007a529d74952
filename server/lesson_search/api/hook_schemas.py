"""The schemas of the events that a client sends to its hooks, and of their answers."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from lesson_search.api.schemas import MAX_FOUND, Request
from lesson_search.prompts.context import BUDGET, MAX_BUDGET


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


class HookOutput(BaseModel):
    """The context for the agent."""

    hookEventName: Literal["UserPromptSubmit"]  # noqa: N815 - the client's name for it
    additionalContext: str  # noqa: N815 - as above


class HookAnswer(BaseModel):
    """The answer that a client expects from a hook: empty, or with context."""

    hookSpecificOutput: HookOutput | None = None  # noqa: N815 - as above


class HookParameters(Request):
    """How much context to return."""

    model_config = ConfigDict(strict=False)
    top_k: int = Field(3, ge=1, le=MAX_FOUND)
    budget: int = Field(BUDGET, ge=200, le=MAX_BUDGET, description="Characters.")
    min_score: float | None = Field(None, ge=0, le=1, description="null for the server's own.")
