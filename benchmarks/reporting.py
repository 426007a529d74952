"""Print a benchmark's tables; with `RECORD=1`, also save them for docs/performance.md."""

import json
import os
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

RESULTS = Path(__file__).parent / "results"


def report(name: str, *tables: Table, about: str) -> None:
    """Print tables; if RECORD is 1 in the environment, also write them to `results/NAME.json`.

    The limit columns are printed but not saved.

    Args:
        name: The result's name, such as `docsearch`.
        *tables: The measurements.
        about: A description of the measurement method in markdown: the benchmark's docstring.

    """
    Console().print(*tables)
    if os.environ.get("RECORD") != "1":
        return
    version = f"Python {sys.version_info.major}.{sys.version_info.minor}"
    result = {
        "about": f"{' '.join(about.split())} {version}, {os.cpu_count()} cores.",
        "command": f"python -m benchmarks.{Path(sys.argv[0]).stem}",
        "tables": [describe(table) for table in tables],
    }
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps(result, indent=1, ensure_ascii=False) + "\n"
    (RESULTS / f"{name}.json").write_text(text, "utf-8")


def describe(table: Table) -> dict[str, object]:
    kept = [column for column in table.columns if column.header not in ("at most", "limit")]
    cells = [[str(cell) for cell in column.cells] for column in kept]
    return {
        "title": str(table.title or ""),
        "columns": [str(column.header) for column in kept],
        "rows": [list(row) for row in zip(*cells, strict=True)],
    }
