"""Close connections whose requests do not come to an end, which would be kept for ever."""

import time
from collections.abc import Iterable
from typing import Any

HEADERS_IN = 15.0  # seconds that a connection has for all headers of a request
BODY_IN = 120.0  # seconds for its body, which may be a bulk by a slow line
MOST_WAITING = 100  # connections; beyond that the oldest have less time, to let others in
LEAST = 0.5  # seconds that each has

Waiting = tuple[object, bool]  # the request, and whether its body is waited for


class SlowRequests:
    """Knows since when each connection is waited for."""

    def __init__(self) -> None:
        """Start without connections."""
        self._since: dict[Any, tuple[Waiting, float]] = {}

    def close(self, connections: Iterable[Any]) -> None:
        """Close the connections that have been waited for too long, or are too many.

        Args:
            connections: All that there are, as either protocol of uvicorn's has them.

        """
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
        too_many = max(0, len(oldest) - MOST_WAITING)
        for place, connection in enumerate(oldest):
            (_, has_headers), since = self._since[connection]
            most = LEAST if place < too_many else BODY_IN if has_headers else HEADERS_IN
            if now - since > most:
                connection.transport.close()


def find_waiting(connection: Any) -> Waiting | None:
    """Return which request a connection does not have all of, or None if it waits for none.

    One that is kept for further requests is closed by a timer of uvicorn's.
    """
    request = connection.cycle  # the last one that has all its headers
    if request is None or request.response_complete:
        return None if connection.timeout_keep_alive_task else (request, False)
    return (request, True) if request.more_body else None
