"""The page about performance says the figures that are kept."""

from docs.write_performance import PAGE, write_page


def test_page_is_up_to_date() -> None:
    same = PAGE.read_text("utf-8") == write_page()
    assert same, "docs/performance.md is old: run .venv/bin/python docs/write_performance.py"
