"""Routes for the health of the server and its categories."""

import time
from typing import Literal

from fastapi import APIRouter

from hookwright_console.version import find_version
from lesson_search.api.dependencies import ServiceDependency
from lesson_search.api.schemas import CategoriesResponse, HealthResponse
from lesson_search.records import COLLECTIONS
from lesson_search.taxonomy.categories import count

STARTED = time.monotonic()

router = APIRouter(tags=["read"])


@router.get("/api/categories")
def list_categories(service: ServiceDependency) -> CategoriesResponse:
    """Count the lessons in each category."""
    return CategoriesResponse(
        categories=count(one.categories for one in service.lessons.list_records())
    )


@router.get("/api/health")
def show_health(service: ServiceDependency) -> HealthResponse:
    """Show the health of the server."""
    embedder = service.embedder
    reached: Literal["connected", "unreachable"] = "connected" if embedder.is_up else "unreachable"
    return HealthResponse(
        status="healthy" if embedder.is_up and service.store_is_up else "degraded",
        ollama=reached if embedder.name.startswith("ollama/") else "not used",
        embedder="up" if embedder.is_up else "down",
        store="up" if service.store_is_up else "down",
        chromadb_collections=len(COLLECTIONS),
        lesson_count=len(service.lessons),
        skill_count=len(service.skills),
        model=embedder.model,
        threshold=service.lessons.threshold,
        uptime_seconds=int(time.monotonic() - STARTED),
        version=find_version(),
    )
