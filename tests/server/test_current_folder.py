"""Neither program imports what is in the current folder."""

import subprocess
import sys
from pathlib import Path

import pytest

PLANTED = ("hookwright_console", "numpy", "safetensors", "tokenizers", "typer", "wordllama", "yaml")


@pytest.mark.parametrize("words", [("hookwright", "list"), ("lesson_search", "query", "docker")])
def test_modules_of_a_stranger_are_not_run(tmp_path: Path, words: tuple[str, ...]) -> None:
    """A module that has the name of one that is needed is left alone."""
    for name in PLANTED:
        (tmp_path / f"{name}.py").write_text("open('ran', 'w').close()\n")
    done = subprocess.run(
        [sys.executable, "-m", *words], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.stderr.count("\n") == 1  # there is no project, and there are no lessons
    assert not (tmp_path / "ran").exists()
