"""Time a team server with many concurrent clients on the databases in HOOKWRIGHT_DOCS.

The clients run in a separate process on the same machine. They format and parse HTTP themselves,
because the SDK's client uses more CPU time than the server. A search's CPU time is comparable
between runs even on a busy machine.
"""

import argparse
import json
import multiprocessing
import os
import selectors
import socket
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from rich.table import Table

from hookwright_documentation.databases import Database, open_database

from .bench_documentation_server import collect_queries
from .bench_server import is_whole, read_memory, run_server
from .reporting import report

CLIENTS, SECONDS, PROCESSES = 50, 10, 2
WARM = 500  # searches before the timed ones
TOKEN = "a-token-of-the-benchmark"  # noqa: S105 - it guards nothing
# Maximum times and minimum rates.
LIMITS = {"searches a second": -500.0, "p99 ms": 250.0}


@dataclass
class Waiting:
    """A client that waits for an answer.

    Args:
        start: When the client sent the request.
        received: The bytes received so far.

    """

    start: float
    received: bytes = b""


@dataclass
class Answered:
    """The clients' measurements.

    Args:
        times: The seconds that each search took.
        elapsed: The seconds that all searches took together.
        busy: The clients' CPU seconds.

    """

    times: list[float] = field(default_factory=list)
    elapsed: float = 0.0
    busy: float = 0.0


def main() -> int:
    """Print the figures; return 1 if one misses its limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("databases", nargs="+", help="the names of the databases to search")
    parser.add_argument("--clients", type=int, default=CLIENTS, help="how many ask at once")
    parser.add_argument("--processes", type=int, default=PROCESSES, help="that search")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for how long they ask")
    options = parser.parse_args()
    missed, tables = False, []
    for name in options.databases:
        database = open_database(name)
        title = f"{options.clients} clients, {name}: {database.manifest.passages:,} passages"
        table = Table("figure", "value", "limit", title=title)
        for figure, value in measure(database, options).items():
            limit = LIMITS.get(figure)
            over = limit is not None and (value > limit if limit > 0 else value < -limit)
            missed |= over
            shown = "" if limit is None else f"{'' if limit > 0 else 'least '}{abs(limit):g}"
            table.add_row(figure, f"{value:,.2f}", shown + (" missed" if over else ""))
        tables.append(table)
    report("team-server", *tables, about=__doc__)
    return int(missed)


def measure(database: Database, options: argparse.Namespace) -> dict[str, float]:
    """Return a server's figures with many concurrent clients."""
    bodies = [build_body(database, query) for query in collect_queries(database)]
    os.environ["LESSON_SEARCH_TOKEN"] = TOKEN
    serve = f"--search-processes={options.processes}"
    with (
        tempfile.TemporaryDirectory() as folder,
        run_server(Path(folder), serve, plain=False) as running,
    ):
        requests = [build_request(body, running.port) for body in bodies]
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            pool.apply(ask_at_once, (running.port, requests, options.clients, 0, WARM))
            processes = [running.process.pid, *list_children(running.process.pid)]
            before = [read_processor_time(process) for process in processes]
            asked = (running.port, requests, options.clients, options.seconds)
            answered = pool.apply(ask_at_once, asked)
        busy = [read_processor_time(process) for process in processes]
        memory = sum(map(read_memory, processes))
    p50, p99 = np.percentile(answered.times, [50, 99]) * 1000
    number = len(answered.times)
    return {
        "searches a second": number / answered.elapsed,
        "p50 ms": float(p50),
        "p99 ms": float(p99),
        "CPU ms a search": (sum(busy) - sum(before)) / number * 1000,
        "CPU ms a search, of the server itself": (busy[0] - before[0]) / number * 1000,
        "CPU ms a search, of the clients": answered.busy / number * 1000,
        "memory MB": memory,
    }


def build_body(database: Database, query: str) -> bytes:
    arguments = {"database": database.manifest.name, "query": query}
    parameters = {"name": "search_docs", "arguments": arguments}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": parameters}
    return json.dumps(call).encode()


def build_request(body: bytes, port: int) -> bytes:
    return (
        b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\n"
        b"Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
        b"MCP-Protocol-Version: 2025-06-18\r\nContent-Length: %d\r\n\r\n%s"
    ) % (port, TOKEN.encode(), len(body), body)


def read_processor_time(process: int) -> float:
    """Return a process's CPU seconds, on Linux."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def list_children(process: int) -> list[int]:
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def ask_at_once(
    port: int, requests: Sequence[bytes], clients: int, seconds: float, least: int = 1
) -> Answered:
    """Send queries over many connections at once; each sends its next request after an answer.

    Args:
        port: The server's port.
        requests: The requests, sent in order and then repeated.
        clients: The number of connections.
        seconds: The minimum duration.
        least: The minimum number of answers.

    """
    selector = selectors.DefaultSelector()
    answered, start, busy = Answered(), time.perf_counter(), time.process_time()
    asked = 0
    for _ in range(clients):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        selector.register(connection, selectors.EVENT_READ, Waiting(time.perf_counter()))
        connection.sendall(requests[asked % len(requests)])
        asked += 1
    while time.perf_counter() - start < seconds or len(answered.times) < least:
        for key, _ in selector.select():
            ready, waiting = key.fileobj, key.data
            assert isinstance(ready, socket.socket)  # noqa: S101 - as registered
            waiting.received += ready.recv(1_000_000)
            if is_whole(waiting.received):
                now = time.perf_counter()
                answered.times.append(now - waiting.start)
                waiting.start, waiting.received = now, b""
                ready.sendall(requests[asked % len(requests)])
                asked += 1
    answered.elapsed = time.perf_counter() - start
    answered.busy = time.process_time() - busy
    for key in list(selector.get_map().values()):
        key.fileobj.close()  # type: ignore[union-attr] # as registered
    return answered


if __name__ == "__main__":
    sys.exit(main())
