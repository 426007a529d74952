"""Remember which lessons each session was given, and log them if the user enabled logging."""

import errno
import json
import logging
import os
import stat
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timezone
from hashlib import blake2b
from pathlib import Path

from hookwright_console.files.regular import read_start
from hookwright_console.objects import parse_object
from lesson_search.records import COLLECTIONS, Lesson, Skill

LOG = logging.getLogger(__name__)

PRIVATE = 0o600
MAX_SIZE = 2_000_000  # bytes after which a new log is started; the previous one is kept
STAMP = "%Y-%m-%dT%H:%M:%SZ"
TEXTS = ("time", "collection", "id")


class SessionMemory:
    """The lessons that each session was given recently; thread-safe.

    A session does not get the same lesson again within the window. If there are too many sessions,
    the least recently active one is forgotten.
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
        # When each session was given each lesson; the latest entries of both dicts are last.
        self._sessions: dict[bytes, dict[str, float]] = {}

    def __len__(self) -> int:
        return len(self._sessions)

    def claim(self, session_id: str | None, ids: Iterable[str], most: int) -> list[str]:
        """Return the first IDs that a session was not given within the window, and remember them.

        Without a session, nothing is remembered or left out. If several threads claim the same
        lesson for a session, only one gets it.
        """
        wanted = list(dict.fromkeys(ids))
        if not session_id:
            return wanted[:most]
        with self._lock:
            recent = self._find_recent(session_id)
            claimed = [identity for identity in wanted if identity not in recent][:most]
            if claimed:
                self._sessions.pop(hash_session(session_id), None)
                recent |= dict.fromkeys(claimed, self._clock())
                self._sessions[hash_session(session_id)] = recent
            while len(self._sessions) > self._most_sessions:
                del self._sessions[next(iter(self._sessions))]
        return claimed

    def list_given(self, session_id: str | None, ids: Iterable[str]) -> list[str]:
        """Return the lessons that a session was given within the window, without claiming any."""
        with self._lock:
            recent = self._find_recent(session_id)
        return [identity for identity in ids if identity in recent]

    def _find_recent(self, session_id: str | None) -> dict[str, float]:
        oldest = self._clock() - self._window
        given = self._sessions.get(hash_session(session_id or ""), {})
        return {identity: at for identity, at in given.items() if at > oldest}

    def release(self, session_id: str | None, ids: Iterable[str]) -> None:
        with self._lock:
            recent = self._sessions.get(hash_session(session_id or ""), {})
            for identity in ids:
                recent.pop(identity, None)


def hash_session(session_id: str, size: int = 16) -> bytes:
    return blake2b(session_id.encode("utf-8", "surrogatepass"), digest_size=size).digest()


@dataclass(frozen=True)
class Summary:
    """A summary of the log of given lessons."""

    # count by day, such as 2026-11-22, by collection and ID. Days begin at midnight local time,
    # like those of `hookwright stats`
    days: dict[tuple[str, str], Counter[str]]
    sessions: dict[str, int]  # number of sessions in which each lesson was given, by ID


class GivenRecord:
    """A log with a JSON line for each lesson given to an agent; thread-safe.

    The previous log has the suffix `.old`. Prompts are logged only if the user enabled that.
    """

    def __init__(self, path: Path, *, prompts: bool = False) -> None:
        self._path = path
        self._old = path.with_name(f"{path.name}.old")
        self._prompts = prompts
        self._lock = threading.Lock()
        self._failed = False

    def add(
        self, session: str | None, prompt: str, given: Iterable[tuple[Lesson | Skill, float]]
    ) -> None:
        """Log the records given to a session, with scores; a failed write only logs a warning."""
        common = {"time": datetime.now(timezone.utc).strftime(STAMP)}
        if session:
            common["session"] = hash_session(session, 6).hex()
        if self._prompts:
            common["prompt"] = prompt
        rows = [
            {
                **common,
                "collection": COLLECTIONS[type(record)],
                "id": record.id,
                "score": round(score, 4),
            }
            for record, score in given
        ]
        lines = "".join(f"{json.dumps(row)}\n" for row in rows)
        if not lines:
            return
        with self._lock:
            try:
                self._write(lines)
            except OSError as error:
                if not self._failed:
                    LOG.warning("cannot record injected lessons: %s", error)
                self._failed = True

    def _write(self, lines: str) -> None:
        if self._path.is_file() and self._path.stat().st_size > MAX_SIZE:
            self._path.replace(self._old)
        with open(self._path, "a", encoding="utf-8", opener=open_private) as file:
            file.write(lines)

    def summarize(self) -> Summary:
        each: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        sessions: defaultdict[str, set[str]] = defaultdict(set)
        for row in self._read():
            with suppress(ValueError, OverflowError):
                each[row["collection"], row["id"]][find_day(row["time"])] += 1
                if row["collection"] == "lessons":
                    sessions[row["id"]].add(str(row.get("session", row["time"])))
        return Summary(each, {identity: len(those) for identity, those in sessions.items()})

    def _read(self) -> Iterator[dict[str, str]]:
        for path in (self._old, self._path):
            for line in read_start(path, 2 * MAX_SIZE).splitlines():
                row = parse_object(line)
                if all(isinstance(row.get(name), str) for name in TEXTS):
                    yield row


def find_day(time: str) -> str:
    """Return the local day of a UTC time; raises ValueError."""
    moment = datetime.fromisoformat(time.replace("Z", "+00:00"))  # ten times as fast as strptime
    return moment.astimezone().date().isoformat()


def open_private(path: str, flags: int) -> int:
    """Open a file that only this user may read; raises OSError for a link, a pipe or a device."""
    for name in ("O_NOFOLLOW", "O_NONBLOCK"):  # opening a pipe would wait for a reader
        flags |= getattr(os, name, 0)
    handle = os.open(path, flags, PRIVATE)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "not a regular file", path)
    if hasattr(os, "fchmod"):
        os.fchmod(handle, PRIVATE)
    return handle
