"""Find lesson candidates in transcripts."""

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from hookwright_console.terminal import count, dump, print_line, track
from hookwright_console.text import shorten
from lesson_search.capture.inbox import open_inbox
from lesson_search.capture.rules import find_candidates
from lesson_search.capture.sessions import Session
from lesson_search.capture.transcripts import find_transcripts, read_sessions
from lesson_search.cli.options import JsonOption, Options, print_message

SINCE = re.compile(r"(\d{1,4})([hdw])")
HOURS = {"h": 1, "d": 24, "w": 7 * 24}


def capture(
    context: typer.Context,
    transcripts: Annotated[
        list[Path] | None,
        typer.Argument(metavar="TRANSCRIPT", help="Only these; by default, those of all clients."),
    ] = None,
    *,
    since: Annotated[str, typer.Option(metavar="AGE", help="How far back: 12h, 7d, 2w.")] = "7d",
    as_json: JsonOption = False,
) -> int:
    """Find candidates for lessons in transcripts.

    They wait in the inbox until you approve them: lesson-search inbox. No model is asked, nothing
    leaves this machine, and secrets are removed first.
    """
    options = context.ensure_object(Options)
    now = time.time()
    oldest = now - read_age(since)
    read: list[str] = []
    sessions = read_all(transcripts or find_transcripts(oldest), oldest, read)
    found = list(find_candidates(sessions))  # may take a while
    with open_inbox(options.settings.data) as inbox:
        new = inbox.add(found, now)
        waiting = len(inbox.items)
    if as_json:
        print(dump({"sessions": len(read), "new": new, "waiting": waiting}, indent=2))
        return 0
    number = count(new, "new candidate") if new else "nothing new"
    print_line(f"{number} in {count(len(read), 'session')}, {waiting} waiting")
    if waiting:
        print_line("see them: lesson-search inbox")
    return 0


def read_age(since: str) -> float:
    """Convert an age such as 7d to seconds."""
    if not (parts := SINCE.fullmatch(since.strip())):
        raise typer.BadParameter("expected a number and h, d or w: 12h, 7d, 2w")
    return int(parts[1]) * HOURS[parts[2]] * 3600.0


def read_all(paths: list[Path], oldest: float, read: list[str]) -> Iterator[Session]:
    """Yield the sessions of transcripts, appending their IDs to `read`; report unreadable files."""
    for path in track("Reading transcripts", paths):
        try:
            for session in read_sessions(path, oldest):
                read.append(session.id)
                yield session
        except OSError as error:  # noqa: PERF203 - the others are read
            print_message(f"{shorten(str(path))}: {error.strerror} (left out)")
