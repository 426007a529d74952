"""The command line works with the oldest and newest supported Pythons."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hookwright.cli.main import COMMANDS

from ..support.interpreters import find_interpreters
from ..support.project import ROOT

OLDEST = (3, 10)
ROUTE = ("--pattern", "example.com/x", "--message", "Ask there.")


def list_others() -> list[str]:
    own = sys.version_info[:2]
    versions = {python: read_version(python) for python in find_interpreters()}
    others = [
        python for python, version in versions.items() if version >= OLDEST and version != own
    ]
    return [*others[:1], *others[1:][-1:]]


def read_version(python: str) -> tuple[int, int]:
    major, _, minor = Path(python).name.removeprefix("python").partition(".")
    return int(major), int(minor)


def install(python: str, folder: Path) -> Path:
    own = folder / "bin" / "python"
    completed = subprocess.run(
        [sys.executable, "-m", "uv", "sync", "--quiet", "--frozen", "--python", python],
        cwd=ROOT,
        env={**os.environ, "UV_PROJECT_ENVIRONMENT": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    if completed.returncode:
        pytest.skip(f"{python} gets no packages: {completed.stderr.strip()[-200:]}")
    return own


@pytest.mark.long
@pytest.mark.parametrize("python", list_others())
def test_commands_run_under_each_interpreter(tmp_path: Path, python: str) -> None:
    own = install(python, tmp_path / "environment")

    def run(*words: str) -> str:
        completed = subprocess.run(
            [str(own), "-m", "hookwright", *words],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
            env={**os.environ, "HOME": str(tmp_path)},
        )
        assert completed.returncode == 0, (words, completed.stderr)
        return completed.stdout

    run("new", "my-hooks", "--data-file", str(ROOT / "examples" / "devops.yml"), "--no-install")
    run("add", "route", "x", *ROUTE, "--yes", "--project", "my-hooks")
    run("try", "https://example.com/x", "--expect", "deny", "--project", "my-hooks")
    for name in COMMANDS:
        assert run(name, "--help").startswith("Usage: ")
    for group, name in (("add", "database"), ("add", "route"), ("share", "export")):
        assert run(group, name, "--help").startswith("Usage: ")
