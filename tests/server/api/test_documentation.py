"""The API searches documentation databases like an agent's tools, and refreshes them."""

import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from hookwright_documentation.build import build
from hookwright_documentation.databases import FOLDER
from hookwright_documentation.recipes.recipe import Recipe
from hookwright_documentation.serving import lookup
from hookwright_documentation.serving.tool_runner import STOPPED, ToolAnswer, ToolRunner
from hookwright_documentation.serving.tools import SEARCH, call_tool
from lesson_search.api.middleware import Tokens
from lesson_search.background.refreshes import Refreshes
from lesson_search.server.application import build_app
from lesson_search.service.lesson_service import LessonService

from ...support.acme_documentation import PREFIX, write_site
from ...support.fake_documentation import INDEX, ROUTING, build_fake, write_database
from ...support.lesson_server_process import wait_for

BASE = "http://127.0.0.1:7731"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(sys.modules, INDEX, build_fake())
    monkeypatch.setenv(FOLDER, str(tmp_path / "docs"))
    write_database(tmp_path / "docs")
    return tmp_path / "docs"


@pytest.fixture
def api(service: LessonService, root: Path) -> TestClient:
    assert root.exists()
    return TestClient(build_app(service), base_url=BASE)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the source folder of a database called acme."""
    monkeypatch.setenv(FOLDER, str(tmp_path / "docs"))
    folder = tmp_path / "site"
    write_site(folder)
    recipe = Recipe("acme", ("acme",), str(folder), prefix=PREFIX, license="MIT")
    build(recipe, None, lambda _: None)
    return folder


def wait_until_ended(api: TestClient) -> dict[str, Any]:
    wait_for(lambda: not api.get("/api/databases/acme/refresh").json()["running"])
    return dict(api.get("/api/databases/acme/refresh").json())


def test_databases_are_listed(api: TestClient, root: Path) -> None:
    (write_database(root, "broken") / "database.json").write_text("{")
    broken, flask = api.get("/api/databases").json()["databases"]
    assert "hookwright refresh broken" in broken["error"]
    assert (flask["name"], flask["pages"], flask["version"]) == ("flask", 2, "2.2")
    assert (flask["license"], flask["engine"]) == ("BSD", "builtin")
    assert flask["bytes"] > 100
    assert flask["age"] is not None


def test_search_matches_the_agent_tool(api: TestClient) -> None:
    body = {"query": "converter", "top_k": 3}
    answer = api.post("/api/databases/flask/search", json=body).json()
    expected = call_tool(SEARCH, {"database": "flask", **body})
    mark = expected.split("==== ")[1][:8]
    assert answer["context"].replace(answer["context"].split("==== ")[1][:8], mark) == expected
    (hit,) = answer["hits"]
    assert (hit["url"], hit["score"]) == (ROUTING, 1.0)


def test_search_runs_in_a_worker_process(
    service: LessonService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "docs"))
    monkeypatch.setattr(lookup, "search", None)
    write_site(tmp_path / "site")
    recipe = Recipe("acme", ("acme",), str(tmp_path / "site"), prefix=PREFIX, license="MIT")
    build(recipe, None, lambda _: None, tmp_path / "docs")
    with TestClient(build_app(service, runner=ToolRunner(1)), base_url=BASE) as api:
        answer = api.post("/api/databases/acme/search", json={"query": "signed cookies"}).json()
        blank = api.post("/api/databases/acme/search", json={"query": " "})
        unknown = api.post("/api/databases/none/search", json={"query": "cookies"})
    assert "signed cookies" in answer["hits"][0]["text"]
    assert answer["hits"][0]["text"] in answer["context"]
    assert answer["hits"][0]["headings"] == ["How to session"]
    assert (blank.status_code, blank.json()["detail"][:6]) == (409, "query:")
    assert unknown.status_code == 404


def test_stopped_search_is_reported(service: LessonService, root: Path) -> None:
    assert root.exists()

    class Ending(ToolRunner):
        async def run(self, _name: str, _arguments: Mapping[str, Any]) -> ToolAnswer:
            return ToolAnswer(STOPPED, failed=True)

    api = TestClient(build_app(service, runner=Ending()), base_url=BASE)
    answer = api.post("/api/databases/flask/search", json={"query": "rule"})
    assert (answer.status_code, answer.json()) == (409, {"detail": STOPPED})


def test_page_starts_at_its_fragment(api: TestClient) -> None:
    url = "/api/databases/flask/page"
    page = api.get(url, params={"url": f"{ROUTING}#converters"}).json()
    assert page["before"].startswith("# Routing")
    assert page["text"].startswith("## Converters")
    assert api.get(url, params={"url": ROUTING}).json()["before"] == ""
    for wrong in ("http://127.0.0.1/none", "../../etc/passwd", "\x00"):
        assert api.get(url, params={"url": wrong}).status_code == 404


@pytest.mark.parametrize("name", ["none", "..", "-x", "%00", "A", "a" * 300])
def test_unknown_database_is_not_found(api: TestClient, name: str) -> None:
    calls = [
        api.post(f"/api/databases/{name}/search", json={"query": "x"}),
        api.get(f"/api/databases/{name}/page", params={"url": ROUTING}),
        api.post(f"/api/databases/{name}/refresh", json={}),
        api.get(f"/api/databases/{name}/refresh"),
    ]
    assert {call.status_code for call in calls} <= {404, 405}


def test_refresh_with_a_large_loss_needs_confirmation(service: LessonService, site: Path) -> None:
    api = TestClient(build_app(service), base_url=BASE)
    for name in ("install", "deploy"):
        (site / f"{name}.html").unlink()
    started = api.post("/api/databases/acme/refresh", json={})
    assert (started.status_code, started.json()["running"]) == (202, True)
    state = wait_until_ended(api)
    assert state["question"] == "acme would have 2 of 4 pages: replace the old ones?"
    assert (state["finished"], state["stage"] != "") == (False, True)
    assert state["message"] == "acme would have 2 of 4 pages: nothing was replaced"
    api.post("/api/databases/acme/refresh", json={"agree": True})
    state = wait_until_ended(api)
    assert (state["finished"], state["question"]) == (True, "")
    assert state["message"].startswith("2 pages, ")


@pytest.mark.long
def test_failed_refresh_is_reported(service: LessonService, site: Path) -> None:
    api = TestClient(build_app(service), base_url=BASE)
    site.rename(site.with_name("away\x1b[31m"))
    api.post("/api/databases/acme/refresh", json={})
    state = wait_until_ended(api)
    assert not state["finished"]
    assert state["message"].startswith("acme: kept the old pages: ")
    assert api.post("/api/databases/acme/refresh", json={}).status_code == 202
    wait_until_ended(api)


def test_refresh_without_a_thread_does_not_block_the_next(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert site.exists()
    refreshes = Refreshes()
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        with pytest.raises(RuntimeError, match="no thread"):
            refreshes.start("acme", agree=False)
    assert not refreshes.read("acme").running
    assert refreshes.start("acme", agree=False).running
    refreshes.close()
    wait_for(lambda: not refreshes.read("acme").running)


def refuse(_thread: threading.Thread) -> None:
    raise RuntimeError("no thread is left")


def test_concurrent_refreshes_are_refused(service: LessonService, site: Path) -> None:
    assert site.exists()
    refreshes = Refreshes()
    api = TestClient(build_app(service, refreshes=refreshes), base_url=BASE)
    assert api.post("/api/databases/acme/refresh", json={}).status_code == 202
    again = api.post("/api/databases/acme/refresh", json={})
    assert (again.status_code, again.json()["detail"][:23]) == (409, "acme is being refreshed")
    refreshes.close()
    state = wait_until_ended(api)
    assert not state["finished"]
    assert state["message"].startswith("the refresh ended early")


def test_read_only_token_searches_but_cannot_refresh(service: LessonService, root: Path) -> None:
    assert root.exists()
    app = build_app(service, None, Tokens("full", "read"))
    api = TestClient(app, base_url=BASE, headers={"Authorization": "Bearer read"})
    assert api.get("/api/databases").status_code == 200
    assert api.post("/api/databases/flask/search", json={"query": "rule"}).status_code == 200
    assert api.get("/api/databases/flask/page", params={"url": ROUTING}).status_code == 200
    assert api.get("/api/databases/flask/refresh").status_code == 200
    for path in ("/api/databases/flask/refresh", "/api/databases/x/search/y", "/api/hooks/x/try"):
        assert api.post(path, json={}).status_code == 403
    for path in ("/api/hooks", "/api/hooks/x", "/api/activity"):
        assert api.get(path).status_code == 403
