"""Fixtures: clients of a server."""

import pytest
from starlette.testclient import TestClient

from lesson_search.server.application import build_app
from lesson_search.service.lesson_service import LessonService

from .requests import DOCKER, HEAP, REVIEW, send


@pytest.fixture
def api(service: LessonService) -> TestClient:
    return TestClient(build_app(service), base_url="http://127.0.0.1:7731")


@pytest.fixture
def filled(api: TestClient) -> TestClient:
    send(api, "/api/ingest/bulk", {"lessons": [HEAP, DOCKER, REVIEW]})
    return api
