"""Say how the server is, and what it holds."""

import time
from importlib.metadata import PackageNotFoundError, version
from typing import Literal

from fastapi import APIRouter

from lesson_search.api.messages import CategoriesResponse, HealthResponse
from lesson_search.api.served import Served
from lesson_search.records import COLLECTIONS

STARTED = time.monotonic()

router = APIRouter(tags=["read"])


@router.get("/api/categories")
def list_categories(catalogue: Served) -> CategoriesResponse:
    """Count the lessons in each category."""
    return CategoriesResponse(categories=catalogue.count_categories())


@router.get("/api/health")
def show_health(catalogue: Served) -> HealthResponse:
    """Say how the server is."""
    embedder = catalogue.embedder
    reached: Literal["connected", "unreachable"] = "connected" if embedder.is_up else "unreachable"
    return HealthResponse(
        status="healthy" if embedder.is_up and catalogue.store_is_up else "degraded",
        ollama=reached if embedder.name.startswith("ollama/") else "not used",
        embedder="up" if embedder.is_up else "down",
        store="up" if catalogue.store_is_up else "down",
        chromadb_collections=len(COLLECTIONS),
        lesson_count=len(catalogue.lessons),
        skill_count=len(catalogue.skills),
        model=embedder.model,
        threshold=catalogue.lessons.threshold,
        uptime_seconds=int(time.monotonic() - STARTED),
        version=find_version(),
    )


def find_version() -> str:
    """Return which Hookwright this is, "" where it runs without being installed."""
    try:
        return version("hookwright")
    except PackageNotFoundError:
        return ""
