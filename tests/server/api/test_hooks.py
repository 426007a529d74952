"""The API reports the activity and configuration of the installed hooks."""

import json
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from lesson_search.prompts.given_record import GivenRecord, Summary
from lesson_search.server.application import build_app
from lesson_search.service.lesson_service import LessonService

from ...support.installer import run_installer
from ...support.project import GITLAB, ROUTES, URL, render

NOW = datetime.now(timezone.utc)
STAMP = "%Y-%m-%dT%H:%M:%SZ"


@pytest.fixture(scope="module")
def project(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    destination = tmp_path_factory.mktemp("installed") / "my-hooks"
    render(template, destination, databases=[GITLAB], routes=ROUTES)
    answers = destination / ".copier-answers.yml"  # like a user who edits the file by hand
    answers.write_text(answers.read_text().replace("gitlab-ci", "gitlab\u200b"))
    return destination


@pytest.fixture
def api(service: LessonService, project: Path) -> TestClient:
    run_installer(project).check_returncode()
    return TestClient(build_app(service), base_url="http://127.0.0.1:7731")


def test_installed_projects_and_their_records_are_listed(api: TestClient, project: Path) -> None:
    (listed,) = api.get("/api/hooks").json()["projects"]
    assert (listed["project"], listed["current"], listed["error"]) == ("my-hooks", True, "")
    assert listed["folder"] == str(project)
    assert {hook["hook"]: hook["state"] for hook in listed["hooks"]} == {
        "docsearch": "current",
        "tool_routing": "current",
    }
    database, *routes = api.get("/api/hooks/my-hooks").json()["records"]
    assert (database["kind"], database["when"]) == ("database", "gitlab, gl, gitlab\\u200b")
    assert [route["name"] for route in routes] == [*ROUTES]
    assert routes[0]["told"].startswith("block: ")
    for answer in (api.get("/api/hooks/none"), api.post("/api/hooks/a/try", json={"query": "b"})):
        assert (answer.status_code, "no installed project" in answer.text) == (404, True)


def test_project_with_a_missing_folder_is_reported(api: TestClient, project: Path) -> None:
    away = project.rename(project.with_name("away"))
    try:
        (listed,) = api.get("/api/hooks").json()["projects"]
        assert "its folder is gone" in listed["error"]
        answer = api.get("/api/hooks/my-hooks")
        assert (answer.status_code, answer.json()["detail"]) == (409, listed["error"])
    finally:
        away.rename(project)


def test_calls_can_be_tried(api: TestClient) -> None:
    calls: list[tuple[dict[str, str], str, str, str]] = [
        ({"query": "gitlab runner tags"}, "WebSearch", "deny", "keyword 'gitlab'"),
        ({"query": "--help"}, "WebSearch", "allow", "no keyword"),
        ({"query": URL}, "WebFetch", "deny", "github-pr"),
        *(
            ({"command": text}, "Bash", "allow", "")
            for text in ("--help", "; rm -rf ~ $(id) `id`\nb '\"")
        ),
    ]
    for body, tool, does, why in calls:
        trial = api.post("/api/hooks/my-hooks/try", json=body).json()
        assert trial["tool"] == tool, body
        assert {hook["does"] for hook in trial["hooks"]} <= {does}, body
        assert why in " ".join(line for hook in trial["hooks"] for line in hook["why"])
        assert all((does == "deny") == bool(hook["reason"]) for hook in trial["hooks"])


@pytest.mark.parametrize(
    "body",
    [{}, {"query": "a", "command": "b"}, {"query": "a\x00b"}, {"query": "  "}, {"query": "\ud800"}],
)
def test_invalid_call_is_rejected(service: LessonService, body: dict[str, str]) -> None:
    api = TestClient(build_app(service), base_url="http://127.0.0.1:7731")
    answer = api.post(
        "/api/hooks/my-hooks/try",
        content=json.dumps(body),
        headers={"Content-Type": "application/json"},
    )
    assert answer.status_code in {400, 409, 422}


def test_activity_is_counted_per_day(
    api: TestClient, service: LessonService, tmp_path: Path
) -> None:
    (Path.home() / ".claude" / "hooks" / "docsearch-blocks.tsv").write_text(
        "".join(f"{NOW - timedelta(days=ago):{STAMP}}\tgitlab\u202e\tx\n" for ago in (2, 0, 0))
    )
    activity = api.get("/api/activity", params={"days": 3}).json()
    assert (activity["unrecorded"], activity["projects"]) == (["my-hooks"], 1)
    assert activity["records_lessons"] is False
    most, *others = activity["activities"]
    assert (most["kind"], most["record"], most["count"]) == ("redirects", "gitlab\\u202e", 3)
    assert most["days"] == {activity["first"]: 1, activity["last"]: 2}
    assert {other["kind"] for other in others} == {"redirects", "blocks"}
    assert {other["count"] for other in others} == {0}
    service.given_record = GivenRecord(tmp_path / "given.jsonl")
    row = {"time": f"{NOW:{STAMP}}", "collection": "lessons", "id": "a"}
    rows = [row, row, row | {"time": f"{NOW - timedelta(days=9):{STAMP}}"}]
    (tmp_path / "given.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    rows = api.get("/api/activity", params={"days": 3}).json()["activities"]
    assert ("lessons", "a", 2) in [(row["kind"], row["record"], row["count"]) for row in rows]


def test_lesson_count_blocks_no_request(
    api: TestClient, service: LessonService, tmp_path: Path
) -> None:
    answers = []

    class Asking(GivenRecord):
        def summarize(self) -> Summary:
            answers.append(api.get("/api/hooks").status_code)
            return super().summarize()

    service.given_record = Asking(tmp_path / "given.jsonl")
    with api:  # keeps one event loop for all requests, like in a server
        assert api.get("/api/activity").status_code == 200
    assert answers == [200]
