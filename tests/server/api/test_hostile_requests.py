"""No prompt keeps the server from answering others."""

import time
from http.client import HTTPConnection

import pytest

from ...support.hostile_requests import LARGEST, Request, list_requests
from ...support.hypothesis_profiles import mark_long
from ...support.lesson_server_process import LessonServer

LONGEST = 1.0  # seconds
TRIES = 3  # as something else may keep this machine busy


@pytest.mark.parametrize("number", [25, *mark_long([1_000])])
def test_server_answers_meanwhile(served: LessonServer, number: int) -> None:
    """While it is sent a hostile prompt of up to a million bytes, health is told in a second."""
    served.ask("/api/ingest", {"text": "The Docker cache is lost by an early COPY."})
    for request in list_requests(number):
        assert len(request[2]) <= LARGEST
        for _ in range(TRIES):
            seconds, status = time_health(served.url, request)
            assert status < 500, request[2][:100]
            if seconds < LONGEST:
                break
        assert seconds < LONGEST, (*request[:2], request[2][:100], request[2][-100:])


def test_very_many_fields_are_one_refusal(served: LessonServer) -> None:
    """A request of very many unknown fields is refused for their number, in one line."""
    refused = served.ask("/api/query", {"prompt": "why", **dict.fromkeys(map(str, range(100)), 0)})
    assert refused["status"] == 422
    assert "There are 101 fields, more than 100: send only those of the API" in refused["detail"]


def time_health(url: str, request: Request) -> tuple[float, int]:
    """Return how long health takes while a request is answered, and the status of the answer."""
    method, path, body = request
    place = url.partition("://")[2]
    first, other = HTTPConnection(place, timeout=60), HTTPConnection(place, timeout=60)
    other.connect()
    first.request(method, path, body, {"Content-Type": "application/json"})
    start = time.monotonic()
    other.request("GET", "/api/health")
    assert other.getresponse().read()
    seconds = time.monotonic() - start
    status = first.getresponse().status
    first.close()
    other.close()
    return seconds, status
