"""No request prevents the server from answering other requests."""

import json
import os
import socket
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from ...support.hostile_requests import MAX_BODY, Request, list_requests
from ...support.lesson_server_process import LessonServer

MAX_WORK = 2.0  # seconds of CPU time, nine times the usual maximum; excludes other programs
REQUESTS = 300
PARTS = 1_000  # each of 64 kB
CHUNKED = b"POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
HEADS = {
    "path": b"GET /",
    "query": b"GET /page/treemap?below=",
    "header": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ",
    "headers": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n",
    "trailer": CHUNKED % b"/api/query" + b"0\r\nX: ",
    "trailers": CHUNKED % b"/api/query" + b"0\r\n",
    "trailers after the response": CHUNKED % b"/nowhere" + b"0\r\n",
    "chunk extension": CHUNKED % b"/api/query" + b"1;a=",
}


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="nothing tells its CPU time")
def test_server_stays_responsive(served: LessonServer) -> None:
    served.ask("/api/ingest", {"text": "The Docker cache is lost by an early COPY."})
    for request in list_requests(REQUESTS):
        assert len(request[2]) <= MAX_BODY
        work, status = measure_health(served, request)
        assert status < 500, request[2][:100]
        assert work < MAX_WORK, (*request[:2], request[2][:100], request[2][-100:])


def test_excess_fields_are_rejected_once(served: LessonServer) -> None:
    refused = served.ask("/api/query", {"prompt": "why", **dict.fromkeys(map(str, range(100)), 0)})
    assert refused["status"] == 422
    assert "There are 101 fields, more than 100: send only those of the API" in refused["detail"]


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_endless_header_is_rejected(served: LessonServer, head: bytes) -> None:
    address = urlsplit(served.url)
    part = b"x: y\r\n" * 10_000 if head.endswith(b"\r\n") else b"x" * 64_000
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


@pytest.mark.parametrize(("size", "chunk"), [(100_000, 1), (31_000_000, 1_000)])
def test_chunked_body_is_accepted(served: LessonServer, size: int, chunk: int) -> None:
    text = json.dumps({"prompt": "why is the Docker cache lost?"}).encode().ljust(size)
    parts = (text[start : start + chunk] for start in range(0, size, chunk))
    body = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts) + b"0\r\nX: y\r\n\r\n"
    headers = {"Content-Type": "application/json", "Transfer-Encoding": "chunked"}
    with closing(HTTPConnection(served.url.partition("://")[2], timeout=60)) as client:
        client.request("POST", "/api/query", body, headers)
        response = client.getresponse()
        assert response.status == 200, response.read()


def measure_health(server: LessonServer, request: Request) -> tuple[float, int]:
    """Return the CPU time until the server reports its health, and another request's status.

    Args:
        server: The lesson server.
        request: The concurrent request, sent before the health check.

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
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")
