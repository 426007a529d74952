"""The page about performance says the figures that are kept."""

import subprocess
import sys
from pathlib import Path

from docs.write_performance import PAGE

from ..support.project import ROOT


def test_page_is_up_to_date(tmp_path: Path) -> None:
    """The page is written from the figures."""
    page = tmp_path / "performance.md"
    subprocess.run([sys.executable, ROOT / "docs" / "write_performance.py", page], check=True)
    same = PAGE.read_text("utf-8") == page.read_text("utf-8")
    assert same, "docs/performance.md is old: run .venv/bin/python docs/write_performance.py"
