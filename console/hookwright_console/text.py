"""Quote texts in messages, whatever they hold."""

from hookwright_console.unseen import escape_hidden

SHOWN = 60  # characters of a value that a message quotes


def show(value: str) -> str:
    """Return a value as a message can have it: in one line, printable, and not too long."""
    return make_printable(value[:SHOWN]) + ("..." if len(value) > SHOWN else "")


def make_printable(text: str) -> str:
    r"""Return a text in one line, with escapes such as \n for what cannot be printed or seen."""
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return escape_hidden(text)
