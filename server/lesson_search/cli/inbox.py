"""Find lesson candidates in transcripts, and review them in the inbox."""

import re
import shlex
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal, get_args

import typer

from hookwright_console.editor import edit_text
from hookwright_console.errors import MisusedError, RefusedError
from hookwright_console.terminal import count, dump, excerpt, print_line, print_table, track
from hookwright_console.text import escape_hidden, name_some, shorten
from lesson_search.capture.inbox import Item, open_inbox, read_inbox
from lesson_search.capture.rules import find_candidates
from lesson_search.capture.sessions import Session
from lesson_search.capture.transcripts import find_transcripts, read_sessions
from lesson_search.cli.files import ForceOption
from lesson_search.cli.options import JsonOption, Options, connect, print_message
from lesson_search.cli.records import add_lesson

NARROWEST = 30  # minimum width of a text column
REASONS = {
    "said": "you asked to remember it",
    "corrected": "you corrected the agent",
    "denied": "denied again and again",
    "fixed": "it failed, then passed",
}
NOTHING = "the inbox is empty: lesson-search capture looks for candidates in your sessions"

SINCE = re.compile(r"(\d{1,4})([hdw])")
HOURS = {"h": 1, "d": 24, "w": 7 * 24}

Verb = Literal["list", "show", "approve", "edit", "drop", "never", "undo"]


def capture(
    context: typer.Context,
    transcripts: Annotated[
        list[Path] | None,
        typer.Argument(metavar="TRANSCRIPT", help="Only these; by default, those of all clients."),
    ] = None,
    *,
    since: Annotated[str, typer.Option(metavar="AGE", help="How far back: 12h, 7d, 2w.")] = "7d",
    as_json: JsonOption = False,
) -> None:
    """Find candidates for lessons in transcripts.

    They wait in the inbox until you approve them: lesson-search inbox. No model is asked, nothing
    leaves this machine, and secrets are removed first.
    """
    now = time.time()
    oldest = now - read_age(since)
    read: list[str] = []
    # This may take a while, so the inbox is not locked yet.
    found = list(find_candidates(read_all(transcripts or find_transcripts(oldest), oldest, read)))
    if transcripts and not read:
        names = name_some([shorten(str(path)) for path in transcripts], 3)
        raise RefusedError(f"no session in {names}: name a client's transcript")
    with open_inbox(find_folder(context)) as inbox:
        new = inbox.add(found, now)
        waiting = len(inbox.items)
    if as_json:
        print(dump({"sessions": len(read), "new": new, "waiting": waiting}, indent=2))
        return
    number = count(new, "new candidate") if new else "nothing new"
    print_line(f"{number} in {count(len(read), 'session')}, {waiting} waiting")
    if waiting:
        print_line("see them: lesson-search inbox")


def find_folder(context: typer.Context) -> Path:
    return context.ensure_object(Options).settings.data


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
                if session.events:  # otherwise it is not a transcript
                    read.append(session.id)
                    yield session
        except OSError as error:  # noqa: PERF203 - the others are read
            print_message(f"{shorten(str(path))}: {error.strerror} (left out)")


def inbox(
    context: typer.Context,
    verb: Annotated[
        Verb,
        typer.Argument(
            metavar=f"[{'|'.join(get_args(Verb))}]",
            help="What to do; never also drops similar candidates from now on, and undo takes back"
            " a decision.",
        ),
    ] = "list",
    identities: Annotated[
        list[str] | None, typer.Argument(metavar="ID", help="The candidates' IDs, as listed.")
    ] = None,
    *,
    category: Annotated[
        list[str] | None,
        typer.Option(metavar="CATEGORY", help="A category for approved lessons; repeatable."),
    ] = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """List candidates for lessons, and approve, edit or drop them.

    Only what you approve becomes a lesson. Candidates expire after 30 days.
    """
    folder = find_folder(context)
    ids = list(dict.fromkeys(identities or []))
    if verb != "list" and not ids:
        raise MisusedError(f"name a candidate: lesson-search inbox {verb} ID")
    if verb == "undo":
        with open_inbox(folder) as changed:
            restored = [changed.undo(identity) for identity in ids]
        print_line(f"restored {count(len(restored), 'candidate')}")
        return
    waiting = read_inbox(folder)
    chosen = [waiting.find(identity) for identity in ids] or waiting.items
    if as_json:
        rows = ({**vars(item), "evidence": list(map(vars, item.evidence))} for item in chosen)
        print(dump(list(rows), indent=2))
    elif verb == "list":
        list_items(chosen)
    elif verb == "show":
        for item in chosen:
            show_item(item)
    elif verb in {"approve", "edit"}:
        for item in chosen:
            approve(context, item, category or (), edit=verb == "edit", force=force)
    else:
        with open_inbox(folder) as changed:
            for item in chosen:
                changed.decide(changed.find(item.id), never=verb == "never")
        number = count(len(chosen), "candidate")
        print_line(
            f"{number} will not be proposed again" if verb == "never" else f"dropped {number}"
        )
        print_line(f"to undo it: lesson-search inbox undo {' '.join(item.id for item in chosen)}")


def approve(
    context: typer.Context, item: Item, categories: Sequence[str], *, edit: bool, force: bool
) -> None:
    texts = [item.text]
    if edit:
        edit_text(f"{item.text}\n", ".md", texts.append, print_message)
    lesson = replace(item.lesson, text=texts[-1].strip(), categories=tuple(categories))
    # Another process may have decided on the item in the meantime: `find` then raises an error.
    with connect(context) as client, open_inbox(find_folder(context)) as changed:
        found = changed.find(item.id)
        added = add_lesson(client, lesson, force=force)
        changed.decide(found)
    print_line(f"added: {added.id} ({', '.join(added.categories) or 'no category'})")
    print_line(f"project: {escape_hidden(item.project or 'all')}")
    also = f", and lesson-search delete {shlex.quote(added.id)}" if added.change == "added" else ""
    print_line(f"to undo it: lesson-search inbox undo {item.id}{also}")


def list_items(items: list[Item]) -> None:
    rows = [
        (item.id, str(item.sessions), REASONS.get(item.rule, item.rule), excerpt(item.text))
        for item in items
    ]
    if not rows:
        print_message(NOTHING)
        return
    print_table(("id", "sessions", "why", "text"), rows, ("why", "text"), {"text": NARROWEST})
    print_message(f"{count(len(items), 'candidate')}; to keep one: lesson-search inbox approve ID")


def show_item(item: Item) -> None:
    print_line(f"{item.id}: {REASONS.get(item.rule, item.rule)}, in {item.folder or 'no folder'}")
    print_line(escape_hidden(item.text))
    for each in item.evidence:
        print_line(f"  {each.time or 'some time'}, session {each.session}:")
        for line in each.excerpt.splitlines():
            print_line(f"    {escape_hidden(line)}")
