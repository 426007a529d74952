"""Prepare any text for a message."""

from hookwright_console.hidden_characters import escape_hidden

SHOWN = 60  # characters


def shorten(value: str) -> str:
    """Return a value in one printable line, shortened to 60 characters."""
    return make_printable(value[:SHOWN]) + ("…" if len(value) > SHOWN else "")


def make_printable(text: str) -> str:
    r"""Return a text in one line, with escapes such as \n for unprintable characters."""
    if text.isascii() and text.isprintable():  # as most are
        return text
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return escape_hidden(text)
