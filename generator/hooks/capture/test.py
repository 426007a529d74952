"""Test that the capture hook starts a background search, and never answers."""

import os
import time
from pathlib import Path
from typing import Any

import pytest

EVENT = {"hook_event_name": "SessionStart", "session_id": "test", "source": "startup"}


@pytest.mark.parametrize("installed", [True, False])
def test_search_is_started(
    run_hook: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, installed: bool
) -> None:
    log = tmp_path / "told"
    if installed:
        program = tmp_path / "lesson-search"
        program.write_text(f'#!/bin/sh\necho "$@" > {log}.part && mv {log}.part {log}\n')
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.defpath}")
    answer = run_hook("capture", EVENT)
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, b"", b"")
    late = time.monotonic() + 10
    while installed and not log.exists() and time.monotonic() < late:
        time.sleep(0.01)
    assert log.exists() is installed
    assert not installed or log.read_text() == "capture\n"
