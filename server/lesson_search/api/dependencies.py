"""The dependencies of routes."""

from typing import Annotated

from fastapi import Depends, Request

from hookwright_documentation.serving.open_databases import OpenDatabases
from lesson_search.lesson_service import LessonService
from lesson_search.refreshes import Refreshes


async def get_service(request: Request) -> LessonService:
    """Return the service of the application."""
    service: LessonService = request.app.state.service
    return service


async def get_databases(request: Request) -> OpenDatabases:
    """Return the documentation databases of the application."""
    databases: OpenDatabases = request.app.state.databases
    return databases


async def get_refreshes(request: Request) -> Refreshes:
    """Return the refreshes of the application."""
    refreshes: Refreshes = request.app.state.refreshes
    return refreshes


ServiceDependency = Annotated[LessonService, Depends(get_service)]
DatabasesDependency = Annotated[OpenDatabases, Depends(get_databases)]
RefreshesDependency = Annotated[Refreshes, Depends(get_refreshes)]
