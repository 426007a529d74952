"""Measure which searches the docsearch hook denies by an index, and how good its passages are.

The searches come from documentation-questions, the descriptions of git's commands, and the searches
in tests/examples that use python in another sense. Both documentations are HTML folders, as for
bench_documentation_search. Tokens are counted by WordLlama; times are CPU times of the whole hook
and of an empty Python.
"""

import argparse
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import yaml
from rich.table import Table

from hooks.docsearch import docsearch_answer
from hookwright_documentation.databases import CURRENT, INDEX_FILE
from hookwright_documentation.index import build_index
from hookwright_retrieval.embedders.wordllama import load_tokenizer

from .bench_documentation_search import (
    QUESTIONS,
    Documentation,
    Question,
    read_git,
    read_python,
)
from .reporting import report
from .workload import ROOT, build_event, render_project

OTHER_MEANINGS = ("held_out_python_queries.yml", "unseen_python_queries.yml")
RECORD = {
    "keywords": ["python"],
    "path": "/home/me/.local/share/hookwright/docs/python",
    "mcp_tool_name": "mcp__hookwright-docs__search_docs",
    "arguments": {"database": "python"},
    "description": "Python documentation",
}
DENIALS = 60  # number of denials to measure
SHARES = (0.35, 0.4, docsearch_answer.COVERED, 0.5, 0.55, 0.6)
# Minimum or maximum share of searches that are denied, and minimum share of right pages.
AT_LEAST = {"Python, questions": 0.93, "Python, titles": 0.93, "git, descriptions": 0.93}
AT_MOST = {"library": 0.45, "nothing": 0.2, "other meanings": 0.2}
RIGHT = {"Python, titles": 0.5, "git, descriptions": 0.68}


@dataclass(frozen=True)
class Answer:
    """The share of a search's words that an index covers, and whether it shows a right page."""

    covered: float
    is_right: bool


def main() -> int:
    """Print the curve; return 1 if a limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("python", type=Path, help="the folder of Python's documentation")
    parser.add_argument("git", type=Path, help="the folder of git's")
    options = parser.parse_args()
    python, git = read_python(options.python), read_git(options.git)
    unanswered = {**read_unanswered(), "other meanings": list(read_other_meanings())}
    sets = {**ask(python, "python", python.questions), **ask(git, "git", git.questions)}
    sets |= ask(python, "python", unanswered)
    shares = [f"{share:g}" for share in SHARES]
    table = Table(
        "searches",
        "number",
        *shares,
        "limit",
        "page among three",
        title="Share denied, by coverage",
    )
    missed = False
    for name, answers in sets.items():
        denied = [
            sum(answer.covered >= share for answer in answers) / len(answers) for share in SHARES
        ]
        own, right = denied[2], sum(answer.is_right for answer in answers) / len(answers)
        is_missed = own < AT_LEAST.get(name, 0) or own > AT_MOST.get(name, 1)
        missed |= is_missed or right < RIGHT.get(name, 0)
        limit = f"{AT_LEAST.get(name, AT_MOST.get(name, ''))}{' missed' if is_missed else ''}"
        page = "" if name in unanswered else f"{right:.2f}"
        table.add_row(name, str(len(answers)), *(f"{share:.2f}" for share in denied), limit, page)
    report("docsearch-answer", table, measure_denials(python), about=__doc__)
    return int(missed)


def read_unanswered() -> dict[str, list[Question]]:
    """Return searches that name third-party libraries, and searches without an answer there."""
    sets: dict[str, list[Question]] = {}
    for line in (QUESTIONS / "python-unanswered.tsv").read_text().splitlines():
        kind, text = line.split("\t")
        sets.setdefault(kind, []).append(Question(text, frozenset()))
    return sets


def read_other_meanings() -> Iterator[Question]:
    for name in OTHER_MEANINGS:
        for text in yaml.safe_load((ROOT / "tests" / "examples" / name).read_text())["python"][
            "other"
        ]:
            yield Question(text, frozenset())


def ask(
    documentation: Documentation, name: str, sets: Mapping[str, Sequence[Question]]
) -> dict[str, list[Answer]]:
    """Return an index's answers to all searches, by the name of the search set."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / INDEX_FILE
        build_index(documentation.passages, documentation.inventory, path)
        with closing(sqlite3.connect(path)) as index:
            return {
                title: [look_up(index, name, question) for question in each]
                for title, each in sets.items()
            }


def look_up(index: sqlite3.Connection, name: str, question: Question) -> Answer:
    words = [word for word in docsearch_answer.list_words(question.text) if word != name]
    (size,) = index.execute("SELECT max(id) FROM passages").fetchone()
    weights, rows = docsearch_answer.weigh(index, words, size)
    covered, best = docsearch_answer.find_coverage(index, weights, rows, size)
    statement = "SELECT url FROM passages JOIN pages ON pages.id = page WHERE passages.id = ?"
    shown = best[: docsearch_answer.PAGES]
    pages = {index.execute(statement, (number,)).fetchone()[0] for number in shown}
    return Answer(covered, any(url.partition("#")[0] in pages for url in question.answers))


def measure_denials(documentation: Documentation) -> Table:
    """Measure the cost of a denial: the tokens that the agent reads, and the milliseconds."""
    asked = documentation.questions["Python, questions"]
    asked = asked[:: len(asked) // DENIALS]
    tokens, times, floors = [], [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        hook = render_project(folder / "my-hooks", "docsearch", databases=[RECORD])
        place = folder / "hookwright" / "docs" / "python"
        (place / "1").mkdir(parents=True)
        (place / CURRENT).write_text("1\n")
        build_index(documentation.passages, documentation.inventory, place / "1" / INDEX_FILE)
        for path in (place / CURRENT, place / "1" / INDEX_FILE):
            path.chmod(0o600)
        variables = {"XDG_DATA_HOME": name, "CLAUDE_CONFIG_DIR": str(folder / "claude")}
        isolated = [sys.executable, "-I", "-S"]
        for question in asked:
            event = build_event("WebSearch", query=f"python {question.text}")
            floors.append(time_process([*isolated, "-c", "pass"], b"", variables)[0])
            took, printed = time_process([*isolated, str(hook)], event, variables)
            if b"==== " not in printed:
                continue
            output = json.loads(printed)["hookSpecificOutput"]
            told = [output["permissionDecisionReason"], output.get("additionalContext", "")]
            tokens.append(len(load_tokenizer().split("\n".join(told))))
            times.append(took)
    table = Table("", "", title="A denial with passages")
    table.add_row("of searches", f"{len(tokens)} of {len(asked)}")
    table.add_row("tokens, median", f"{statistics.median(tokens):.0f}")
    table.add_row("tokens, at most", f"{max(tokens)}")
    table.add_row("ms, median", f"{statistics.median(times) * 1000:.0f}")
    table.add_row("ms, Python alone", f"{statistics.median(floors) * 1000:.0f}")
    return table


def time_process(
    command: Sequence[str], stdin: bytes, variables: Mapping[str, str]
) -> tuple[float, bytes]:
    """Return a command's CPU seconds and its output."""
    before = os.times()
    completed = subprocess.run(
        command, input=stdin, env=variables, capture_output=True, check=False
    )
    after = os.times()
    spent = after.children_user + after.children_system
    return spent - before.children_user - before.children_system, completed.stdout


if __name__ == "__main__":
    sys.exit(main())
