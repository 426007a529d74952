"""Compare our documentation server with LEANN's server on the same pages and questions.

Each server runs in its own process, is warmed up, and answers over MCP. Set LEANN up with
hookwright setup --engine leann; both databases must be in the folder of HOOKWRIGHT_DOCS.
"""

import argparse
import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import numpy as np
from mcp import ClientSession, StdioServerParameters, stdio_client
from rich.console import Console
from rich.progress import track
from rich.table import Table

from hookwright.documentation.proof import read_answer
from hookwright_documentation.databases import Database, find_database_folder, open_database
from hookwright_documentation.leann import LINK
from hookwright_documentation.leann.program import find_leann
from hookwright_documentation.serving.registration import build_stdio_entry

from .reporting import report

QUESTIONS = Path(__file__).parent / "documentation-questions" / "flask.tsv"
TOP_K = 5
RATIO = 50  # minimum speed-up


@dataclass(frozen=True)
class Asked:
    """A server to query: its command, its tool, and all arguments except the query."""

    entry: Mapping[str, Any]
    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Figures:
    """Seconds for the first answer and for later ones, and which answers are right."""

    first: float
    times: Sequence[float]
    right: float


def main() -> int:
    """Print the figures; return 1 if our server is not fast enough."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ours", help="the name of the database that we search")
    parser.add_argument("leann", help="the name of the database that LEANN searches")
    parser.add_argument("--questions", type=Path, default=QUESTIONS, help="questions and pages")
    parser.add_argument("--most", type=int, help="ask only so many of them")
    options = parser.parse_args()
    ours = open_database(options.ours)
    arguments = {
        "index_name": str(find_database_folder(options.leann).absolute() / LINK),
        "top_k": TOP_K,
    }
    servers = {
        "Hookwright": Asked(
            build_stdio_entry(), "search_docs", {"database": options.ours, "top_k": TOP_K}
        ),
        "LEANN": Asked(find_leann().build_entry(), "leann_search", arguments),
    }
    questions = read_questions(options.questions, ours)[: options.most]
    title = f"{len(questions)} questions, {ours.manifest.pages} pages"
    table = Table("server", "first answer s", "p50 ms", "p99 ms", f"page in {TOP_K}", title=title)
    medians = []
    for name, server in servers.items():
        figures = anyio.run(ask, server, questions)
        p50, p99 = np.percentile(figures.times, [50, 99]) * 1000
        medians.append(p50)
        cells = (f"{figures.first:.2f}", f"{p50:,.1f}", f"{p99:,.1f}", f"{figures.right:.2f}")
        table.add_row(name, *cells)
    report("leann", table, about=__doc__)
    ratio = medians[1] / medians[0]
    print(f"Hookwright answers {ratio:,.0f} times faster (goal: {RATIO})")
    return int(ratio < RATIO)


def read_questions(path: Path, database: Database) -> list[tuple[str, list[str]]]:
    """Return the questions, each with the addresses of the pages that answer it."""
    rows = [line.split("\t") for line in path.read_text().splitlines()]
    prefix = database.manifest.prefix
    return [(text, [prefix + page for page in pages.split()]) for text, pages in rows]


async def ask(server: Asked, questions: Sequence[tuple[str, Sequence[str]]]) -> Figures:
    """Return the seconds per question, and the number of questions answered with a right page."""
    entry = server.entry
    parameters = StdioServerParameters(
        command=entry["command"],
        args=entry["args"],
        env={**os.environ, **entry.get("env", {})},
        cwd=Path.home(),
    )
    times, right = [], 0
    async with stdio_client(parameters) as streams, ClientSession(*streams) as session:
        await session.initialize()
        first = time.perf_counter()
        await session.call_tool(server.tool, {**server.arguments, "query": questions[0][0]})
        first = time.perf_counter() - first
        for text, pages in track(questions, "Asking", console=Console(stderr=True), transient=True):
            start = time.perf_counter()
            result = await session.call_tool(server.tool, {**server.arguments, "query": text})
            times.append(time.perf_counter() - start)
            answer = read_answer(result)
            right += any(page in answer for page in pages)
    return Figures(first, times, right / len(questions))


if __name__ == "__main__":
    sys.exit(main())
