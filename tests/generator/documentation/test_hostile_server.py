"""Invalid data from a team server is rejected in one line; other data is shown before use."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from hookwright.documentation.database_records import list_shared_words
from hookwright.documentation.team_server import (
    DATABASES,
    SharedDatabase,
    build_team_server,
    list_shared,
    prove_shared,
    read_row,
)
from hookwright_console.errors import RefusedError, ReportedError

from ...support.loopback_server import LoopbackServer

ROW = {"name": "acme", "keywords": ["acme"], "title": "t", "prefix": "https://a.example/"}
ROW |= {"version": "", "pages": 1}  # type: ignore[dict-item]
OFFLINE = build_team_server("team-docs", "https://a.example/mcp", "X")


@contextmanager
def serving(answer: Callable[[], bytes]) -> Iterator[str]:
    class Tools(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            body = b""
            if request["method"] == "initialize":
                version = request["params"]["protocolVersion"]
                result = {"protocolVersion": version, "capabilities": {"tools": {}}}
                result |= {"serverInfo": {"name": "x", "version": "1"}}
                body = write(result)
            elif request["method"] == "tools/list":
                body = write({"tools": []})
            elif "id" in request:
                body = answer()
            body = body.replace(b"ID", str(request.get("id")).encode(), 1)
            self.send_response(200 if body else 202)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with LoopbackServer(Tools) as server:
        yield f"http://127.0.0.1:{server.server_port}/mcp"


def write(result: dict[str, Any]) -> bytes:
    return b'{"jsonrpc": "2.0", "id": ID, "result": ' + json.dumps(result).encode() + b"}"


def write_rows(*rows: object) -> bytes:
    return write({"content": [], "_meta": {DATABASES: [*rows]}})


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (write_rows(ROW, ROW), "lists the database acme twice"),
        (write_rows(*[{**ROW, "name": f"a{n}"} for n in range(101)]), "over 100 databases"),
        (b"x" * 10_000_001, "over 10,000,000 bytes"),
    ],
)
def test_hostile_list_is_rejected(answer: bytes, reason: str) -> None:
    with serving(lambda: answer) as url:
        server = build_team_server("team-docs", url, "X")
        with pytest.raises(ReportedError, match=reason) as raised:
            list_shared(server, "X")
    assert str(raised.value).isprintable()


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (
            {"prefix": "https://a.example/ a b"},
            r"lists an invalid database: acme \(prefix: https://a.example/ a b\)",
        ),
        ({"prefix": "https://[::1"}, "lists an invalid database: acme"),
        ({"prefix": "https://me:pw@a.example/"}, "lists an invalid database: acme"),
        ({"prefix": "javascript:x"}, r"lists an invalid database: acme \(prefix: javascript:x\)"),
        ({"pages": "1"}, r"lists an invalid database: acme \(pages: 1\)"),
        ({"keywords": ["acme", "how to"]}, "has the keyword 'how to'"),
    ],
)
def test_invalid_database_does_not_block_others(bad: dict[str, Any], reason: str) -> None:
    other = {**ROW, "name": "other"}
    with serving(lambda: write_rows({**ROW, **bad}, other)) as url:
        databases, faults = list_shared(build_team_server("team-docs", url, "X"), "X")
    assert [database.name for database in databases] == ["other"]
    assert list(faults) == ["acme"]
    assert re.search(reason, faults["acme"])
    assert faults["acme"].isprintable()


@pytest.mark.parametrize(
    "prefix", ["https://a.example/", "http://a/", "file:///a/", "python://", ""]
)
def test_each_page_kind_is_accepted(prefix: str) -> None:
    assert read_row({**ROW, "prefix": prefix}, OFFLINE).prefix == prefix


@pytest.mark.parametrize(
    "answer",
    [
        write_rows({**ROW, "title": "\ud800"}),
        write({"content": "x" * 10_000}),
        b'{"jsonrpc": "2.0", "id": ID, "error": {"code": 1, "message": "' + b"x" * 9_999 + b'"}}',
    ],
)
def test_no_response_causes_a_traceback(
    answer: bytes, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hookwright.documentation.team_server.TIME_LIMIT", 2.0)
    with serving(lambda: answer) as url, pytest.raises(ReportedError) as raised:
        list_shared(build_team_server("team-docs", url, "X"), "X")
    assert len(str(raised.value)) < 400
    assert str(raised.value).isprintable()
    assert "Traceback" not in "".join(capfd.readouterr())


def test_address_inside_a_word_does_not_crash() -> None:
    answer = write({"content": [{"type": "text", "text": "see:https://a.example/x"}]})
    with serving(lambda: answer) as url:
        server = build_team_server("team-docs", url, "X")
        assert prove_shared(server, [read_row(ROW, server)]) == ROW["prefix"]


def test_overly_broad_keyword_is_rejected() -> None:
    for keyword in ["the", "how to", "a", "...", "What's", "I", "-", "error", "how do I"]:
        with pytest.raises(RefusedError, match="too common in searches about anything"):
            read_row({**ROW, "keywords": [keyword]}, OFFLINE)


@pytest.mark.parametrize("keyword", ["python", "go", "c", "r", "c++", "next.js", "make", "\u8a9e"])
def test_specific_keyword_is_accepted(keyword: str) -> None:
    shared = read_row({**ROW, "keywords": [keyword]}, OFFLINE)
    assert shared == SharedDatabase("acme", (keyword,), "t", "https://a.example/", "", 1)


def test_keywords_of_other_databases_are_reported() -> None:
    tool = "mcp__team-docs__search_docs"
    old = {"keywords": ["Flask"], "domains": ["a.example"], "mcp_tool_name": "mcp__x__search"}
    own = {"keywords": ["acme"], "mcp_tool_name": tool}
    new = [
        {"keywords": ["acme", "flask"], "domains": ["a.example"], "mcp_tool_name": tool},
        {"keywords": ["other", "flask"], "mcp_tool_name": tool},
    ]
    assert list_shared_words([old, own], new, "team-docs") == [
        "acme has the keyword flask, which is also of Flask",
        "acme has the domain a.example, which is also of Flask",
        "other has the keyword flask, which is also of Flask, acme",
    ]
