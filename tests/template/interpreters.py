"""Find the interpreters that rendered code has to work under, for the tests of the template."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from _pytest.mark.structures import ParameterSet

MINORS = range(9, 20)


def find_interpreters() -> list[str]:
    """Return the interpreters on the PATH and those that pyenv keeps, the first of each version."""
    found: dict[str, str] = {}
    for minor in MINORS:
        version = f"3.{minor}"
        kept = sorted(Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob("versions/*"))
        candidates = [shutil.which(f"python{version}")]
        candidates += [str(path / "bin" / f"python{version}") for path in kept]
        for python in candidates:
            if python and os.access(python, os.X_OK) and runs(python):
                found.setdefault(version, python)
    return list(found.values())


def list_interpreters() -> "list[ParameterSet]":
    """Return them as parameters; those between the oldest and the newest take long in sum."""
    found = find_interpreters()
    between = found[1:-1]
    return [
        pytest.param(python, marks=[pytest.mark.long] if python in between else [])
        for python in found
    ]


def runs(python: str) -> bool:
    """Tell whether an interpreter starts; a shim of pyenv may stand for one that is not there."""
    return subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0
