"""Tests of the page's HTTP responses, without a browser."""

import re

import pytest
from starlette.testclient import TestClient

from lesson_search.server.application import build_app
from lesson_search.service.lesson_service import LessonService

ASSET = re.compile(r'(?:src|href)="(page/[^"]+)"')
IMPORT = re.compile(r'(?:from |import\()"\./([^"]+)"')


@pytest.fixture
def api(service: LessonService) -> TestClient:
    return TestClient(build_app(service), base_url="http://127.0.0.1:7731")


def test_page_has_security_headers(api: TestClient) -> None:
    answer = api.get("/")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert not re.search(r"<script(?![^>]* src=)|<style| style=| on\w+=|//", answer.text)


def test_all_files_are_served(api: TestClient) -> None:
    names = set(ASSET.findall(api.get("/").text))
    assert names >= {"page/page.js", "page/page.css", "page/icon.svg"}
    while True:
        texts = [api.get(f"/{name}").raise_for_status().text for name in names]
        more = {f"page/{name}" for text in texts for name in IMPORT.findall(text)} - names
        if not more:
            break
        names |= more
    assert api.get("/page/page.js").headers["content-type"].startswith("text/javascript")


@pytest.mark.parametrize("name", ["page.html", "../routes.py", "%2e%2e%2froutes.py", "x.js"])
def test_other_files_are_not_served(api: TestClient, name: str) -> None:
    assert api.get(f"/page/{name}").status_code == 404


def test_treemap_is_drawn(api: TestClient) -> None:
    api.post("/api/ingest", json={"text": "A lesson.", "categories": ["devops/docker"]})
    drawn = api.get("/page/treemap", params={"below": "devops", "width": 300})
    assert drawn.headers["content-type"].startswith("image/svg+xml")
    assert 'href="#/lessons?category=devops/docker"' in drawn.text
    assert api.get("/page/treemap", params={"below": '"><script>'}).status_code == 422


def test_treemap_handles_many_categories(api: TestClient) -> None:
    rows = [{"text": f"Lesson {n}.", "categories": [f"c{n}"]} for n in range(41)]
    api.post("/api/ingest/bulk", json={"lessons": rows})
    drawn = api.get("/page/treemap").text
    assert drawn.count("<a ") == drawn.count("</a>") == 39
    assert '<g role="img" class="tile shade-5" aria-label="2 others, 2 lessons">' in drawn


def test_get_changes_nothing(api: TestClient) -> None:
    for path in ("/", "/page/treemap", "/page/page.js"):
        for method in ("POST", "PUT", "DELETE", "PATCH"):
            assert api.request(method, path).status_code == 405
