"""Read past sessions' tool calls from Claude Code's transcripts, without changing them.

A transcript contains one JSON line per message block; subagents have separate transcripts. A
resumed session may repeat the lines of the previous session, so each call is counted only once.
"""

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hookwright_console.files.regular import read_lines

MAX_LINE = 16_000_000  # bytes per line; longer lines contain images
MARK = b'"tool_use"'
UNIT = 1_000_000  # bytes: progress is reported in megabytes


@dataclass
class Transcripts:
    """The transcripts of the client."""

    folder: Path
    paths: list[Path]
    unread: int = 0  # files that could not be read completely
    _seen: set[int] = field(default_factory=set)

    def read_calls(
        self, wanted: Callable[[str], bool], progress: Callable[[int, int], None]
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield each call of a wanted tool once, as the tool and its input; skip broken lines.

        `progress` is called with the megabytes read so far and the total.
        """
        sizes = [count_bytes(path) for path in self.paths]
        done, total = 0, sum(sizes) // UNIT
        for path, size in zip(self.paths, sizes, strict=True):
            try:
                with path.open("rb") as file:
                    for line in read_lines(file, MAX_LINE):
                        if MARK in line:
                            yield from self._read_line(line, wanted)
                            progress(min((done + file.tell()) // UNIT, total), total)
            except OSError:
                self.unread += 1
            done += size
        progress(total, total)

    def _read_line(
        self, line: bytes, wanted: Callable[[str], bool]
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        for block in read_blocks(line):
            tool, tool_input = block.get("name"), block.get("input")
            if isinstance(tool, str) and isinstance(tool_input, dict) and wanted(tool):
                identity = hash_call(block.get("id"), tool, tool_input)
                if identity is not None and identity not in self._seen:
                    self._seen.add(identity)
                    yield tool, tool_input


def find_transcripts(config: Path) -> Transcripts:
    folder = config / "projects"
    regular = filter(os.path.isfile, folder.rglob("*.jsonl"))  # pipes and other files could block
    return Transcripts(folder, sorted(regular))


def count_bytes(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def hash_call(identity: object, tool: str, tool_input: dict[str, Any]) -> int | None:
    """Return a call's hash, or None if its input is nested too deeply for an event."""
    try:
        return hash(json.dumps([[[identity, tool, tool_input]]]))
    except RecursionError:
        return None


def read_blocks(line: bytes) -> list[dict[str, Any]]:
    """Return the tool calls in a transcript line, or none if the line is broken."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return []
    message = record.get("message") if isinstance(record, dict) else None
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(content, list) or record.get("type") != "assistant":
        return []
    return [
        block for block in content if isinstance(block, dict) and block.get("type") == "tool_use"
    ]
