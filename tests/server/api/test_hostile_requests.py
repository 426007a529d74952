"""No request keeps the server from answering others."""

import os
import socket
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from ...support.hostile_requests import LARGEST, Request, list_requests
from ...support.hypothesis_profiles import mark_long
from ...support.lesson_server_process import LessonServer

MOST_WORK = 2.0  # seconds of CPU time, nine times the usual worst: no other program takes of it
PARTS = 1_000  # of 64 kB each
HEADS = {
    "path": b"GET /",
    "query": b"GET /page/treemap?below=",
    "header": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ",
    "headers": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n",
}


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="nothing tells its CPU time")
@pytest.mark.parametrize("number", [25, *mark_long([1_000])])
def test_server_answers_meanwhile(served: LessonServer, number: int) -> None:
    """Sent a hostile prompt of up to a million bytes, the server tells its health soon after."""
    served.ask("/api/ingest", {"text": "The Docker cache is lost by an early COPY."})
    for request in list_requests(number):
        assert len(request[2]) <= LARGEST
        work, status = measure_health(served, request)
        assert status < 500, request[2][:100]
        assert work < MOST_WORK, (*request[:2], request[2][:100], request[2][-100:])


def test_very_many_fields_are_one_refusal(served: LessonServer) -> None:
    """A request of very many unknown fields is refused for their number, in one line."""
    refused = served.ask("/api/query", {"prompt": "why", **dict.fromkeys(map(str, range(100)), 0)})
    assert refused["status"] == 422
    assert "There are 101 fields, more than 100: send only those of the API" in refused["detail"]


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_endless_head_is_refused(served: LessonServer, head: bytes) -> None:
    """A request whose line or headers do not end is refused long before it fills the memory."""
    address = urlsplit(served.url)
    part = b"x: y\r\n" * 10_000 if head == HEADS["headers"] else b"x" * 64_000
    sent = 0
    place = (str(address.hostname), int(address.port or 0))
    with closing(socket.create_connection(place, timeout=60)) as client:
        client.sendall(head)
        with suppress(ConnectionError):
            for _ in range(PARTS):
                client.sendall(part)
                sent += len(part)
    assert sent < 20_000_000
    assert served.ask("/api/health")["status"] == "healthy"


def measure_health(server: LessonServer, request: Request) -> tuple[float, int]:
    """Return how long a server works until it tells its health, and the status of a request.

    Args:
        server: The server.
        request: What it is sent before, and answers at the same time.

    """
    method, path, body = request
    place = server.url.partition("://")[2]
    first, other = HTTPConnection(place, timeout=60), HTTPConnection(place, timeout=60)
    other.connect()
    start = read_work(server.process.pid)
    first.request(method, path, body, {"Content-Type": "application/json"})
    other.request("GET", "/api/health")
    assert other.getresponse().read()
    work = read_work(server.process.pid) - start
    status = first.getresponse().status
    first.close()
    other.close()
    return work, status


def read_work(process: int) -> float:
    """Return how much CPU time a process of this system took so far, in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")
