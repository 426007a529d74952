"""The API tells what the installed hooks did and do, by the command line in a process."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from lesson_search import hookwright_command
from lesson_search.app import build_app
from lesson_search.lesson_service import LessonService
from lesson_search.prompts.given_record import GivenRecord, Summary

STATUS = {
    "project": "my-hooks",
    "folder": "/home/me/my-hooks",
    "current": True,
    "error": "",
    "hooks": [
        {"client": "claude", "hook": "docsearch", "scope": "user", "state": "current", "file": "/x"}
    ],
}
RECORD = {"hook": "docsearch", "record": "gitlab\u202e", "blocks": 3, "per_day": [1, 0, 2]}
ANSWERS: dict[str, Any] = {
    "status": {"projects": [STATUS]},
    "stats": {
        "until": "2026-11-23",
        "days": 3,
        "records": [{**RECORD, "last": "2026-11-23T10:00:00+00:00"}],
        "projects": [{"project": "my-hooks", "records_blocks": False}],
    },
    "list": {
        "databases": [
            {"keywords": ["gitlab"], "mcp_tool_name": "mcp__x", "description": "GitLab \u200b"}
        ],
        "routes": {"pull": {"pattern": "pull/", "message": "Run: gh\n", "disabled": True}},
    },
}
# Answers as the command line does; what it was given is the reason.
PROGRAM = """
import json, sys
answers, words = json.loads(sys.argv[1]), sys.argv[2:]
one = {"hook": "docsearch", "does": "deny", "reason": json.dumps(words), "context": ""}
answers["try"] = {"tool": "WebSearch", "hooks": [one]}
print(json.dumps(answers[words[0]]))
"""


@pytest.fixture
def api(service: LessonService, monkeypatch: pytest.MonkeyPatch) -> TestClient:
    use(monkeypatch, PROGRAM, json.dumps(ANSWERS))
    return TestClient(build_app(service), base_url="http://127.0.0.1:7731")


def use(monkeypatch: pytest.MonkeyPatch, script: str, *first: str) -> None:
    program = [sys.executable, "-c", script, *first]
    monkeypatch.setattr(hookwright_command, "build_command", lambda *words: [*program, *words])


def test_projects(api: TestClient) -> None:
    (project,) = api.get("/api/hooks").json()["projects"]
    assert (project["project"], project["current"]) == ("my-hooks", True)
    database, route = api.get("/api/hooks/my-hooks").json()["records"]
    assert (database["name"], database["when"]) == ("GitLab \\u200b", "gitlab")
    assert (route["name"], route["told"], route["disabled"]) == ("pull", "block: Run: gh", True)
    assert api.get("/api/hooks/none").status_code == 404


@pytest.mark.parametrize("text", ["--help", "; rm -rf ~", "$(id) `id`", "-p /etc", "a\nb '\""])
def test_call_is_data(api: TestClient, text: str) -> None:
    first = ["try", "--json", "--project", "/home/me/my-hooks"]
    for body, last in (({"query": text}, ["--", text]), ({"command": text}, [f"--bash={text}"])):
        (one,) = api.post("/api/hooks/my-hooks/try", json=body).json()["hooks"]
        assert json.loads(one["reason"]) == [*first, *last]


@pytest.mark.parametrize(
    "body",
    [{}, {"query": "a", "command": "b"}, {"query": "a\x00b"}, {"query": "  "}, {"query": "\ud800"}],
)
def test_call_is_refused(api: TestClient, body: dict[str, str]) -> None:
    answer = api.post(
        "/api/hooks/my-hooks/try",
        content=json.dumps(body),
        headers={"Content-Type": "application/json"},
    )
    assert answer.status_code in {400, 409, 422}


def test_activity(api: TestClient, service: LessonService, tmp_path: Path) -> None:
    activity = api.get("/api/activity").json()
    (one,) = activity["activities"]
    assert (one["kind"], one["record"], one["count"]) == ("redirects", "gitlab\\u202e", 3)
    assert one["days"] == {"2026-11-21": 1, "2026-11-23": 2}
    assert (activity["unrecorded"], activity["records_lessons"]) == (["my-hooks"], False)
    service.given = GivenRecord(tmp_path / "given.jsonl")
    row = {"time": "2026-11-23T10:00:00Z", "collection": "lessons", "id": "a"}
    rows = [row, row, row | {"time": "2026-11-20T10:00:00Z"}]
    (tmp_path / "given.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in rows))
    rows = api.get("/api/activity", params={"days": 3}).json()["activities"]
    assert ("lessons", "a", 2) in [(one["kind"], one["record"], one["count"]) for one in rows]


def test_counting_lessons_holds_up_no_request(
    api: TestClient, service: LessonService, tmp_path: Path
) -> None:
    answers = []

    class Asking(GivenRecord):
        def summarize(self) -> Summary:
            answers.append(api.get("/api/hooks").status_code)
            return super().summarize()

    service.given = Asking(tmp_path / "given.jsonl")
    with api:  # all requests in one event loop, as in a server
        assert api.get("/api/activity").status_code == 200
    assert answers == [200]


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("import sys; sys.exit('hookwright: no home: set HOME')", "no home: set HOME"),
        ("print('no JSON')", "hookwright status failed"),
        (
            "import sys; print('{\"error\": \"no home\"}'); sys.exit('hookwright: no home')",
            "no home",
        ),
        ("while True: print('x' * 1_000_000)", "prints too much"),
        ("import time; time.sleep(60)", "takes too long"),
    ],
)
def test_failing_command(
    api: TestClient, monkeypatch: pytest.MonkeyPatch, script: str, reason: str
) -> None:
    use(monkeypatch, script)
    monkeypatch.setattr(hookwright_command, "TIMEOUT", 1.0 if "sleep" in script else 30.0)
    answer = api.get("/api/hooks")
    assert answer.status_code == 409
    assert reason in answer.json()["detail"]
