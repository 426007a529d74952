"""At session start, past sessions are searched in the background, without delay or output."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest


@pytest.fixture
def hook(dialects: Path) -> Path:
    return dialects / "hooks" / "capture.py"


@pytest.mark.parametrize("event", [b"{}", b"", b"\xff[", b"[" * 10_000])
def test_search_runs_detached(hook: Path, tmp_path: Path, event: bytes) -> None:
    """The client waits for every process that holds its pipes."""
    (tmp_path / "lesson-search").write_text(
        f"#!/bin/sh\necho $@ > {tmp_path}/told\nexec sleep 60\n"
    )
    (tmp_path / "lesson-search").chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    completed = subprocess.run(
        [sys.executable, "-I", "-S", hook],
        input=event,
        capture_output=True,
        check=False,
        env={"PATH": path},
        timeout=30,
    )
    assert (completed.returncode, completed.stdout, completed.stderr) == (0, b"", b"")
    late = time.monotonic() + 10
    while not (tmp_path / "told").exists() and time.monotonic() < late:
        time.sleep(0.01)
    assert (tmp_path / "told").read_text() == "capture\n"


@pytest.mark.parametrize("path", ["", "/nowhere"])
def test_nothing_happens_without_the_program(hook: Path, path: str) -> None:
    completed = subprocess.run(
        [sys.executable, "-I", "-S", hook],
        input=b"{}",
        capture_output=True,
        check=False,
        env={"PATH": path, "HOOKWRIGHT_DEBUG": "1"},
    )
    assert (completed.returncode, completed.stdout) == (0, b"")
    assert b"is not installed" in completed.stderr


def test_only_claude_has_the_hook(dialects: Path) -> None:
    assert [path.parent.parent.name for path in dialects.rglob("hooks/capture.py")] == [
        dialects.name
    ]
    assert "capture" not in "".join(
        path.read_text() for path in dialects.rglob("clients/*/hooks.json")
    )
