"""Only requests that exceed the time limit are dropped."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPConnection
from select import select

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from lesson_search.server import slow_requests
from lesson_search.server.serve import Server, bind

from ...support.lesson_server_process import wait_for

ASKED = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
LARGE = 20_000_000  # bytes, more than any system buffer
ASKED_LARGE = ASKED.replace(b"/", b"/large", 1)
POSTED = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n"


async def answer(scope, receive, send) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    while scope["type"] == "http" and (await receive()).get("more_body"):
        pass
    body = b"a" * LARGE if scope["path"] == "/large" else b"ok"
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


@pytest.fixture(params=["h11", "httptools"])
def port(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    monkeypatch.setattr(slow_requests, "HEADERS_IN", 0.3)
    monkeypatch.setattr(slow_requests, "BODY_IN", 0.3)
    monkeypatch.setattr(slow_requests, "ANSWER_READ", 0.3)
    with bind("127.0.0.1", 0) as listener:
        ready = threading.Event()
        server = Server(Starlette(routes=[Mount("", answer)]), ready.set)
        server.config.http = request.param
        thread = threading.Thread(
            target=lambda: asyncio.run(server.serve([listener])), name="server"
        )
        thread.start()
        assert ready.wait(10)
        yield listener.getsockname()[1]
        server.should_exit = True
        thread.join()


@contextmanager
def connecting(port: int, sent: bytes = b"") -> Iterator[socket.socket]:
    with closing(socket.create_connection(("127.0.0.1", port), timeout=10)) as connection:
        connection.sendall(sent)
        yield connection


def test_incomplete_request_times_out(port: int) -> None:
    halves = [b"", b"GET", ASKED[:-2], POSTED, POSTED + b"part", ASKED + POSTED]
    with ExitStack() as stack:
        connections = [stack.enter_context(connecting(port, half)) for half in halves]
        for half, connection in zip(halves, connections, strict=True):
            with connection.makefile("rb") as answers:
                assert answers.read().count(b"200 OK") == half.startswith(ASKED)


def test_trickling_body_times_out(port: int) -> None:
    with connecting(port, POSTED.replace(b"9", b"9999")) as connection:
        connection.settimeout(0.01)

        def is_closed() -> bool:
            try:
                connection.sendall(b"a")
                return connection.recv(1) == b""
            except TimeoutError:
                return False
            except OSError:
                return True

        wait_for(is_closed)


@pytest.mark.parametrize("asked", [ASKED_LARGE, ASKED_LARGE + POSTED])
def test_unread_response_times_out(port: int, asked: bytes) -> None:
    with connecting(port, asked) as connection:
        assert connection.recv(1) == b"H"
        with connecting(port) as other:
            assert other.recv(1) == b""  # wait until the time limit has passed
        received = 0
        with suppress(ConnectionResetError):
            while part := connection.recv(1_000_000):
                received += len(part)
        assert received < LARGE


def test_idle_keep_alive_connection_is_kept(port: int) -> None:
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", "/")
    assert connection.getresponse().read() == b"ok"
    sock = connection.sock
    with connecting(port) as other:
        assert other.recv(1) == b""  # wait until the time limit has passed
    connection.request("POST", "/", b"a" * 9)
    assert connection.getresponse().read() == b"ok"
    assert connection.sock is sock
    connection.close()


def test_websocket_request_is_answered(port: int) -> None:
    upgrade = b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    key = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    with connecting(port, ASKED[:-2] + upgrade + key) as connection:
        assert connection.recv(15).endswith(b"200 OK")


def test_excess_connections_time_out_sooner(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slow_requests, "HEADERS_IN", 60)
    monkeypatch.setattr(slow_requests, "MAX_WAITING", 2)
    monkeypatch.setattr(slow_requests, "CROWDED_IN", 0)
    with connecting(port, b"GET") as one, connecting(port) as two, connecting(port) as three:
        [closed], _, _ = select([one, two, three], [], [], 10)
        assert closed.recv(1) == b""
        for other in (one, two, three):
            if other is not closed:
                other.sendall(ASKED.removeprefix(b"GET" if other is one else b""))
                assert other.recv(15).endswith(b"200 OK")
