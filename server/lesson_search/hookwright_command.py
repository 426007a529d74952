"""Run the command line of Hookwright in processes of its own: what it does slows no hook down."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from hookwright_console.errors import ReportedError
from hookwright_console.text import make_printable

TIMEOUT = 60.0  # seconds
MAX_OUTPUT = 8_000_000  # bytes of output
PATIENCE = 5.0  # seconds for what an ended process had printed
RECEIVED = 65_536  # bytes at once
AT_ONCE = asyncio.Semaphore(2)
FAILED = {"error": ""}  # what a command prints that fails; its last line says why
MAX_ERROR = 500  # characters
EVENTS = ({"stage": str, "done": int, "total": int}, {"question": str})


def build_command(*words: str) -> list[str]:
    """Return a command line; a word of it never goes through a shell."""
    return [sys.executable, "-m", "hookwright", *words]


def prepare_process(**variables: str) -> dict[str, Any]:
    """Return how to start a process that can be ended with all that it starts.

    Its folder is one where nobody else can put a module that it would import.

    Args:
        variables: What its environment has besides.

    """
    return {
        "stdin": subprocess.DEVNULL,
        "cwd": Path(sys.executable).parent,
        "env": {**os.environ, **variables},
        "start_new_session": True,
    }


def end_process(process: "subprocess.Popen[bytes] | asyncio.subprocess.Process") -> None:
    """End a process at once, and those that it started."""
    with suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)


async def ask(*words: str, codes: tuple[int, ...] = (0,)) -> Any:
    """Return the JSON that a command prints.

    Args:
        words: The command, such as status, and its options.
        codes: How it may end.

    Raises:
        ReportedError: It refuses, takes too long, or prints too much.

    """
    async with AT_ONCE:
        process = await asyncio.create_subprocess_exec(
            *build_command(*words),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **prepare_process(),
        )
        try:
            output, errors = await asyncio.wait_for(read_all(process), TIMEOUT)
        except (asyncio.TimeoutError, TimeoutError):
            raise ReportedError(f"hookwright {words[0]} takes too long: try again later") from None
        finally:
            if process.returncode is None:
                end_process(process)
                with suppress(asyncio.TimeoutError, TimeoutError):
                    await asyncio.wait_for(drain(process), PATIENCE)
    if process.returncode not in codes:
        raise ReportedError(word_failure(errors, words[0]))
    try:
        answer = json.loads(output)
    except (ValueError, RecursionError):
        answer = FAILED
    if isinstance(answer, dict) and answer.keys() == FAILED.keys():
        raise ReportedError(word_failure(errors, words[0]))
    return answer


async def read_all(process: asyncio.subprocess.Process) -> tuple[bytes, bytes]:
    """Return what a process prints to its end; raises ReportedError if that is too much."""
    assert process.stdout  # noqa: S101 - both are pipes
    assert process.stderr  # noqa: S101
    streams = (process.stdout, process.stderr)
    readers = [asyncio.ensure_future(read_stream(stream)) for stream in streams]
    try:
        output, errors = await asyncio.gather(*readers)
    finally:
        for reader in readers:  # of which one may have failed
            reader.cancel()
    await process.wait()
    return output, errors


async def drain(process: asyncio.subprocess.Process) -> None:
    """Wait for a process that was ended; asyncio only notices that once its pipes are empty."""
    for stream in (process.stdout, process.stderr):
        while stream and await stream.read(RECEIVED):
            pass
    await process.wait()


async def read_stream(stream: asyncio.StreamReader) -> bytes:
    """Return what a stream has; raises ReportedError if that is too much."""
    whole = bytearray()
    while part := await stream.read(RECEIVED):
        whole += part
        if len(whole) > MAX_OUTPUT:
            raise ReportedError("hookwright prints too much: run the command in a terminal")
    return bytes(whole)


def word_failure(errors: bytes, verb: str) -> str:
    """Return the last line that a command printed as an error."""
    lines = errors.decode("utf-8", "replace").split("\n")
    last = next((line for line in reversed(lines) if line.strip()), "")
    line = make_printable(last.strip().removeprefix("hookwright: "))[:MAX_ERROR]
    return line or f"hookwright {verb} failed: run it in a terminal to see why"


def read_event(line: str) -> Mapping[str, Any] | None:
    """Return an event that a command reports in a line of JSON, or None for another line.

    It is a step, with its stage and how much is done, or a question.
    """
    if not line.startswith("{"):
        return None
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(event, dict):
        return None
    kinds = {name: type(value) for name, value in event.items()}
    return event if kinds in EVENTS else None
