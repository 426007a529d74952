"""Lessons can be ingested from standard input."""

import json
from pathlib import Path

import pytest

from ...support.command_line import CommandLine


@pytest.mark.parametrize(
    ("given", "ids"),
    [
        (b"## Lesson: By hand\n\nText\n", ["stdin:by-hand"]),
        (b'\xef\xbb\xbf\n{"id": "a", "text": "A"}\n{"id": "b", "text": "B"}\n', ["a", "b"]),
    ],
)
def test_lessons_can_be_piped_in(
    command_line: CommandLine,
    given: bytes,
    ids: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A folder called - is not read instead."""
    (tmp_path / "-").mkdir()
    monkeypatch.chdir(tmp_path)
    command_line.output("ingest", "-", given=given)
    assert [row["id"] for row in json.loads(command_line.output("list", "--json"))] == ids


@pytest.mark.parametrize(
    ("given", "part"),
    [
        (b"\0", "stdin: binary"),
        (b"\xff\xfea\0", "save it as UTF-8"),
        (b"", "no lesson"),
        (b"\xff", "no lesson"),
    ],
)
def test_invalid_pipe_is_rejected(command_line: CommandLine, given: bytes, part: str) -> None:
    assert part in command_line.error("ingest", "-", given=given)
