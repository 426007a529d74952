"""Prepare any text for a message."""

from collections.abc import Sequence

from hookwright_console.hidden_characters import escape_hidden

MAX_LENGTH = 60  # characters


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


def name_some(names: Sequence[str], most: int) -> str:
    """Return the first names in a line, and how many more there are.

    Args:
        names: All of them.
        most: How many are named.

    """
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")
