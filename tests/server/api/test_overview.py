"""The API summarises all lessons, and concurrent changes do not overwrite each other."""

import json
import os
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from lesson_search.prompts.given_record import GivenRecord
from lesson_search.records import Lesson
from lesson_search.server.application import build_app
from lesson_search.service.lesson_service import LessonService

ROWS = [
    {"id": "a", "text": "The docker build cache is lost.", "categories": ["devops/docker"]},
    {"id": "b", "text": "The docker build cache is lost!", "categories": ["devops/docker"]},
    {"id": "c", "text": "Sort ids before the UPDATE.", "categories": ["development/database"]},
]
PROMPT = "why is the docker build cache lost"


@pytest.fixture
def api(service: LessonService) -> TestClient:
    client = TestClient(build_app(service), base_url="http://127.0.0.1:7731")
    client.post("/api/ingest/bulk", json={"lessons": ROWS}).raise_for_status()
    return client


def test_outdated_change_is_rejected(api: TestClient) -> None:
    tag = api.get("/api/lessons/a").headers["etag"]
    first = api.put("/api/lessons/a", json={"text": "One."}, headers={"If-Match": tag})
    assert first.status_code == 200
    late = api.put("/api/lessons/a", json={"text": "Two."}, headers={"If-Match": tag})
    assert late.status_code == 412
    assert "a changed meanwhile" in late.json()["detail"]
    assert api.delete("/api/lessons/a", headers={"If-Match": tag}).status_code == 412
    assert api.get("/api/lessons/a").json()["text"] == "One."
    tag = api.get("/api/lessons/a").headers["etag"]
    assert api.delete("/api/lessons/a", headers={"If-Match": tag}).status_code == 200


def test_change_of_any_version_is_accepted(api: TestClient) -> None:
    assert api.put("/api/lessons/a", json={"text": "One."}).status_code == 200
    any_version = {"If-Match": "*"}
    assert api.put("/api/lessons/a", json={"text": "Two."}, headers=any_version).status_code == 200


def test_evidence_adds_up_to_the_score(api: TestClient) -> None:
    body = {"prompt": PROMPT, "min_score": 0, "collections": ["lessons"]}
    plain = api.post("/api/query", json=body).json()["results"]["lessons"]
    assert all("evidence" not in row for row in plain)
    rows = api.post("/api/query", json={**body, "evidence": True}).json()["results"]["lessons"]
    totals = [sum(row["evidence"].values()) for row in rows]
    assert totals == pytest.approx(sorted(totals, reverse=True), abs=1e-3)
    assert rows[0]["evidence"]["words"] > rows[-1]["evidence"]["words"]


def list_duplicates(api: TestClient) -> list[list[str]]:
    findings = api.get("/api/review").json()["findings"]
    return [
        [lesson["id"] for lesson in finding["lessons"]]
        for finding in findings
        if finding["kind"] == "duplicate"
    ]


def test_duplicates_are_updated_after_changes(api: TestClient) -> None:
    assert list_duplicates(api) == [["a", "b"]]
    api.put("/api/lessons/b", json={"text": "Squash before you merge."}).raise_for_status()
    assert not list_duplicates(api)
    api.put("/api/lessons/b", json={"text": ROWS[2]["text"]}).raise_for_status()
    assert list_duplicates(api) == [["b", "c"]]
    api.delete("/api/lessons/c").raise_for_status()
    assert not list_duplicates(api)


def test_higher_threshold_answers_fewer_prompts(api: TestClient) -> None:
    rows = api.get("/api/thresholds").json()["thresholds"]
    assert [row["min_score"] for row in rows] == [step / 200 for step in range(201)]
    for before, after in pairwise(rows):
        assert before["silent"] <= after["silent"]
        assert before["injected"] >= after["injected"]
    for row in rows:
        assert row["answered"] + row["wrong"] + row["silent"] == pytest.approx(1)


def test_explanation_matches_the_hook_response(api: TestClient) -> None:
    event = {"prompt": PROMPT}
    explained = api.post("/api/explain", json=event).json()
    answer = api.post("/hooks/user-prompt-submit", json=event).json()
    assert explained["context"] == answer["hookSpecificOutput"]["additionalContext"]
    candidates = explained["collections"]["lessons"]["candidates"]
    threshold = explained["collections"]["lessons"]["threshold"]
    assert [candidate["id"] for candidate in candidates if candidate["score"] < threshold] == ["c"]


def test_explanation_records_nothing(api: TestClient) -> None:
    assert api.get("/api/given").json()["recorded"] is False


