"""Remember which lessons a session was given, so that none is repeated within a while."""

import hashlib
import threading
import time
from collections.abc import Callable, Iterable


class SessionMemory:
    """The lessons that each session was given lately, for many threads at once."""

    def __init__(
        self,
        window_seconds: float,
        most_sessions: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start without sessions.

        Args:
            window_seconds: How long a lesson is not given again to the same session.
            most_sessions: How many sessions are remembered; the one that was given nothing for the
                longest time is forgotten first.
            clock: Returns seconds that never go back.

        """
        self._window = window_seconds
        self._most_sessions = most_sessions
        self._clock = clock
        self._lock = threading.Lock()
        # When each lesson was given, of each session; both with the latest at the end.
        self._sessions: dict[bytes, dict[str, float]] = {}

    def __len__(self) -> int:
        """Return how many sessions are remembered."""
        return len(self._sessions)

    def claim(self, session_id: str | None, ids: Iterable[str], most: int) -> list[str]:
        """Return the lessons to give to a session now, and remember that it was given them.

        Of several threads that claim the same lesson for the same session, one gets it.

        Args:
            session_id: What the client calls the session: any text. Without one, None or "",
                nothing is remembered and nothing withheld.
            ids: The lessons that matter, the best first.
            most: How many to give at the most, 0 or more.

        Returns:
            The first of the ids, in their order, that the session was not given within the window.

        """
        wanted = list(dict.fromkeys(ids))
        if not session_id:
            return wanted[:most]
        key = digest(session_id)
        with self._lock:
            now = self._clock()
            given = self._sessions.get(key, {})
            given = {one: at for one, at in given.items() if now - at < self._window}
            claimed = [one for one in wanted if one not in given][:most]
            if claimed:
                self._sessions.pop(key, None)
                self._sessions[key] = given | dict.fromkeys(claimed, now)
            while len(self._sessions) > self._most_sessions:
                del self._sessions[next(iter(self._sessions))]
        return claimed

    def release(self, session_id: str | None, ids: Iterable[str]) -> None:
        """Forget that a session was given these lessons, which it claimed and then was not."""
        if not session_id:
            return
        with self._lock:
            given = self._sessions.get(digest(session_id), {})
            for one in ids:
                given.pop(one, None)


def digest(session_id: str) -> bytes:
    """Return 16 bytes to know a session by, however long its id and whatever is in it."""
    return hashlib.blake2b(session_id.encode("utf-8", "surrogatepass"), digest_size=16).digest()
