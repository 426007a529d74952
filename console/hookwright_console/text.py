"""Prepare any text for a message, and suggest the word that a user meant."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from hookwright_console.hidden_characters import escape_hidden

MAX_LENGTH = 60  # characters
MAX_SUGGESTIONS = 3


def shorten(value: str) -> str:
    """Return a value in one printable line of up to MAX_LENGTH characters, no escape cut in two."""
    shown = make_printable(value[: MAX_LENGTH + 1])
    if len(shown) <= MAX_LENGTH:
        return shown
    # What is escaped depends on its neighbours, so each cut is made printable anew.
    cuts = (make_printable(value[:end]) for end in range(MAX_LENGTH - 1, -1, -1))
    return next(cut for cut in cuts if len(cut) < MAX_LENGTH) + "…"


def make_printable(text: str) -> str:
    r"""Return a text in one line, with escapes such as \n for unprintable characters."""
    if text.isascii() and text.isprintable():  # as most are
        return text
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return escape_hidden(text)


def shorten_home(path: str) -> str:
    """Return a path with ~ for the home folder."""
    home = str(Path.home())
    return f"~{path[len(home) :]}" if path.startswith(home + "/") else path


def name_some(names: Sequence[str], most: int) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")


def suggest(word: str, known: Iterable[str]) -> str:
    """Return "did you mean ...?" with the known words that are nearest to a word, or ""."""
    import difflib  # only a mistake waits for it

    spelled = {name.casefold(): name for name in known}
    near = difflib.get_close_matches(word.casefold(), spelled, MAX_SUGGESTIONS)
    near = (
        near or [name for name in spelled if abbreviates(word.casefold(), name)][:MAX_SUGGESTIONS]
    )
    return f"did you mean {' or '.join(spelled[name] for name in near)}?" if near else ""


def abbreviates(short: str, word: str) -> bool:
    rest = iter(word)
    return len(short) > 1 and word[:1] == short[:1] and all(letter in rest for letter in short)
