"""Tests of the resident server's /mcp endpoint."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from httpx2 import AsyncClient
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from starlette.testclient import TestClient

from hookwright_documentation.serving import http
from hookwright_documentation.serving.registration import build_http_entry
from lesson_search.api.middleware import Tokens
from lesson_search.server.application import build_app
from lesson_search.server.serve import Server, bind
from lesson_search.service.lesson_service import LessonService

URL = "http://127.0.0.1:7731"
LIST = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "list_databases", "arguments": {}},
}
ACCEPT = {"Accept": "application/json, text/event-stream"}


@pytest.fixture
def served(flask: Path, service: LessonService) -> Iterator[str]:
    assert flask.exists()
    ready = threading.Event()
    server = Server(build_app(service), ready.set)
    with bind("127.0.0.1", 0) as listener:
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        assert ready.wait(20)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        thread.join()


async def search_all(entry: dict[str, Any], *queries: str) -> list[str]:
    answers: dict[int, str] = {}

    async def search(number: int) -> None:
        async with (
            AsyncClient(headers=entry.get("headers", {})) as http,
            streamable_http_client(entry["url"], http_client=http) as streams,
            ClientSession(*streams) as session,
        ):
            await session.initialize()
            assert len((await session.list_tools()).tools) == 3
            arguments = {"database": "flask", "query": queries[number]}
            result = await session.call_tool("search_docs", arguments)
            answers[number] = result.content[0].text  # type: ignore[union-attr] # it is a text

    async with anyio.create_task_group() as group:
        for number in range(len(queries)):
            group.start_soon(search, number)
    return [answers[number] for number in range(len(queries))]


def test_clients_search_concurrently(served: str) -> None:
    entry = build_http_entry(served, token=False)
    answers = anyio.run(search_all, entry, "client", "converter", "zebra")
    assert "A test client sends requests." in answers[0]
    assert "A converter is a part of a rule." in answers[1]
    assert answers[2].startswith("flask has nothing about this")


def test_stateless_request_is_answered(root: Path, service: LessonService) -> None:
    assert not root.exists()
    with TestClient(build_app(service), base_url=URL) as client:
        answer = client.post("/mcp", json=LIST, headers=ACCEPT)
    assert answer.status_code == 200
    assert "no documentation database yet" in answer.json()["result"]["content"][0]["text"]
    assert "mcp-session-id" not in answer.headers


def test_notification_is_accepted(root: Path, service: LessonService) -> None:
    assert not root.exists()
    message = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    with TestClient(build_app(service), base_url=URL) as client:
        answer = client.post("/mcp", json=message, headers=ACCEPT)
    assert (answer.status_code, answer.content) == (202, b"")


@pytest.mark.parametrize(
    "body", ["", "[", "[" * 10_000, "{}", json.dumps([LIST]), json.dumps({**LIST, "params": 5})]
)
def test_malformed_request_is_rejected(root: Path, service: LessonService, body: str) -> None:
    assert not root.exists()
    headers = {**ACCEPT, "Content-Type": "application/json"}
    with TestClient(build_app(service), base_url=URL) as client:
        answer = client.post("/mcp", content=body, headers=headers)
    assert answer.json()["error"]["message"]


def test_large_request_is_rejected(root: Path, service: LessonService) -> None:
    assert not root.exists()
    call = {**LIST, "params": {"name": "list_databases", "arguments": {"x": "y" * 100_000}}}
    with TestClient(build_app(service), base_url=URL) as client:
        assert client.post("/mcp", json=call, headers=ACCEPT).status_code == 413


def test_excess_requests_are_rejected(
    root: Path, service: LessonService, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not root.exists()
    monkeypatch.setattr(http, "MAX_OPEN", 0)
    answer = TestClient(build_app(service), base_url=URL).post("/mcp", json=LIST)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
    assert answer.json() == {"detail": "too many requests at once: try again in a second"}


def test_keywords_are_listed_for_programs(flask: Path, service: LessonService) -> None:
    with TestClient(build_app(service), base_url=URL) as client:
        answer = client.post("/mcp", json=LIST, headers=ACCEPT).json()
    (row,) = answer["result"]["_meta"]["hookwright/databases"]
    assert (row["name"], row["keywords"], row["pages"]) == ("flask", ["flask"], 2)
    assert str(flask.parent) not in json.dumps(row)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Authorization": ""}, 401),
    ],
)
def test_checks_match_the_api(
    service: LessonService, root: Path, headers: dict[str, str], status: int
) -> None:
    assert not root.exists()
    app = build_app(service, tokens=Tokens("secret"))
    client = TestClient(app, base_url=URL, headers={"Authorization": "Bearer secret"})
    assert client.post("/mcp", json=LIST, headers=headers).status_code == status


def test_only_post_is_accepted(service: LessonService, root: Path) -> None:
    assert not root.exists()
    client = TestClient(build_app(service), base_url=URL)
    for method in ("GET", "DELETE"):
        answer = client.request(method, "/mcp", headers=ACCEPT)
        assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
        assert answer.headers["Connection"] == "close"
        assert answer.json() == {"detail": "use POST: this server has no sessions"}
