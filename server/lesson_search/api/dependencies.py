"""The dependencies of routes."""

from typing import Annotated

from fastapi import Depends, Request

from lesson_search.lesson_service import LessonService


async def get_service(request: Request) -> LessonService:
    """Return the service of the application."""
    service: LessonService = request.app.state.service
    return service


ServiceDependency = Annotated[LessonService, Depends(get_service)]
