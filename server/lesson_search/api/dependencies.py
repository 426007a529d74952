"""What requests are answered from."""

from typing import Annotated

from fastapi import Depends, Request

from lesson_search.lesson_service import LessonService


async def find_catalogue(request: Request) -> LessonService:
    """Return what is served."""
    service: LessonService = request.app.state.service
    return service


Served = Annotated[LessonService, Depends(find_catalogue)]
