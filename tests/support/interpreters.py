"""Find the interpreters that rendered code must support."""

import os
import shutil
import subprocess
import sys
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from .hypothesis_profiles import mark_long

if TYPE_CHECKING:
    from _pytest.mark.structures import ParameterSet

MINORS = range(9, 20)
# Used in shebang lines, which end at a blank; the path of the virtual environment may contain one.
BASE_PYTHON = str(Path(sys.executable).resolve())


@cache
def find_interpreters() -> tuple[str, ...]:
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    installed = (
        sorted(pyenv.glob("versions/*")) if os.access(pyenv, os.X_OK) else []
    )  # may be another's
    interpreters: list[str] = []
    for minor in MINORS:
        name = f"python3.{minor}"
        candidates = [*(str(path / "bin" / name) for path in installed), shutil.which(name)]
        running = (python for python in candidates if python and runs(python))
        interpreters.extend(islice(running, 1))
    return tuple(interpreters)


def list_interpreters() -> "list[ParameterSet]":
    """Return the interpreters as parameters; all but the oldest are marked long."""
    oldest, *newer = find_interpreters()
    return [pytest.param(oldest), *mark_long(newer)]


def runs(python: str) -> bool:
    """Return whether an interpreter starts; pyenv shims can exist without their interpreter."""
    if not os.access(python, os.X_OK):
        return False
    command = [python, "-I", "-S", "-c", ""]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0
