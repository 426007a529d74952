"""FastAPI dependencies of the routes."""

from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, Request

from hookwright_documentation.serving.tool_runner import ToolRunner
from lesson_search.background.refreshes import Refreshes
from lesson_search.service.lesson_service import LessonService


def find(name: str) -> Any:
    """Return a dependency that looks up a value in the request's state."""

    async def get(request: Request) -> Any:
        return getattr(request.state, name)

    return Depends(get)


ServiceDependency = Annotated[LessonService, find("service")]
RunnerDependency = Annotated[ToolRunner, find("runner")]
InboxDependency = Annotated[Path | None, find("inbox")]
RefreshesDependency = Annotated[Refreshes, find("refreshes")]
