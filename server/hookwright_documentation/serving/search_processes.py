"""Run tools in processes of their own: one process searches on one core at a time."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hookwright_documentation
from hookwright_documentation.serving.tool_runner import ToolAnswer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

RECEIVED = 100_000  # bytes at once
TIME_LIMIT = 30  # seconds for an answer
PATIENCE = 10  # seconds for a process that was told to end
STOPPED = "the search ended early: try again"
# Isolated, it finds the packages only where this process has them, after the standard library.
START = (
    "import sys; sys.path.extend(sys.argv[1:]); "
    "from hookwright_documentation.serving.search_process import main; main()"
)


@dataclass
class SearchProcess:
    """A process that runs tools, one call after the other.

    Args:
        process: The process.
        connection: The other end of what is its standard input and output.

    """

    process: subprocess.Popen[bytes]
    connection: socket.socket

    async def run(self, name: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        """Return what a tool answers; raises ConnectionError if the process ended."""
        loop = asyncio.get_running_loop()
        call = json.dumps([name, arguments]).encode() + b"\n"
        await loop.sock_sendall(self.connection, call)
        answer = bytearray()
        while not answer.endswith(b"\n"):
            part = await loop.sock_recv(self.connection, RECEIVED)
            if not part:
                raise ConnectionError
            answer += part
        return ToolAnswer(*json.loads(answer))

    def end(self) -> None:
        """End the process, and wait until it has ended."""
        self.connection.close()
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class ProcessRunner:
    """Runs tools in a number of processes; one that ends early is started again."""

    def __init__(self, processes: list[SearchProcess]) -> None:
        """Take processes that nobody else uses."""
        self._processes = processes  # those that wait for a call; the last one is asked next
        self._free = asyncio.Semaphore(len(processes))

    async def run(self, name: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        """Return what a tool, which is one of TOOLS or SHOW, answers."""
        async with self._free:
            process = self._processes.pop()
            try:
                answer = await asyncio.wait_for(process.run(name, arguments), TIME_LIMIT)
            except BaseException as error:  # what it answers to this call must answer no other
                await asyncio.to_thread(process.end)
                process = start_process()
                if not isinstance(error, (OSError, asyncio.TimeoutError)):
                    raise
                return ToolAnswer(STOPPED, failed=True)
            finally:
                self._processes.append(process)
            return answer


@contextmanager
def running(number: int) -> Iterator[ProcessRunner | None]:
    """Yield what runs tools in so many processes, which end with the block; None for no process."""
    if not number:
        yield None
        return
    processes = [start_process() for _ in range(number)]
    try:
        yield ProcessRunner(processes)
    finally:
        for process in processes:
            process.end()


def start_process() -> SearchProcess:
    """Start a process that runs tools."""
    ours, its = socket.socketpair()
    ours.settimeout(0)
    folders = [folder for folder in sys.path if Path(folder).is_absolute()]
    own = str(Path(hookwright_documentation.__file__).parent.parent)
    with its:
        process = subprocess.Popen(  # noqa: S603 - this interpreter, with our own words
            [sys.executable, "-I", "-c", START, own, *folders],
            stdin=its.fileno(),
            stdout=its.fileno(),
            start_new_session=True,  # Ctrl-C reaches it through its standard input alone
        )
    return SearchProcess(process, ours)
