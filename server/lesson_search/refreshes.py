"""Refresh documentation databases, each in a process of its own, and tell how far it is."""

import json
import subprocess
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import IO, Any

from hookwright_console.errors import RefusedError
from hookwright_console.terminal import EVENTS, PROGRESS
from hookwright_console.text import make_printable
from lesson_search.hookwright_command import (
    LONGEST_LINE,
    build_command,
    end_process,
    prepare_process,
    read_event,
)

LONGEST = 12 * 3600.0  # seconds, until a refresh is ended
LONGEST_EVENT = 10_000  # bytes of a line
LARGEST = 1_000_000  # bytes of the report
MOST = 2  # refreshes at once


@dataclass(frozen=True)
class RefreshState:
    """How far the refresh of a database is.

    Args:
        running: Whether it goes on.
        finished: Whether it came to its end, and the database is refreshed.
        stage: What it does now, such as Cutting.
        done: How much of that is done.
        total: Of how much; 0 if that is unknown.
        message: What it said last.
        question: What it has to be told before it goes on, or "". Nothing is replaced then.

    """

    running: bool = False
    finished: bool = False
    stage: str = ""
    done: int = 0
    total: int = 0
    message: str = ""
    question: str = ""


class Refreshes:
    """The refreshes of a server, at most one of a database at a time; for many threads."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self._lock = threading.Lock()
        self._states: dict[str, RefreshState] = {}
        self._processes: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str, *, agree: bool) -> RefreshState:
        """Begin to refresh a database that exists.

        Args:
            name: Its name.
            agree: Whether the answer is yes where the command line would ask, such as before it
                replaces a database by one that lost much.

        Raises:
            RefusedError: It is being refreshed, or too many others are.

        """
        with self._lock:
            if name in self._processes:
                raise RefusedError(f"{name} is being refreshed: wait until that ends")
            if len(self._processes) >= MOST:
                others = " and ".join(self._processes)
                raise RefusedError(f"{others} are being refreshed: wait until one of them ends")
            report = tempfile.TemporaryFile()  # noqa: SIM115 - its thread closes it
            agreed = ["--yes"] if agree else []
            process = subprocess.Popen(  # noqa: S603 - our own command line
                build_command("refresh", "--json", *agreed, "--", name),
                stdout=report,
                stderr=subprocess.PIPE,
                **prepare_process(**{PROGRESS: EVENTS}),
            )
            self._processes[name] = process
            self._states[name] = state = RefreshState(running=True)
            thread = threading.Thread(target=self._follow, args=(name, process, report))
            thread.daemon = True
            thread.start()
        return state

    def read(self, name: str) -> RefreshState:
        """Return how far the last refresh of a database is."""
        with self._lock:
            return self._states.get(name, RefreshState())

    def end(self) -> None:
        """End all that go on; the next refresh of a database goes on where this one was."""
        with self._lock:
            for process in self._processes.values():
                end_process(process)

    def _follow(self, name: str, process: "subprocess.Popen[bytes]", report: IO[bytes]) -> None:
        """Note what a process reports until it ends."""
        timer = threading.Timer(LONGEST, end_process, [process])
        timer.daemon = True
        timer.start()
        assert process.stderr  # noqa: S101 - it is a pipe
        with report, process.stderr as lines:
            while line := lines.readline(LONGEST_EVENT):
                self._note(name, line.decode("utf-8", "replace"))
            process.wait()
            report.seek(0)
            row = read_row(report.read(LARGEST))
        timer.cancel()
        with self._lock:
            state = replace(self._states[name], running=False)
            if process.returncode == 0 and row:
                state = replace(state, finished=True, message=word_result(row), question="")
            elif not state.message:
                state = replace(state, message="the refresh ended early: start it again")
            self._states[name] = state
            del self._processes[name]

    def _note(self, name: str, line: str) -> None:
        event = read_event(line)
        with self._lock:
            state = self._states[name]
            if event is None:
                text = make_printable(line.strip().removeprefix("hookwright: "))[:LONGEST_LINE]
                self._states[name] = replace(state, message=text or state.message)
            elif "question" in event:
                self._states[name] = replace(state, question=make_printable(event["question"]))
            else:
                self._states[name] = replace(state, **event)


def read_row(report: bytes) -> Mapping[str, Any] | None:
    """Return what a command reports of the one database that it refreshed, or None."""
    try:
        rows = json.loads(report)
    except (ValueError, RecursionError):
        return None
    return rows[0] if isinstance(rows, list) and rows and isinstance(rows[0], dict) else None


def word_result(row: Mapping[str, Any]) -> str:
    """Return what a refresh did."""
    held = f"{row['pages']:,} pages, {row['passages']:,} passages"
    lines = [held if row["changed"] else f"nothing changed: {held}", *row.get("notes", ())]
    return make_printable("; ".join(lines))
