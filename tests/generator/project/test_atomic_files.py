"""A replaced file keeps its owner and mode."""

import os
from pathlib import Path

import pytest

from hookwright_console.files.atomic import replace_files


@pytest.mark.parametrize(
    ("before", "runs", "after"),
    [(0o600, False, 0o600), (0o600, True, 0o700), (0o755, False, 0o644), (0o664, True, 0o775)],
)
def test_mode_is_kept(tmp_path: Path, before: int, *, runs: bool, after: int) -> None:
    path = tmp_path / "file"
    path.write_text("before")
    path.chmod(before)
    content = b"#!/bin/sh\n" if runs else b"after"
    replace_files(tmp_path, {"file": content})
    assert path.read_bytes() == content
    assert path.stat().st_mode & 0o777 == after


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_owners_are_kept_when_root_replaces_files(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("before")
    os.chown(tmp_path, 1234, 2345)
    os.chown(tmp_path / "old", 1111, 2222)
    replace_files(tmp_path, {"old": b"after", "new": b"after"})
    owners = [((tmp_path / name).stat().st_uid) for name in ("old", "new")]
    assert owners == [1111, 1234]
