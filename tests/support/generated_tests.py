"""Run a rendered project's tests."""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

WHOLE = ""  # name that selects all tests of a project


def run_generated_tests(
    project: Path, name: str = WHOLE, python: str = sys.executable, **environment: str
) -> "subprocess.CompletedProcess[str]":
    """Run a project's tests, or those in a file such as `test_project.py`, without leaving files.

    The tests use a separate temporary folder, because scanning a shared one takes time.
    """
    with TemporaryDirectory() as folder:
        command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--basetemp", folder]
        return subprocess.run(
            [*command, f"tests/{name}"],
            cwd=project,
            capture_output=True,
            check=False,
            encoding="utf-8",
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment},
        )


def run_lean(project: Path, name: str = WHOLE) -> "subprocess.CompletedProcess[str]":
    return run_generated_tests(project, name, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
