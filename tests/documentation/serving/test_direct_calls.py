"""Calls that are answered without a session of the SDK."""

import json
from pathlib import Path
from typing import Any

import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.testclient import TestClient

from hookwright_documentation.serving import direct_calls, http
from hookwright_documentation.serving.http import DocumentationEndpoint

ACCEPT = "application/json, text/event-stream"
VERSION = HANDSHAKE_PROTOCOL_VERSIONS[-1]


def write_call(name: object = "list_databases", arguments: object = None, **others: object) -> str:
    """Return the body of a call."""
    parameters = {"name": name, "arguments": {} if arguments is None else arguments}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": parameters}
    return json.dumps({**call, **others})


def ask(body: str, version: str = VERSION, accept: str = ACCEPT) -> tuple[int, Any]:
    """Return the status and the body of the answer to a request."""
    headers = {
        "Content-Type": "application/json",
        "Accept": accept,
        "MCP-Protocol-Version": version,
    }
    answer = TestClient(DocumentationEndpoint()).post("/mcp", content=body, headers=headers)
    return answer.status_code, answer.json() if answer.content else None


@pytest.mark.parametrize("version", HANDSHAKE_PROTOCOL_VERSIONS)
def test_answer_is_that_of_the_sdk(
    flask: Path, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    """In each version of the protocol a call has the answer that the SDK would give."""
    assert flask.exists()
    monkeypatch.setattr("secrets.token_hex", lambda _: "0" * 8)
    body = write_call("search_docs", {"database": "flask", "query": "client"}, id="a")
    direct = ask(body, version)
    monkeypatch.setattr(direct_calls, "read_call", lambda *_: None)
    assert ask(body, version) == direct
    assert "A test client sends requests." in direct[1]["result"]["content"][0]["text"]


@pytest.mark.parametrize(
    ("body", "accept"),
    [
        (write_call("search"), ACCEPT),
        (write_call(5), ACCEPT),
        (write_call(arguments=[1]), ACCEPT),
        (write_call(arguments={"x": 1}), ACCEPT),
        (write_call(jsonrpc="1.0"), ACCEPT),
        (write_call(method="tools/list"), ACCEPT),
        (write_call(method="ping", params={}), ACCEPT),
        (write_call(params=None), ACCEPT),
        (f"[{write_call()}]", ACCEPT),
        (write_call()[:-1], ACCEPT),
        ("[" * 10_000, ACCEPT),
        ("", ACCEPT),
        (write_call(), "text/html"),
        (write_call(), "application/json"),
    ],
)
def test_odd_requests_are_left_to_the_sdk(
    root: Path, monkeypatch: pytest.MonkeyPatch, body: str, accept: str
) -> None:
    """Whatever is no plain call of a tool has the SDK's answer."""
    assert not root.exists()
    direct = ask(body, accept=accept)
    monkeypatch.setattr(direct_calls, "read_call", lambda *_: None)
    assert ask(body, accept=accept) == direct


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        ("{}", "{}"),
        ("[1]", "[1]"),
        ("true", "True"),
        ("1e400", "inf"),
        ("1.5", "1.5"),
        ("null", "nothing"),
    ],
)
@pytest.mark.parametrize("method", ["tools/call", "tools/list"])
def test_request_with_a_wrong_id_is_told_so(
    root: Path, number: str, shown: str, method: str
) -> None:
    """A request whose ID is no string and no integer is invalid, and no notification."""
    assert not root.exists()
    body = write_call(id=1, method=method).replace('"id": 1', f'"id": {number}')
    reason = f"id: expected a string or an integer, got {shown}"
    error = {"code": -32600, "message": reason}
    assert ask(body) == (400, {"jsonrpc": "2.0", "id": None, "error": error})


def test_notification_is_accepted(root: Path) -> None:
    """A message without an ID needs no answer."""
    assert not root.exists()
    assert ask('{"jsonrpc": "2.0", "method": "notifications/initialized"}') == (202, None)


def test_large_request_is_refused(root: Path) -> None:
    """No search takes a hundred thousand bytes."""
    assert not root.exists()
    status, body = ask(write_call(arguments={"x": "y" * 100_000}))
    assert (status, list(body)) == (413, ["detail"])


def test_too_many_requests_are_refused(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that has more to do than it can take says so at once."""
    assert not root.exists()
    monkeypatch.setattr(http, "MAX_OPEN", 0)
    assert ask(write_call()) == (
        503,
        {"detail": "too many requests at once: try again in a second"},
    )


def test_programs_are_told_the_keywords(flask: Path) -> None:
    """What programs need to send searches here stands beside the text, with no path in it."""
    assert flask.exists()
    (row,) = ask(write_call())[1]["result"]["_meta"]["hookwright/databases"]
    assert (row["name"], row["keywords"], row["pages"]) == ("flask", ["flask"], 2)
    assert str(flask.parent) not in json.dumps(row)
