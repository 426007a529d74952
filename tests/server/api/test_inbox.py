"""Only a single-user server shows the inbox."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.testclient import TestClient

from lesson_search.api.middleware import Tokens
from lesson_search.capture.inbox import open_inbox
from lesson_search.capture.rules import Candidate
from lesson_search.server.application import build_app
from lesson_search.service.lesson_service import LessonService

from .requests import MADE_UP

SEEN = Candidate("said", "Use pnpm, not npm, in this project.", "s1", "/work", "10:00", "words")
BASE = "http://127.0.0.1:7731"


@pytest.fixture
def api(service: LessonService) -> TestClient:
    with open_inbox(service.folder) as inbox:
        inbox.add([SEEN], 1.0)
    return TestClient(build_app(service), base_url=BASE)


def test_candidates_can_be_listed_and_decided(api: TestClient) -> None:
    [item] = api.get("/api/inbox").json()["items"]
    assert (item["text"], item["evidence"][0]["session"]) == (SEEN.text, "s1")
    assert api.get("/api/lessons").json()["records"] == []
    assert api.delete(f"/api/inbox/{item['id']}?never=true").status_code == 204
    assert api.get("/api/inbox").json()["items"] == []
    assert api.delete(f"/api/inbox/{item['id']}").status_code == 409


def test_concurrent_approvals_add_one_lesson(api: TestClient) -> None:
    [item] = api.get("/api/inbox").json()["items"]
    bodies = [{}, {"text": "Use pnpm, not npm, here."}] * 4
    with ThreadPoolExecutor(8) as pool:
        answers = [*pool.map(lambda body: api.post(f"/api/inbox/{item['id']}", json=body), bodies)]
    assert sorted(answer.status_code for answer in answers) == [200, *[409] * 7]
    [lesson] = api.get("/api/lessons").json()["records"]
    assert lesson["source_file"] == "session:s1"
    assert api.get("/api/inbox").json()["items"] == []


@pytest.mark.parametrize("never", ["false", "true"])
def test_dropped_candidate_can_be_brought_back(api: TestClient, never: str) -> None:
    [item] = api.get("/api/inbox").json()["items"]
    api.delete(f"/api/inbox/{item['id']}?never={never}")
    assert api.post(f"/api/inbox/{item['id']}/undo").status_code == 204
    assert api.get("/api/inbox").json()["items"] == [item]
    assert api.post(f"/api/inbox/{item['id']}/undo").status_code == 409


def test_secret_stays_in_the_inbox(api: TestClient) -> None:
    [item] = api.get("/api/inbox").json()["items"]
    answer = api.post(f"/api/inbox/{item['id']}", json={"text": f"Use {MADE_UP} here."})
    assert (answer.status_code, "GitHub token" in answer.text) == (409, True)
    assert len(api.get("/api/inbox").json()["items"]) == 1


def test_inbox_is_hidden_on_other_servers(service: LessonService) -> None:
    api = TestClient(build_app(service, None, Tokens("secret")), base_url=BASE)
    answer = api.get("/api/inbox", headers={"Authorization": "Bearer secret"})
    assert (answer.status_code, "without a token" in answer.text) == (404, True)
