"""The pages show the recorded benchmark figures."""

import json
import re

from docs.write_performance import PAGE, RESULTS, write_page

from ..support.project import ROOT

DECIDES = 3  # index of the column with the minimum share for a denial


def test_page_is_up_to_date() -> None:
    same = PAGE.read_text("utf-8") == write_page()
    assert same, "docs/performance.md is old: run .venv/bin/python docs/write_performance.py"


def test_readme_has_the_current_figures() -> None:
    readme = " ".join((ROOT / "README.md").read_text("utf-8").split())
    (miss,) = re.findall(r"takes ([\d.]+) times as long as starting Python", readme)
    assert miss == read_rows("docsearch")["no match"][-1]
    answers = read_rows("docsearch-answer")
    number, *_, page = questions = answers["Python, questions"]
    shares = [answers[name][DECIDES] for name in ("library", "other meanings")]
    figures = [questions[DECIDES], page, *shares]
    denied, right, libraries, meanings = (f"{100 * float(share):.0f} %" for share in figures)
    assert f"{denied} of {number} questions about Python were denied, and {right} got" in readme
    assert f"denied {libraries} of the searches for other libraries, and {meanings}" in readme
    cost = [answers[name][0] for name in ("tokens, median", "ms, median")]
    assert "A denial adds about {} tokens and takes {} ms.".format(*cost) in readme


def read_rows(name: str) -> dict[str, list[str]]:
    tables = json.loads((RESULTS / f"{name}.json").read_text("utf-8"))["tables"]
    return {first: cells for table in tables for first, *cells in table["rows"]}
