"""Measure which lessons capture finds in sessions with known lessons.

The argument is a JSON Lines file or a folder of such files. Each line is a session with an id, a
folder (cwd), its events and its lessons. An event is a user message (user), a reply (say), a client
reminder, a subagent task, or a call: bash or edit with its output (out) and whether it failed
(error). A lesson consists of its text and the number of its source event (from).
"""

import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from lesson_search.capture.rules import Candidate, find_candidates
from lesson_search.capture.transcripts import read_sessions

STATED = {"said", "corrected"}  # rules for lessons that a single user message states
NEAR = 4  # maximum number of events between a failed command and its lesson
WORD = re.compile(r"\w{4,}")
MIN_PRECISION, MIN_FOUND = 0.6, 0.7

Session = dict[str, Any]


def main() -> int:
    """Print the table; return 1 if a limit is missed."""
    place = Path(sys.argv[1])
    paths = sorted(place.glob("*.jsonl")) if place.is_dir() else [place]
    lines = [line for path in paths for line in path.read_text("utf-8").splitlines()]
    written = [json.loads(line) for line in lines]
    kept, total, found = Counter[str](), Counter[str](), set[tuple[str, int]]()
    with tempfile.TemporaryDirectory() as folder:
        read = [next(read_sessions(write(Path(folder), session))) for session in written]
    by_id = {session["id"]: session for session in written}
    for candidate in find_candidates(read):
        number = match(candidate, by_id[candidate.session])
        total[candidate.rule] += 1
        if number is not None:
            kept[candidate.rule] += 1
            found.add((candidate.session, number))
    table = Table("rule", "candidates", "lessons", "precision")
    for rule in [*total, "all"]:
        numbers = [total, kept] if rule == "all" else [{rule: total[rule]}, {rule: kept[rule]}]
        candidates, lessons = (sum(counted.values()) for counted in numbers)
        table.add_row(rule, str(candidates), str(lessons), f"{lessons / max(candidates, 1):.2f}")
    planted = sum(len(session["lessons"]) for session in written)
    precision, share = kept.total() / max(total.total(), 1), len(found) / max(planted, 1)
    Console().print(table)
    print(f"{len(written)} sessions: {len(found)} of {planted} lessons found ({share:.2f})")
    return int(precision < MIN_PRECISION or share < MIN_FOUND)


def write(folder: Path, session: Session) -> Path:
    """Write a session in Claude Code's format; each record's timestamp encodes its event number."""
    path = folder / f"{session['id']}.jsonl"
    rows = [
        {"cwd": session["cwd"], "timestamp": stamp(number), "isSidechain": False, **record}
        for number, event in enumerate(session["events"])
        for record in build_records(number, event)
    ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return path


def stamp(number: int) -> str:
    return f"2026-11-01T{number // 60:02}:{number % 60:02}:00Z"


def build_records(number: int, event: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if "say" in event:
        text = {"type": "text", "text": event["say"]}
        yield {"type": "assistant", "message": {"content": [text]}}
    elif "reminder" in event:
        text = {"type": "text", "text": f"<system-reminder>{event['reminder']}</system-reminder>"}
        yield {"type": "user", "message": {"content": [text]}}
    elif words := event.get("user", event.get("subagent")):
        yield {"type": "user", "message": {"content": words}, "isSidechain": "subagent" in event}
    else:
        name, given = event.get("call", "Bash"), event.get("input", {})
        if "edit" in event:
            name, given = "Edit", {"file_path": event["edit"]}
        elif "bash" in event:
            given = {"command": event["bash"]}
        call = {"type": "tool_use", "id": str(number), "name": name, "input": given}
        yield {"type": "assistant", "message": {"content": [call]}}
        result = {"type": "tool_result", "tool_use_id": str(number), "content": event.get("out")}
        content = [{**result, "is_error": bool(event.get("error"))}]
        yield {"type": "user", "toolUseResult": {}, "message": {"content": content}}


def match(candidate: Candidate, session: Session) -> int | None:
    """Return the number of the lesson that matches a candidate, or None.

    They match if they come from the same user message, or from nearby events and share a word.
    """
    stamps = [stamp(number) for number in range(len(session["events"]))]
    place, words = stamps.index(candidate.time), set(WORD.findall(candidate.text.lower()))
    for number, lesson in enumerate(session["lessons"]):
        apart = abs(lesson["from"] - place)
        if candidate.rule in STATED and apart == 0:
            return number
        shares = words & set(WORD.findall(lesson["text"].lower()))
        if candidate.rule not in STATED and apart <= NEAR and shares:
            return number
    return None


if __name__ == "__main__":
    sys.exit(main())
