"""Keep an interrupted dialogue's answers in the user's state folder, and offer them again."""

import json
import os
import shlex
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from hashlib import sha256
from pathlib import Path

from hookwright.wizard.dialogue import Dialogue, GivenAnswer
from hookwright_console.errors import DeclinedError, RefusedError, ReportedError, StoppedError
from hookwright_console.files.atomic import replacing
from hookwright_console.files.regular import open_regular
from hookwright_console.files.user_folders import find_state_folder
from hookwright_console.terminal import ask_yes, print_message

MAX_SIZE = 1_000_000  # bytes per draft


@contextmanager
def drafting(dialogue: Dialogue, verb: str, folder: Path, *answered: str) -> Iterator[None]:
    """Offer a dialogue's draft, and save a new one if the dialogue is interrupted.

    The verb is "new", "new --quick", "add database" or "add route"; `answered` are arguments that
    the user was asked for. Raises StoppedError for Ctrl-C or a closed terminal, and DeclinedError
    for a final no; both messages say that the answers are kept.
    """
    path = find_draft(verb, folder)
    if hang_up := getattr(signal, "SIGHUP", None):  # Windows has none
        signal.signal(hang_up, signal.default_int_handler)
    dialogue.load(offer_draft(path))

    def keep() -> str:
        try:
            write_draft(path, dialogue.answers)
        except OSError as error:
            return f"{path} cannot be written: {error.strerror}"
        command = shlex.join(["hookwright", *sys.argv[1:], *answered])
        return f"a draft is kept: to go on, run {command}"

    try:
        yield
    except KeyboardInterrupt:
        if not dialogue.answers:
            raise
        raise StoppedError(f"stopped; {keep()}") from None
    except DeclinedError as declined:
        dialogue.forget_last()  # the continued dialogue asks this question again
        raise DeclinedError(f"{declined}; {keep()}") from None
    except RefusedError:  # the user can correct it
        if dialogue.answers:
            keep()
        raise
    except ReportedError:  # the user skipped the record
        remove_draft(path)
        raise
    remove_draft(path)


def find_draft(verb: str, folder: Path) -> Path:
    key = sha256(os.fsencode(folder.absolute())).hexdigest()[:16]
    return find_state_folder() / "drafts" / f"{verb.replace(' ', '-')}-{key}.json"


def offer_draft(path: Path) -> list[GivenAnswer]:
    """Ask whether to continue a draft, and return its answers, or [] if the user declines."""
    try:
        answers = read_draft(path)
        written = datetime.fromtimestamp(path.stat().st_mtime, timezone.utc).astimezone()
    except FileNotFoundError:
        return []
    except (OSError, ValueError, OverflowError):  # such as a year after 9999
        print_message("hookwright", f"ignored a damaged draft: {path}")
        return []
    if answers and ask_yes(f"Go on with the draft of {written:%Y-%m-%d %H:%M}?", default=True):
        return answers
    return []


def read_draft(path: Path) -> list[GivenAnswer]:
    """Return a draft's questions and answers, unchecked; raises OSError and ValueError."""
    from pydantic import TypeAdapter  # slow to import

    with open_regular(path) as file:
        return TypeAdapter(list[GivenAnswer]).validate_json(file.read(MAX_SIZE), strict=True)


def write_draft(path: Path, answers: Sequence[GivenAnswer]) -> None:
    """Replace a draft, readable only by the user; raises OSError."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with replacing(path) as file:
        json.dump(answers, file, indent=1)


def remove_draft(path: Path) -> None:
    """Remove a draft; if that fails, it is offered again, which is harmless."""
    with suppress(OSError):
        path.unlink()
