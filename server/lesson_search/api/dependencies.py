"""The dependencies of routes."""

from typing import Annotated

from fastapi import Depends, Request

from hookwright_documentation.serving.open_databases import OpenDatabases
from hookwright_documentation.serving.tool_runner import ToolRunner
from lesson_search.background.refreshes import Refreshes
from lesson_search.service.lesson_service import LessonService


async def get_service(request: Request) -> LessonService:
    service: LessonService = request.state.service
    return service


async def get_databases(request: Request) -> OpenDatabases:
    databases: OpenDatabases = request.state.databases
    return databases


async def get_runner(request: Request) -> ToolRunner:
    runner: ToolRunner = request.state.runner
    return runner


async def get_refreshes(request: Request) -> Refreshes:
    refreshes: Refreshes = request.state.refreshes
    return refreshes


ServiceDependency = Annotated[LessonService, Depends(get_service)]
DatabasesDependency = Annotated[OpenDatabases, Depends(get_databases)]
RunnerDependency = Annotated[ToolRunner, Depends(get_runner)]
RefreshesDependency = Annotated[Refreshes, Depends(get_refreshes)]
