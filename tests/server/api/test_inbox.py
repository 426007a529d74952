"""Only a single-user server shows the inbox."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from lesson_search.capture.inbox import open_inbox
from lesson_search.capture.rules import Candidate
from lesson_search.server.application import build_app
from lesson_search.service.lesson_service import LessonService

SEEN = Candidate("said", "Use pnpm, not npm, in this project.", "s1", "/work", "10:00", "words")
BASE = "http://127.0.0.1:7731"


@pytest.fixture
def api(service: LessonService, tmp_path: Path) -> TestClient:
    with open_inbox(tmp_path) as inbox:
        inbox.add([SEEN], 1.0)
    return TestClient(build_app(service, inbox_folder=tmp_path), base_url=BASE)


def test_candidates_can_be_listed_and_decided(api: TestClient) -> None:
    [item] = api.get("/api/inbox").json()["items"]
    assert (item["text"], item["evidence"][0]["session"]) == (SEEN.text, "s1")
    assert api.get("/api/lessons").json()["records"] == []
    assert api.delete(f"/api/inbox/{item['id']}?never=true").status_code == 204
    assert api.get("/api/inbox").json()["items"] == []
    assert api.delete(f"/api/inbox/{item['id']}").status_code == 409


def test_inbox_is_hidden_on_other_servers(service: LessonService) -> None:
    api = TestClient(build_app(service), base_url=BASE)
    answer = api.get("/api/inbox")
    assert (answer.status_code, "without a token" in answer.text) == (404, True)
