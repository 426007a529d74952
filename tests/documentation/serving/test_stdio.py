"""Tests of the server over stdin and stdout, in real processes."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.types import CallToolResult

from hookwright_documentation.databases import FOLDER
from hookwright_documentation.serving.registration import build_stdio_entry

from ...support.fake_documentation import write_database

FAKE = [sys.executable, "-m", "tests.support.fake_documentation"]
PATIENCE = 60


async def ask_all(entry: dict[str, Any], *calls: tuple[str, dict[str, Any]]) -> list[str]:
    parameters = StdioServerParameters(
        command=entry["command"], args=entry["args"], env={**os.environ, **entry["env"]}
    )
    answers = [""] * len(calls)
    async with stdio_client(parameters) as streams, ClientSession(*streams) as session:
        await session.initialize()
        names = [tool.name for tool in (await session.list_tools()).tools]

        async def ask(number: int) -> None:
            result = await session.call_tool(*calls[number])
            assert isinstance(result, CallToolResult)
            answers[number] = f"{'error: ' if result.is_error else ''}{result.content[0].text}"  # type: ignore[union-attr] # it is a text

        async with anyio.create_task_group() as group:
            for number in range(len(calls)):
                group.start_soon(ask, number)
    return [*names, *answers]


def test_registered_command_serves_requests(flask: Path) -> None:
    assert flask.exists()
    entry = build_stdio_entry()
    unknown = ("search_docs", {"database": "nothing", "query": "a"})
    *names, listed, refused = anyio.run(ask_all, entry, ("list_databases", {}), unknown)
    assert names == ["search_docs", "read_page", "list_databases"]
    assert "\nflask: Flask 2.2, 2 pages" in listed
    assert refused == "error: no documentation database 'nothing': use flask"


def start(root: Path) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        FAKE,
        env={**os.environ, FOLDER: str(root)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    client = {"name": "test", "version": "0"}
    start = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
    send(process, "initialize", start, 1)
    send(process, "notifications/initialized", {})
    assert process.stdout
    assert json.loads(process.stdout.readline())["id"] == 1
    return process


def send(
    process: "subprocess.Popen[str]", method: str, params: dict[str, Any], number: int | None = None
) -> None:
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    assert process.stdin
    process.stdin.write(json.dumps(message | ({"id": number} if number else {})) + "\n")
    process.stdin.flush()


def call(process: "subprocess.Popen[str]", number: int, query: str) -> None:
    arguments = {"database": "flask", "query": query}
    send(process, "tools/call", {"name": "search_docs", "arguments": arguments}, number)


def test_only_answers_are_printed_until_stdin_closes(tmp_path: Path) -> None:
    """Text that a search prints is not mixed with the server's answers."""
    write_database(tmp_path)
    with start(tmp_path) as process:
        assert process.stdin
        assert process.stdout
        call(process, 2, "wait")
        send(process, "notifications/cancelled", {"requestId": 2})
        process.stdin.write("rubbish\n")
        call(process, 3, "client")
        assert json.loads(process.stdout.readline())["id"] is None
        answer = json.loads(process.stdout.readline())
        assert answer["id"] == 3
        assert "A test client" in answer["result"]["content"][0]["text"]
        call(process, 4, "wait")
        process.stdin.close()
        assert process.wait(5) == 0
        assert all(json.loads(line)["id"] == 4 for line in process.stdout)


def test_unreadable_request_gets_an_error(tmp_path: Path) -> None:
    write_database(tmp_path)
    call = '{"jsonrpc": "2.0", "id": %s, "method": "tools/call", "params": %s}\n'
    cut = '{"name": "search_docs", "arguments": {"database": "flask", "query": "\\ud83d client"}}'
    lines = {
        call % (5, cut): (5, "hex escape"),
        call % ('"a"', '{"a":' * 900 + "1" + "}" * 900): ("a", "recursion limit exceeded"),
        call % (6, "3"): (6, "should be an object"),
        f"[{call.strip() % (7, cut)}]\n": (None, "Invalid JSON"),
        f"[{call.strip() % (7, '{}')}]\n": (None, "should be an object"),
        '{"jsonrpc": "2.0", "id": 1, "result": 3}\n': (None, "Field required"),
    }
    with start(tmp_path) as process:
        assert process.stdin
        assert process.stdout
        for line, (number, reason) in lines.items():
            process.stdin.write(line)
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            assert answer["id"] == number, line[:80]
            assert reason in answer["error"]["message"]
        process.stdin.close()
        assert process.wait(PATIENCE) == 0


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_stops_the_server_silently(tmp_path: Path, number: signal.Signals) -> None:
    with start(tmp_path) as process:
        process.send_signal(number)
        assert process.wait(5) == -number
        assert process.stderr
        assert process.stderr.read() == ""


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGPIPE")
def test_closed_client_stops_the_server_silently(tmp_path: Path) -> None:
    command = [str(Path(sys.executable).with_name("hookwright")), "docs-mcp"]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, FOLDER: str(tmp_path)},
    ) as process:
        assert process.stdout
        process.stdout.close()
        parameters = {"protocolVersion": "2025-06-18", "capabilities": {}}
        send(process, "initialize", parameters | {"clientInfo": {"name": "a", "version": "1"}}, 1)
        assert process.wait(PATIENCE) == -signal.SIGPIPE
        assert process.stderr
        assert process.stderr.read() == ""


def test_search_uses_one_thread() -> None:
    variables = {name: os.environ[name] for name in os.environ if name != "OPENBLAS_NUM_THREADS"}
    script = (
        "import hookwright_documentation, os, sys;"
        "print(os.environ['OPENBLAS_NUM_THREADS'], 'numpy' in sys.modules)"
    )
    output = subprocess.check_output([sys.executable, "-c", script], env=variables, text=True)
    assert output == "1 False\n"
