"""Time the whole server and the plain design: one vector per lesson and Chroma's own query."""

import argparse
import contextlib
import http.client
import json
import multiprocessing
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from lesson_search.retrieval.evaluation import LABELLED, read_set

from .reporting import report
from .workload import ROOT, build_lessons

QUERY, HOOK = "/api/query", "/hooks/user-prompt-submit?top_k=3&budget=2000"
BATCH = 500  # lessons per ingest request
CLIENTS, SECONDS = 32, 5  # number of concurrent clients, and how long they send requests
ROUNDS = 500
# Maximum times and minimum rates, with 10,000 lessons.
LIMITS = {
    "query p50 ms": 5,
    "query p99 ms": 15,
    "hook p50 ms": 6,
    "hook p99 ms": 20,
    "32 clients, a second": -300,
    "ingested a second": -500,
    "start s": 3,
    "memory MB": 300,
}
LIMITS_LARGE = {"query p99 ms": 50}


@dataclass
class Running:
    """A running server and its measurements."""

    process: "subprocess.Popen[bytes]"
    port: int
    figures: dict[str, float] = field(default_factory=dict)


def main() -> int:
    """Print the figures; return 1 if a limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lessons", type=int, nargs="*", default=[10_000])
    options = parser.parse_args()
    missed, tables = False, []
    for number in options.lessons:
        table = Table("figure", "server", "plain design", "at most", title=f"{number:,} lessons")
        with tempfile.TemporaryDirectory() as folder:
            ours = measure_server(Path(folder, "ours"), number, plain=False)
        with tempfile.TemporaryDirectory() as folder:
            plain = measure_server(Path(folder, "plain"), number, plain=True)
        limits = LIMITS if number <= 10_000 else LIMITS_LARGE  # noqa: PLR2004 - as the limits say
        for name, figure in ours.items():
            limit = limits.get(name)
            over = limit is not None and (figure > limit if limit > 0 else figure < -limit)
            missed |= over
            shown = "" if limit is None else f"{'' if limit > 0 else 'least '}{abs(limit)}"
            other = f"{plain[name]:,.1f}" if name in plain else ""
            table.add_row(name, f"{figure:,.1f}", other, shown + (" missed" if over else ""))
        tables.append(table)
    report("lesson-server", *tables, about=__doc__)
    return int(missed)


def measure_server(folder: Path, number: int, *, plain: bool) -> dict[str, float]:
    prompts = [question.prompt for question in read_set(LABELLED).questions]
    figures: dict[str, float] = {}
    with run_server(folder, plain=plain) as running:
        figures["ingested a second"] = measure_ingest(running.port, number)
    with run_server(folder, plain=plain) as running:
        figures |= running.figures
        paths = {"query": QUERY} if plain else {"query": QUERY, "hook": HOOK}
        for name, path in paths.items():
            bodies = [build_body(path, prompt) for prompt in prompts]
            measure_latency(running.port, path, bodies)  # warm-up
            times = measure_latency(running.port, path, bodies)
            p50, p99 = np.percentile(times, [50, 99]) * 1000
            figures |= {f"{name} p50 ms": p50, f"{name} p99 ms": p99}
        bodies = [build_body(QUERY, prompt) for prompt in prompts]
        figures[f"{CLIENTS} clients, a second"] = measure_rate(running.port, bodies)
        figures["memory MB"] = read_memory(running.process.pid)
    return figures


@contextlib.contextmanager
def run_server(folder: Path, *options: str, plain: bool) -> Iterator[Running]:
    """Run a server on a folder for the duration of the block, and measure its startup time."""
    port = find_port()
    if plain:
        command = [str(ROOT / "benchmarks" / "plain_server.py"), str(folder), str(port)]
    else:
        serve = ["--data", str(folder), "serve", "--port", str(port), *options]
        command = ["-m", "lesson_search", *serve]
    environment = dict(os.environ)
    start = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, *command],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            wait_until_ready(port, process)
            running = Running(process, port)
            running.figures["start s"] = time.perf_counter() - start
            yield running
        finally:
            process.send_signal(signal.SIGTERM)


def find_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_until_ready(port: int, process: "subprocess.Popen[bytes]") -> None:
    """Wait until the server answers; raises SystemExit if its process exits."""
    while process.poll() is None:
        with contextlib.suppress(OSError):
            request(http.client.HTTPConnection("127.0.0.1", port), "GET", "/api/health")
            return
        time.sleep(0.01)
    raise SystemExit(f"the server ended with {process.returncode}")


def request(
    connection: http.client.HTTPConnection, method: str, path: str, body: bytes | None = None
) -> bytes:
    """Return the response to a request; raises SystemExit on an error."""
    token = os.environ.get("LESSON_SEARCH_TOKEN", "")  # required if the server has a token
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    connection.request(method, path, body, headers)
    response = connection.getresponse()
    answer = response.read()
    if response.status != 200:  # noqa: PLR2004 - OK
        raise SystemExit(f"{path} was answered with {response.status}: {answer.decode()}")
    return answer


def build_body(path: str, prompt: str) -> bytes:
    if path == QUERY:
        return json.dumps({"prompt": prompt}).encode()
    return json.dumps({"hook_event_name": "UserPromptSubmit", "prompt": prompt}).encode()


def measure_ingest(port: int, number: int) -> float:
    """Ingest lessons in bulk, and return the number per second."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    lessons = build_lessons(number)
    start = time.perf_counter()
    batches = track(
        range(0, number, BATCH), "Ingesting", console=Console(stderr=True), transient=True
    )
    for first in batches:
        body = json.dumps({"lessons": lessons[first : first + BATCH]}).encode()
        request(connection, "POST", "/api/ingest/bulk", body)
    return number / (time.perf_counter() - start)


