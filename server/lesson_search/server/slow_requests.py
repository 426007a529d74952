"""Close connections whose requests never finish, or whose responses nobody reads.

Uvicorn would keep them open for ever.
"""

import time
from collections.abc import Iterable
from typing import Any, Literal

HEADERS_IN = 15.0  # seconds for all headers of a request
BODY_IN = 120.0  # seconds for its body, which may be a bulk on a slow line
ANSWER_READ = 120.0  # seconds to read a response, or the rest of it
MAX_WAITING = 100  # unfinished requests and unread responses; beyond that the oldest get less time
CROWDED_IN = 0.5  # seconds for each of those

Part = Literal["headers", "body", "answer"]
Waiting = tuple[object, Part]  # the request, and the part of it that is awaited


class SlowRequests:
    """Remembers since when each connection has had an unfinished request."""

    def __init__(self) -> None:
        self._since: dict[Any, tuple[Waiting, float]] = {}

    def close(self, connections: Iterable[Any]) -> None:
        """Close connections that took too long, and the oldest if there are too many."""
        now = time.monotonic()
        before, self._since = self._since, {}
        for connection in connections:
            waiting = find_waiting(connection)
            if waiting is None:
                continue
            known, since = before.get(connection, (waiting, now))
            same = known[0] is waiting[0] and known[1] == waiting[1]
            self._since[connection] = (waiting, since if same else now)
        oldest = sorted(self._since, key=lambda connection: self._since[connection][1])
        too_many = max(0, len(oldest) - MAX_WAITING)
        limits = {"headers": HEADERS_IN, "body": BODY_IN, "answer": ANSWER_READ}
        for place, connection in enumerate(oldest):
            (_, part), since = self._since[connection]
            if now - since <= (CROWDED_IN if place < too_many else limits[part]):
                continue
            if part == "answer":
                connection.transport.abort()  # closing it would wait until all is read
            else:
                connection.transport.close()


def find_waiting(connection: Any) -> Waiting | None:
    """Return the unfinished request or the unread answer of a connection, or None.

    Uvicorn closes idle connections itself, once everything is read.
    """
    request = connection.cycle  # the last request with complete headers
    if connection.flow.write_paused or connection.transport.is_closing():
        return request, "answer"
    if request is None or request.response_complete:
        return None if connection.timeout_keep_alive_task else (request, "headers")
    return (request, "body") if request.more_body else None
