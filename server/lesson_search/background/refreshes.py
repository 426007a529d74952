"""Refresh documentation databases in child processes, and report their progress."""

import os
import signal
import sys
import threading
import time
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field

from hookwright_console.errors import RefusedError
from hookwright_console.runner import format_error
from hookwright_console.terminal import listening
from hookwright_console.text import make_printable

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

TIMEOUT = 12 * 3600.0  # seconds after which a refresh is killed
MAX_REFRESHES = 2  # concurrent refreshes
MAX_MESSAGE = 2_000  # characters
ENDED_EARLY = "the refresh ended early: start it again"


class RefreshState(BaseModel):
    """The progress of a database's last refresh."""

    running: bool = False
    finished: bool = Field(default=False, description="Whether the database is refreshed.")
    stage: str = ""
    done: int = 0
    total: int = Field(default=0, description="0 if it is unknown.")
    message: str = Field(default="", description="What it did, or why it failed.")
    question: str = Field(default="", description="What to agree to first, or an empty text.")


class Refreshes:
    """A server's refreshes, at most one per database at a time; thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._states: dict[str, RefreshState] = {}
        self._processes: dict[str, SpawnProcess] = {}

    def start(self, name: str, *, agree: bool) -> RefreshState:
        """Start refreshing a database, unless it or too many others are being refreshed.

        With `agree`, the command line's questions are answered with yes, such as whether to replace
        a database with a much smaller one. Raises RefusedError.
        """
        with self._lock:
            if name in self._processes:
                raise RefusedError(f"{name} is being refreshed: wait until that ends")
            if len(self._processes) >= MAX_REFRESHES:
                others = " and ".join(self._processes)
                raise RefusedError(f"{others} are being refreshed: wait until one of them ends")
            context = get_context("spawn")  # a fork would copy the locks of other threads
            receiver, sender = context.Pipe(duplex=False)
            process = context.Process(target=refresh_in_process, args=(name, agree, sender))
            process.start()
            sender.close()
            arguments = (name, process, receiver)
            threading.Thread(target=self._follow, args=arguments, daemon=True).start()
            self._processes[name] = process
            self._states[name] = state = RefreshState(running=True)
        return state

    def read(self, name: str) -> RefreshState:
        with self._lock:
            return self._states.get(name, RefreshState())

    def close(self) -> None:
        """Kill all running refreshes; a database's next refresh continues where it stopped."""
        with self._lock:
            for process in self._processes.values():
                kill(process)

    def _follow(self, name: str, process: "SpawnProcess", receiver: Connection) -> None:
        deadline = time.monotonic() + TIMEOUT
        with receiver, suppress(EOFError, OSError):
            while receiver.poll(max(0, deadline - time.monotonic())):
                changes = receiver.recv()
                with self._lock:
                    self._states[name] = self._states[name].model_copy(update=changes)
        kill(process)  # if it has not exited by itself
        process.join()
        with self._lock:
            state = self._states[name]
            ended = {"running": False, "message": state.message or ENDED_EARLY}
            self._states[name] = state.model_copy(update=ended)
            del self._processes[name]


def kill(process: "SpawnProcess") -> None:
    if sys.platform != "win32" and process.pid:
        with suppress(ProcessLookupError, PermissionError):  # it has no process group yet
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def refresh_in_process(name: str, agree: bool, sender: Connection) -> None:  # noqa: FBT001 - by position
    """Refresh a database, and send each change to the fields of its state."""
    if sys.platform != "win32":
        os.setsid()  # so that Ctrl-C only stops the server
    with open(os.devnull, "r+") as nowhere:  # noqa: PTH123 - not a path
        for stream in range(3):
            os.dup2(nowhere.fileno(), stream)

    def send(**changes: Any) -> None:
        sender.send(
            {
                field: make_printable(value)[:MAX_MESSAGE] if isinstance(value, str) else value
                for field, value in changes.items()
            }
        )

    def accept(what: object, question: str) -> None:
        if not agree:
            send(question=f"{what}: {question}")
            raise RefusedError(f"{what}: nothing was replaced")

    try:
        from hookwright_documentation.refresh import refresh

        with listening(lambda stage, done, total: send(stage=stage, done=done, total=total)):
            built, _ = refresh(
                name,
                lambda loss: accept(loss, "replace the old ones?"),
                lambda moved: accept(
                    f"{moved.before.reference} has moved", f"replace {name} with it?"
                ),
            )
        manifest = built.database.manifest
        held = f"{manifest.pages:,} pages, {manifest.passages:,} passages"
        lines = [held if built.is_new else f"nothing changed: {held}", *built.notes]
        send(finished=True, message="; ".join(lines))
    except Exception as error:  # noqa: BLE001 - the page shows it
        send(message=format_error(error))
