"""doctor checks the lesson server without sending queries to an impostor."""

from dataclasses import replace
from pathlib import Path

import pytest

from hookwright.doctor.finding import Finding, find_setup
from hookwright.doctor.lessons import check_lessons, check_server
from hookwright.doctor.project import check_patterns

from ...support.fake_health import Health, answer_health
from ...support.loopback_server import LoopbackServer
from ...support.other_users import LISTEN, NOBODY, needs_root, start_as


def test_lesson_server_health_is_queried(lessons: Path) -> None:
    for health, status, told in [
        (Health(), "ok", "is healthy, with 3 lessons"),
        (Health(status="degraded", embedder="down"), "warn", "is degraded (embedder down)"),
        (Health(version="9.9.9"), "warn", "runs 9.9.9, hookwright is"),
        (Health(code=401), "fault", "requires a token: set LESSON_SEARCH_TOKEN"),
        (Health(code=403), "fault", "belongs to another user: ask them to set LESSON_SEARCH_TOKEN"),
        (Health(code=500), "fault", "answers 500"),
        (Health(raw=b"[" * 90_000), "fault", "is not a lesson search server"),
        (Health(status_line=b"nonsense"), "fault", "is not a lesson search server"),
        (None, "fault", "did not respond (Connection refused): run lesson-search serve --port "),
    ]:
        with LoopbackServer(answer_health(health or Health())) as server:
            finding = check(lessons, server.url)
        if health is None:  # the server has exited
            finding = check(lessons, server.url)
        assert (finding.status, told in finding.line) == (status, True), finding


def test_project_without_routes_has_no_finding_about_patterns(lessons: Path) -> None:
    assert list(check_patterns(find_setup(lessons))) == []


@pytest.mark.parametrize("url", ["http://[x", "http://:80", "http://a:b", "ftp://a", "a", "http:"])
def test_invalid_address_is_reported(lessons: Path, url: str) -> None:
    line = f"{url} is not the address of a server: run hookwright edit --project {lessons}"
    assert check(lessons, url) == Finding("lessons", "fault", line)


def check(project: Path, url: str) -> Finding:
    (finding,) = check_lessons(replace(find_setup(project), lesson_url=url))
    return finding


@needs_root
def test_server_of_another_user_is_not_queried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LESSON_SEARCH_TOKEN", "s3same")
    with start_as(NOBODY, LISTEN) as process:
        assert process.stdout
        url = f"http://127.0.0.1:{int(process.stdout.readline())}"
        finding = check_server(url, [], "edit")
        assert process.stdout.readline() == "0\n"
        process.kill()
    assert finding.status == "fault"
    assert f"did not query {url}: port {url[17:]} is held by another" in finding.line


@pytest.mark.parametrize("token", ["", "s3same"])
@pytest.mark.parametrize("tells", [False, True])
def test_unchecked_parts_are_reported(
    monkeypatch: pytest.MonkeyPatch, token: str, *, tells: bool
) -> None:
    monkeypatch.setenv("LESSON_SEARCH_TOKEN", token)
    monkeypatch.setattr("hookwright.doctor.lessons.can_find_owner", lambda: tells)
    with LoopbackServer(answer_health(Health())) as server:
        finding = check_server(server.url, [], "edit")
    assert finding.status == "ok"
    assert ("other users of this machine can ask it" in finding.line) is (not tells and not token)
