"""Refresh documentation databases, each in a process of its own, and tell how far it is."""

import json
import subprocess
import tempfile
import threading
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import IO

from hookwright_console.errors import RefusedError
from hookwright_console.terminal import EVENTS, PROGRESS
from hookwright_console.text import make_printable
from lesson_search.hookwright_command import (
    MAX_ERROR,
    build_command,
    end_process,
    prepare_process,
    read_event,
)

TIMEOUT = 12 * 3600.0  # seconds, until a refresh is ended
MAX_LINE = 10_000  # bytes of a line of output
MAX_REPORT = 1_000_000  # bytes of the report
MAX_REFRESHES = 2  # refreshes at once


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
            if len(self._processes) >= MAX_REFRESHES:
                others = " and ".join(self._processes)
                raise RefusedError(f"{others} are being refreshed: wait until one of them ends")
            with ExitStack() as undo:
                report = undo.enter_context(tempfile.TemporaryFile())
                agreed = ["--yes"] if agree else []
                process = undo.enter_context(
                    subprocess.Popen(  # noqa: S603 - our own command line
                        build_command("refresh", "--json", *agreed, "--", name),
                        stdout=report,
                        stderr=subprocess.PIPE,
                        **prepare_process(**{PROGRESS: EVENTS}),
                    )
                )
                undo.callback(end_process, process)
                thread = threading.Thread(target=self._follow, args=(name, process, report))
                thread.daemon = True
                thread.start()
                undo.pop_all()  # the thread does it
            self._processes[name] = process
            self._states[name] = state = RefreshState(running=True)
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
        """Note what a process reports until it ends; whatever fails here ends it, too."""
        timer = threading.Timer(TIMEOUT, end_process, [process])
        timer.daemon = True
        result = ""
        assert process.stderr  # noqa: S101 - it is a pipe
        try:
            timer.start()
            with report, process.stderr as lines:
                while line := lines.readline(MAX_LINE):
                    self._note(name, line.decode("utf-8", "replace"))
                process.wait()
                report.seek(0)
                result = read_result(report.read(MAX_REPORT))
        finally:
            timer.cancel()
            if process.poll() is None:
                end_process(process)
            with self._lock:
                self._states[name] = end_state(self._states[name], name, process.poll(), result)
                del self._processes[name]

    def _note(self, name: str, line: str) -> None:
        event = read_event(line)
        with self._lock:
            state = self._states[name]
            if event is None:
                text = make_printable(line.strip().removeprefix("hookwright: "))[:MAX_ERROR]
                self._states[name] = replace(state, message=text or state.message)
            elif "question" in event:
                self._states[name] = replace(state, question=make_printable(event["question"]))
            else:
                self._states[name] = replace(state, **event)


def end_state(state: RefreshState, name: str, code: int | None, result: str) -> RefreshState:
    """Return the state of a refresh that has ended.

    Args:
        state: How far it was.
        name: The database.
        code: The exit code of its process; None if it had to be ended.
        result: What it did, or "" if that is unknown.

    """
    state = replace(state, running=False)
    if code != 0:
        return replace(state, message=state.message or "the refresh ended early: start it again")
    if not result:
        way_out = f"run hookwright refresh {name} in a terminal"
        return replace(state, message=f"the refresh did not say what it did: {way_out}")
    return replace(state, finished=True, message=result, question="")


def read_result(report: bytes) -> str:
    try:
        row = json.loads(report)[0]
        held = f"{row['pages']:,} pages, {row['passages']:,} passages"
        lines = [held if row["changed"] else f"nothing changed: {held}", *row.get("notes", ())]
        return make_printable("; ".join(lines))
    except (ValueError, LookupError, TypeError, RecursionError):
        return ""
