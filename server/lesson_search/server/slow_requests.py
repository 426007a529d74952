"""Close connections with requests that never finish or responses that are never read.

Uvicorn would keep them open forever.
"""

import time
from collections.abc import Iterable
from typing import Any, Literal

HEADERS_IN = 15.0  # seconds for all headers of a request
BODY_IN = 120.0  # seconds for its body, which may be a bulk upload over a slow connection
ANSWER_READ = 120.0  # seconds to read a response, or the rest of it
MAX_WAITING = 100  # unfinished requests and unread responses, above which the oldest get less time
CROWDED_IN = 0.5  # seconds for the oldest ones in that case

Part = Literal["headers", "body", "answer"]
Waiting = tuple[object, Part]  # the request, and the part that is awaited


class SlowRequests:
    """Tracks how long each connection has had an unfinished request."""

    def __init__(self) -> None:
        self._since: dict[Any, tuple[Waiting, float]] = {}

    def close(self, connections: Iterable[Any]) -> None:
        """Close connections that took too long, and the oldest ones if there are too many."""
        now = time.monotonic()
        before, self._since = self._since, {}
        for connection in connections:
            if waiting := find_waiting(connection):
                known, since = before.get(connection, (waiting, now))
                self._since[connection] = (waiting, since if known == waiting else now)
        oldest = sorted(self._since, key=lambda connection: self._since[connection][1])
        too_many = max(0, len(oldest) - MAX_WAITING)
        limits = {"headers": HEADERS_IN, "body": BODY_IN, "answer": ANSWER_READ}
        for place, connection in enumerate(oldest):
            (_, part), since = self._since[connection]
            if now - since > (CROWDED_IN if place < too_many else limits[part]):
                if part == "answer":
                    connection.transport.abort()  # close() would wait until everything is read
                else:
                    connection.transport.close()


def find_waiting(connection: Any) -> Waiting | None:
    """Return a connection's unfinished request or unread response, or None.

    Uvicorn itself closes idle connections once everything is read.
    """
    request = connection.cycle  # the last request with complete headers
    if connection.flow.write_paused or connection.transport.is_closing():
        return request, "answer"
    if request is None or request.response_complete:
        return None if connection.timeout_keep_alive_task else (request, "headers")
    return (request, "body") if request.more_body else None
