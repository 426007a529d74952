"""Remember the lessons that each session got, so that none is repeated too soon."""

import hashlib
import threading
import time
from collections.abc import Callable, Iterable


class SessionMemory:
    """The lessons that each session got recently; for any number of threads.

    Args:
        window_seconds: For how long a session does not get the same lesson again.
        most_sessions: How many sessions are remembered; the one without a lesson for the longest
            time is forgotten first.
        clock: Returns seconds that never go back.

    """

    def __init__(
        self,
        window_seconds: float,
        most_sessions: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._window = window_seconds
        self._most_sessions = most_sessions
        self._clock = clock
        self._lock = threading.Lock()
        # When each session got each lesson; both dicts end with the latest.
        self._sessions: dict[bytes, dict[str, float]] = {}

    def __len__(self) -> int:
        return len(self._sessions)

    def claim(self, session_id: str | None, ids: Iterable[str], most: int) -> list[str]:
        """Return the first ids that a session did not get within the window, and remember them.

        Without a session nothing is remembered or left out. If several threads claim the same
        lesson for a session, one gets it.
        """
        wanted = list(dict.fromkeys(ids))
        if not session_id:
            return wanted[:most]
        key = digest(session_id)
        with self._lock:
            now = self._clock()
            recent = self._find_recent(key, now)
            claimed = [one for one in wanted if one not in recent][:most]
            if claimed:
                self._sessions.pop(key, None)
                self._sessions[key] = recent | dict.fromkeys(claimed, now)
            while len(self._sessions) > self._most_sessions:
                del self._sessions[next(iter(self._sessions))]
        return claimed

    def list_given(self, session_id: str | None, ids: Iterable[str]) -> list[str]:
        """Return which lessons a session got within the window; it gets none by that."""
        if not session_id:
            return []
        with self._lock:
            recent = self._find_recent(digest(session_id), self._clock())
        return [one for one in ids if one in recent]

    def _find_recent(self, key: bytes, now: float) -> dict[str, float]:
        recent = self._sessions.get(key, {})
        return {one: at for one, at in recent.items() if now - at < self._window}

    def release(self, session_id: str | None, ids: Iterable[str]) -> None:
        if not session_id:
            return
        with self._lock:
            recent = self._sessions.get(digest(session_id), {})
            for one in ids:
                recent.pop(one, None)


def digest(session_id: str) -> bytes:
    return hashlib.blake2b(session_id.encode("utf-8", "surrogatepass"), digest_size=16).digest()
