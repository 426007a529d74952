"""Plot how long the docsearch hook takes with 10 to 10,000 keywords, as an SVG for the README."""

import argparse
import os
import sys
import tempfile
from pathlib import Path

import matplotlib as mpl
from matplotlib import pyplot as plt

from .timing import Case, time_cases
from .workload import MATCH, MISS, ROOT, build_databases, render_project

SIZES = [(1, 10), (10, 10), (10, 100), (100, 100)]  # databases, keywords per database


def main() -> int:
    """Time the hooks and write the plot; return 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=60, help="how often to run each case")
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "keywords.svg")
    options = parser.parse_args()
    isolated = [sys.executable, "-I", "-S"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["CLAUDE_CONFIG_DIR"] = str(folder / "claude")
        cases = [Case("floor", [*isolated, "-c", "pass"])]
        for databases, keywords in SIZES:
            project, records = (
                folder / f"{databases}x{keywords}",
                build_databases(databases, keywords),
            )
            hook = render_project(project, "docsearch", databases=records)
            cases += [
                Case("no match", [*isolated, str(hook)], MISS),
                Case("deny", [*isolated, str(hook)], MATCH, 2),
                Case("retry", [*isolated, str(hook)], MATCH),
            ]
        timings = time_cases(cases, options.rounds)
    write_plot(options.output, *([timing.ratio for timing in timings[row::3]] for row in (1, 2, 3)))
    return 0


def write_plot(path: Path, misses: list[float], denials: list[float], retries: list[float]) -> None:
    mpl.rcParams["svg.hashsalt"] = "hookwright"  # keeps IDs stable between runs
    totals = [databases * keywords for databases, keywords in SIZES]
    figure, axes = plt.subplots(figsize=(7, 3.6), layout="constrained")
    for label, ratios in (("deny", denials), ("retry", retries), ("no match", misses)):
        axes.plot(totals, ratios, marker="o", label=label)
    axes.axhline(1, color="grey", linestyle="--", label="python3 -I -S -c pass")
    axes.set(xscale="log", xlabel="keywords", ylabel="times the interpreter's start", ylim=(0, 3))
    axes.set_title("The docsearch hook, as a whole process")
    axes.grid(alpha=0.3)
    axes.legend(loc="upper left", ncols=2)
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    sys.exit(main())
