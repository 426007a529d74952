"""Time the documentation server over MCP on the databases in HOOKWRIGHT_DOCS."""

import argparse
import contextlib
import os
import random
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import anyio
import httpx2
import numpy as np
from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from rich.table import Table

from hookwright_documentation.cutting import list_pages, read_page
from hookwright_documentation.databases import Database, open_database
from hookwright_documentation.serving.registration import build_http_entry, build_stdio_entry

from .bench_server import read_memory, run_server
from .reporting import report

ROUNDS = 300
QUESTIONS = 100
STARTS = 3
# Upper limits.
LIMITS = {
    "tools listed s": 1.5,
    "first answer s": 2.5,
    "idle memory MB": 95,
    "stdio p50 ms": 10,
    "stdio p99 ms": 40,
    "http p50 ms": 10,
    "http p99 ms": 40,
}
LARGE = 20_000  # number of passages above which the other limits apply
LIMITS_LARGE = {**LIMITS, "stdio p99 ms": 60, "http p99 ms": 60}


def main() -> int:
    """Print the figures; return 1 if one exceeds its limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("databases", nargs="+", help="the names of the databases to search")
    exceeded, tables = False, []
    for name in parser.parse_args().databases:
        database = open_database(name)
        passages = database.manifest.passages
        limits = LIMITS if passages < LARGE else LIMITS_LARGE
        table = Table("figure", "median", "at most", title=f"{name}: {passages:,} passages")
        for figure, value in anyio.run(measure, database).items():
            over = value > limits.get(figure, value)
            exceeded |= over
            limit = f"{limits.get(figure, '')}{' exceeded' if over else ''}"
            table.add_row(figure, f"{value:,.2f}", limit)
        tables.append(table)
    report("documentation-server", *tables, about=__doc__)
    return int(exceeded)


async def measure(database: Database) -> dict[str, float]:
    """Return the figures for both transports."""
    queries = collect_queries(database)
    starts = [await measure_start(database, queries[0]) for _ in range(STARTS)]
    figures = {name: float(np.median([start[name] for start in starts])) for name in starts[0]}
    async with connect_stdio() as (session, _):
        figures |= await measure_searches("stdio", session, database, queries)
    with tempfile.TemporaryDirectory() as folder, run_server(Path(folder), plain=False) as running:
        figures["resident memory MB, before /mcp"] = read_memory(running.process.pid)
        entry = build_http_entry(f"http://127.0.0.1:{running.port}", token=False)
        async with (
            httpx2.AsyncClient() as http,
            streamable_http_client(entry["url"], http_client=http) as streams,
            ClientSession(*streams) as session,
        ):
            await session.initialize()
            figures |= await measure_searches("http", session, database, queries)
        figures["resident memory MB, after"] = read_memory(running.process.pid)
    return figures


def collect_queries(database: Database) -> list[str]:
    """Return page titles, some preceded by a question word."""
    paths = list_pages(database.pages)
    chosen = random.Random(0).sample(paths, min(QUESTIONS, len(paths)))  # noqa: S311 - the same each time
    titles = [read_page(path).title for path in chosen]
    return [f"how to use {title}" if number % 2 else title for number, title in enumerate(titles)]


@contextlib.asynccontextmanager
async def connect_stdio() -> AsyncIterator[tuple[ClientSession, float]]:
    """Yield a session with a new server process, and the time when the process started."""
    entry = build_stdio_entry()
    parameters = StdioServerParameters(
        command=entry["command"], args=entry["args"], env=dict(os.environ)
    )
    start = time.perf_counter()
    async with stdio_client(parameters) as streams, ClientSession(*streams) as session:
        await session.initialize()
        yield session, start


async def measure_start(database: Database, query: str) -> dict[str, float]:
    async with connect_stdio() as (session, start):
        await session.list_tools()
        listed = time.perf_counter() - start
        idle = read_memory(find_child())
        resumed = time.perf_counter()
        await search(session, database, query)
        answered = listed + time.perf_counter() - resumed
    return {"tools listed s": listed, "first answer s": answered, "idle memory MB": idle}


def find_child() -> int:
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    return int(children[-1])


async def measure_searches(
    transport: str, session: ClientSession, database: Database, queries: Sequence[str]
) -> dict[str, float]:
    await search(session, database, queries[0])
    times = []
    for number in range(ROUNDS):
        start = time.perf_counter()
        await search(session, database, queries[number % len(queries)])
        times.append(time.perf_counter() - start)
    p50, p99 = np.percentile(times, [50, 99]) * 1000
    return {f"{transport} p50 ms": float(p50), f"{transport} p99 ms": float(p99)}


async def search(session: ClientSession, database: Database, query: str) -> None:
    """Search the documentation; raises SystemExit on an error."""
    arguments: dict[str, Any] = {"database": database.manifest.name, "query": query}
    result = await session.call_tool("search_docs", arguments)
    if getattr(result, "is_error", True):
        raise SystemExit(f"{query}: {result}")


if __name__ == "__main__":
    sys.exit(main())