def test_injected_lessons_are_counted(service: LessonService, tmp_path: Path) -> None:
    service.given_record = GivenRecord(tmp_path / "given.jsonl")
    client = TestClient(build_app(service), base_url="http://127.0.0.1:7731")
    client.post("/api/ingest/bulk", json={"lessons": ROWS}).raise_for_status()
    for session in ("one", "two"):
        client.post("/hooks/user-prompt-submit", json={"prompt": PROMPT, "session_id": session})
    days = service.given_record.summarize().days
    assert {(identity, day.total()) for (_, identity), day in days.items()} == {("a", 2), ("b", 2)}
    counts = client.get("/api/given").json()
    assert (counts["never"], counts["never_count"]) == (["c"], 1)
    text = (tmp_path / "given.jsonl").read_text()
    assert PROMPT not in text
    assert "one" not in text


def test_prompts_are_recorded_on_request(tmp_path: Path) -> None:
    path = tmp_path / "given.jsonl"
    record = GivenRecord(path, prompts=True)
    record.add("s", PROMPT, [(Lesson("a", "A lesson."), 0.5)])
    assert PROMPT in path.read_text()
    assert path.stat().st_mode & 0o077 == 0
    with path.open("ab") as file:
        file.write(b'{"time": 3}\n\xff\n[]\n{"a"\n' + b"[" * 100_000 + b"\n")
    record.add("s", PROMPT, [(Lesson("b", "A lesson."), 0.5)])
    assert len(record.summarize().days) == 2


def test_record_size_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lesson_search.prompts.given_record.MAX_SIZE", 1_000)
    record = GivenRecord(tmp_path / "given.jsonl")
    for number in range(40):
        record.add(None, PROMPT, [(Lesson(str(number), "A lesson."), 0.5)])
    sizes = [path.stat().st_size for path in tmp_path.iterdir()]
    assert len(sizes) == 2
    assert max(sizes) < 1_200
    assert len(record.summarize().days) > 10


def test_unwritable_record_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "given.jsonl").symlink_to(tmp_path / "elsewhere")
    GivenRecord(tmp_path / "given.jsonl").add(None, PROMPT, [(Lesson("a", "A lesson."), 0.5)])
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such pipes")
def test_pipe_does_not_block(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    os.mkfifo(tmp_path / "given.jsonl")
    record = GivenRecord(tmp_path / "given.jsonl")
    for _ in range(2):
        record.add(None, PROMPT, [(Lesson("a", "A lesson."), 0.5)])
    [message] = caplog.messages
    assert "cannot record injected lessons" in message


def test_deleted_lesson_can_be_restored(api: TestClient) -> None:
    before = api.get("/api/lessons/a").json()
    back = {"If-None-Match": "*"}
    assert api.post("/api/ingest", json=before, headers=back).status_code == 412
    api.delete("/api/lessons/a").raise_for_status()
    assert api.post("/api/ingest", json=before, headers=back).status_code == 200
    assert api.get("/api/lessons/a").json() == before


def test_latest_deletions_are_listed(api: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lesson_search.service.lesson_service.MAX_DELETIONS", 2)
    before = api.get("/api/lessons/c").json()
    for name in ("a", "b", "c"):
        api.delete(f"/api/lessons/{name}").raise_for_status()
    deletions = api.get("/api/deletions/recent").json()["deletions"]
    assert [deletion["record"]["id"] for deletion in deletions] == ["c", "b"]
    assert (deletions[0]["collection"], deletions[0]["record"]) == ("lessons", before)
    api.post("/api/ingest", json=before, headers={"If-None-Match": "*"}).raise_for_status()
    (left,) = api.get("/api/deletions/recent").json()["deletions"]
    assert left["record"]["id"] == "b"


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="its time zone cannot be changed")
def test_days_use_the_local_time_zone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = GivenRecord(tmp_path / "given.jsonl")
    row = {"time": "2026-11-22T20:30:00Z", "collection": "lessons", "id": "a"}
    rows = [row, {**row, "time": "no time"}, {**row, "time": "0001-01-01T00:00:00Z"}]
    (tmp_path / "given.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    try:
        for zone, day in (("UTC0", "2026-11-22"), ("XXX-5", "2026-11-23"), ("XXX5", "2026-11-22")):
            monkeypatch.setenv("TZ", zone)
            time.tzset()
            assert day in record.summarize().days["lessons", "a"]
    finally:
        monkeypatch.undo()
        time.tzset()
