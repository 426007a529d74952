"""Write a text that repeats itself as short as its repetitions make it."""

import re

REPETITION = re.compile(r"(?s)(.{1,100}?)\1{3,}")
WORTH = 10  # characters from which on a repetition is written as one
LONGEST = 60  # characters of what does not repeat, and is shown whole


def shorten_repetitions(text: str) -> str:
    """Return a text as Python would write it, as short as its repetitions make it.

    Args:
        text: Of any characters.

    Returns:
        An expression such as `'a' * 50 + '!'`, whose value is the text; but where more than sixty
        characters of it do not repeat, some of them are left out for an ellipsis.

    """
    parts, end = [], 0
    for found in REPETITION.finditer(text):
        if len(found[0]) >= WORTH:
            parts += [write(text[end : found.start()])] if end < found.start() else []
            parts.append(f"{write(found[1])} * {len(found[0]) // len(found[1])}")
            end = found.end()
    if end < len(text) or not parts:
        parts.append(write(text[end:]))
    return " + ".join(parts)


def write(text: str) -> str:
    """Return a text as a literal of Python, without its middle where it is long."""
    half = LONGEST // 2
    return repr(text if len(text) <= LONGEST else f"{text[:half]}...{text[-half:]}")