def measure_latency(port: int, path: str, bodies: Sequence[bytes]) -> list[float]:
    """Return the seconds that each of a series of requests takes."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.connect()
    connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    times = []
    for number in range(ROUNDS):
        start = time.perf_counter()
        request(connection, "POST", path, bodies[number % len(bodies)])
        times.append(time.perf_counter() - start)
    return times


def measure_rate(port: int, bodies: Sequence[bytes]) -> float:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(ask_at_once, (port, bodies))


def ask_at_once(port: int, bodies: Sequence[bytes]) -> float:
    """Send queries over many connections at once, and return the number of answers per second.

    It formats requests and parses responses itself, because a client library would use more CPU
    time than the server.
    """
    import selectors

    requests = [
        b"POST /api/query HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
        for body in bodies
    ]
    selector = selectors.DefaultSelector()
    received: dict[socket.socket, bytes] = {}
    for number in range(CLIENTS):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.sendall(requests[number % len(requests)])
        received[connection] = b""
        selector.register(connection, selectors.EVENT_READ)
    answered, start = 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        for key, _ in selector.select():
            connection = key.fileobj  # type: ignore[assignment] # as registered
            received[connection] += connection.recv(65_536)
            if is_whole(received[connection]):
                answered += 1
                received[connection] = b""
                connection.sendall(requests[answered % len(requests)])
    elapsed = time.perf_counter() - start
    for connection in received:
        connection.close()
    return answered / elapsed


def is_whole(answer: bytes) -> bool:
    """Return whether a response is complete; raises SystemExit on an error."""
    head, end, body = answer.partition(b"\r\n\r\n")
    if not end:
        return False
    if not head.startswith(b"HTTP/1.1 200"):
        raise SystemExit(f"a query was answered with {answer.decode()}")
    length = re.search(rb"(?i)content-length: (\d+)", head)
    return length is not None and len(body) >= int(length[1])


def read_memory(process: int) -> float:
    """Return a process's memory in megabytes, on Linux."""
    status = Path(f"/proc/{process}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return int(found[1]) / 1000 if found else float("nan")


if __name__ == "__main__":
    sys.exit(main())
