"""A server without a token serves only its own user, and clients use only their user's servers."""

import json
import signal
import socket
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hookwright_console.network.server_address import write_address
from lesson_search.server.serve import Server
from lesson_search.storage.data_folder import lock_folder

from ...support.command_line import CommandLine, serve
from ...support.lesson_server_process import LessonServer
from ...support.other_users import LISTEN, NOBODY, needs_root, start_as

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator

LESSON = {"text": "Written by another user."}
ASK = """
port, request = int(sys.argv[1]), sys.argv[2].encode()
with socket.create_connection(("127.0.0.1", port)) as server:
    server.sendall(request)
    while part := server.recv(65536):
        print(part.decode(), end="")
"""


def write_request(method: str, path: str, body: object = None, **headers: str) -> str:
    content = "" if body is None else json.dumps(body)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    head = {"Host": "127.0.0.1", "Connection": "close", "Content-Type": "application/json", **named}
    lines = [f"{name}: {value}" for name, value in head.items()]
    lines = [f"{method} {path} HTTP/1.1", *lines, f"Content-Length: {len(content)}", "", content]
    return "\r\n".join(lines)


def ask_as_nobody(url: str, *requests: str) -> list[str]:
    port = url.rpartition(":")[2]
    with start_as(NOBODY, ASK, port, "".join(requests)) as process:
        output, errors = process.communicate(timeout=20)
    assert errors == ""
    return ["HTTP" + answer for answer in output.split("HTTP")[1:]]


@needs_root
@pytest.mark.parametrize(
    "spoof",
    [
        {"X_Forwarded_For": "127.0.0.1", "X_Real_IP": "127.0.0.1", "Forwarded": "for=127.0.0.1"},
        {
            "Authorization": "Bearer anything",
            "Host": "localhost",
            "Origin": "http://localhost",
            "Sec_Fetch_Site": "same-origin",
        },
    ],
    ids=["proxy", "own page with a token"],
)
def test_other_users_are_rejected(served: LessonServer, spoof: dict[str, str]) -> None:
    for request in (
        write_request("GET", "/api/health", **spoof),
        write_request("POST", "/api/ingest", LESSON, **spoof),
        write_request("POST", "/hooks/user-prompt-submit", {"prompt": "What is new?"}, **spoof),
        write_request("GET", "/docs", **spoof),
    ):
        [answer] = ask_as_nobody(served.url, request)
        head, _, body = answer.partition("\n\n")
        assert head.startswith("HTTP/1.1 403 ")
        detail = json.loads(body)["detail"]
        assert "ask its owner to set LESSON_SEARCH_TOKEN" in detail
        assert "\n" not in detail
    assert served.ask("/api/health")["lesson_count"] == 0


@needs_root
def test_kept_connection_of_another_user_stays_rejected(served: LessonServer) -> None:
    first = write_request("GET", "/api/health", Connection="keep-alive")
    answers = ask_as_nobody(served.url, first, write_request("POST", "/api/ingest", LESSON))
    assert all(answer.startswith("HTTP/1.1 403 ") for answer in answers)
    assert served.ask("/api/health")["lesson_count"] == 0


def test_own_connection_is_kept_alive(served: LessonServer) -> None:
    first = write_request("GET", "/api/health", Connection="keep-alive")
    with socket.create_connection(("127.0.0.1", int(served.url.rpartition(":")[2]))) as own:
        own.sendall((first + write_request("GET", "/api/health")).encode())
        received = b"".join(iter(lambda: own.recv(65_536), b""))
    assert received.count(b"HTTP/1.1 200 ") == 2


@pytest.mark.long
@needs_root
def test_token_admits_other_users(tmp_path: Path) -> None:
    health = write_request("GET", "/api/health")
    with serve(tmp_path, LESSON_SEARCH_TOKEN="s3same") as url:  # noqa: S106 - a made-up one
        [without] = ask_as_nobody(url, health)
        [answer] = ask_as_nobody(
            url, write_request("GET", "/api/health", Authorization="Bearer s3same")
        )
    assert without.startswith("HTTP/1.1 401 ")
    assert answer.startswith("HTTP/1.1 200 ")


@contextmanager
def foreign_listener() -> "Iterator[tuple[str, subprocess.Popen[str]]]":
    with start_as(NOBODY, LISTEN) as process:
        try:
            assert process.stdout
            yield f"http://127.0.0.1:{int(process.stdout.readline())}", process
        finally:
            process.kill()


@needs_root
@pytest.mark.parametrize("noted", [False, True])
def test_server_of_another_user_is_not_queried(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch, *, noted: bool
) -> None:
    monkeypatch.setenv("LESSON_SEARCH_TOKEN", "s3same")
    with foreign_listener() as (url, process):
        lock = lock_folder(command_line.folder)
        if noted:
            write_address(command_line.folder, url)
        line = command_line.error("list", *(() if noted else ("--url", url)))
        lock.release()
        assert f"port {url.rpartition(':')[2]} is held by another user" in line
        assert "another --port" in line
        assert process.stdout
        assert process.stdout.readline() == "0\n"


@needs_root
def test_proxy_of_another_user_is_used(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    with foreign_listener() as (proxy, _):
        monkeypatch.setenv("HTTP_PROXY", proxy)
        line = command_line.error("list", "--url", "http://lessons.example")
    assert "answered 502" in line


@pytest.mark.parametrize("token", ["", "s3same"])
@pytest.mark.parametrize("tells", [False, True])
def test_remaining_access_is_reported(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch, token: str, *, tells: bool
) -> None:
    monkeypatch.setenv("LESSON_SEARCH_TOKEN", token)
    monkeypatch.setattr("lesson_search.cli.serve.can_find_owner", lambda: tells)
    monkeypatch.chdir(Path.cwd())  # the server changes the current folder

    def report_ready(server: Server, sockets: list[socket.socket]) -> None:
        for listener in sockets:
            listener.close()
        vars(server)["_ready"]()

    monkeypatch.setattr(Server, "run", report_ready)
    handler, interval = signal.getsignal(signal.SIGTERM), sys.getswitchinterval()
    completed = command_line.run("serve", "--port", "0")
    signal.signal(signal.SIGTERM, handler)
    sys.setswitchinterval(interval)
    assert completed.code == 0
    assert ("set LESSON_SEARCH_TOKEN to keep others out" in completed.errors) is (
        not tells and not token
    )
