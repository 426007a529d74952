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
# For a shebang line, which ends at a blank: the environment's own path may contain one.
BASE_PYTHON = str(Path(sys.executable).resolve())


@cache
def find_interpreters() -> tuple[str, ...]:
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    kept = sorted(pyenv.glob("versions/*")) if os.access(pyenv, os.X_OK) else []  # another user's
    found: list[str] = []
    for minor in MINORS:
        name = f"python3.{minor}"
        candidates = [*(str(path / "bin" / name) for path in kept), shutil.which(name)]
        running = (python for python in candidates if python and runs(python))
        found.extend(islice(running, 1))
    return tuple(found)


def list_interpreters() -> "list[ParameterSet]":
    """Return them as parameters; all but the oldest are marked long."""
    oldest, *newer = find_interpreters()
    return [pytest.param(oldest), *mark_long(newer)]


def runs(python: str) -> bool:
    """Return whether an interpreter starts; a pyenv shim may exist without its interpreter."""
    if not os.access(python, os.X_OK):
        return False
    command = [python, "-I", "-S", "-c", ""]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0
