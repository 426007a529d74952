"""Run real lesson search servers, each in a separate process with its own data folder."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

READY = re.compile(r"http://\S+")
PATIENCE = 60  # seconds for a server to become ready or to exit
OPENER = build_opener(ProxyHandler({}))


@dataclass(frozen=True)
class LessonServer:
    """A running server: its address, its process and its data folder."""

    url: str
    process: "subprocess.Popen[str]"
    folder: Path

    def ask(self, path: str, body: object = None, method: str | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = Request(  # noqa: S310 - to the server of this test
            self.url + path, data, {"Content-Type": "application/json"}, method=method
        )
        try:
            with OPENER.open(request, timeout=PATIENCE) as response:
                return json.load(response)
        except HTTPError as error:
            return {"status": error.code, **json.load(error)}


@contextmanager
def run_lesson_server(
    folder: Path,
    *options: str,
    prefix: tuple[str, ...] = (),
    before: tuple[str, ...] = (),
    **variables: str,
) -> Iterator[LessonServer]:
    """Run a server until the end of the `with` block.

    Args:
        folder: The server's data folder.
        options: Options of `lesson-search serve`, in addition to a free port.
        prefix: The start of the command line, such as a resource limit.
        before: Options of `lesson-search` before the subcommand.
        variables: Additional environment variables.

    """
    process = start_server(
        folder, "--port", "0", *options, prefix=prefix, before=before, **variables
    )
    try:
        yield LessonServer(wait_until_ready(process), process, folder)
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)


def start_server(
    folder: Path,
    *options: str,
    prefix: tuple[str, ...] = (),
    before: tuple[str, ...] = (),
    **variables: str,
) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "lesson_search", "--data", str(folder), *before, "serve"]
    inherited = {name: os.environ[name] for name in os.environ if "LESSON_SEARCH_" not in name}
    return subprocess.Popen(
        [*prefix, *command, *options],
        env={**inherited, **variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def wait_until_ready(process: "subprocess.Popen[str]") -> str:
    assert process.stdout
    output = ""
    for line in process.stdout:
        output += line
        if match := READY.search(line):
            return match[0].rstrip("/.,")
    raise AssertionError(f"the server ended with {process.wait()}: {output}")


def run_to_the_end(folder: Path, *options: str, **variables: str) -> tuple[int, str]:
    """Run a server that is expected not to start; return its exit code and output."""
    process = start_server(folder, *options, prefix=(), before=(), **variables)
    try:
        output, _ = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    return process.returncode, output


def wait_for(condition: Callable[[], object], seconds: float = 10) -> None:
    """Wait until a condition holds; fail after a timeout."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.05)
