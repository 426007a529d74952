"""Write docs/performance.md: the figures of docs/performance.json, and how each was measured."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
sys.path.append(str(FOLDER.parent))
PAGE = FOLDER / "performance.md"
FIGURES = FOLDER / "performance.json"
INTRODUCTION = """\
# Performance

Each table says how it was measured. Times by the clock are of one machine with two cores; what is
compared was measured side by side. `make bench` runs the benchmarks.

`docs/write_performance.py` writes this page from `docs/performance.json`: edit the figures there,
after a benchmark.

![Times with 10 to 10,000 keywords](keywords.svg)

`make plot` draws this picture, `make pictures` those of the terminal.
"""


def write_page() -> str:
    """Return the page."""
    sections = json.loads(FIGURES.read_text("utf-8"))
    lines = [INTRODUCTION]
    for number, section in enumerate(sections):
        lines += ["", *write_section(section)] if number else write_section(section)
    return "\n".join(lines) + "\n"


def write_section(section: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of a section.

    Args:
        section: Its `title`, how it was `measured`, the `command` that does so or "", the heads of
            its `columns`, and its `rows` of texts.

    """
    from docs.write_answers import write_table

    yield from (f"## {section['title']}", "", section["measured"])
    yield from ("", f"Measured by `{section['command']}`.") if section["command"] else ()
    yield ""
    yield from write_table(section["columns"], section["rows"])


if __name__ == "__main__":
    page = Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE
    page.write_text(write_page(), "utf-8")
