"""Write a repetitive text as a short Python expression."""

import re

REPETITION = re.compile(r"(?s)(.{1,100}?)\1{3,}")
MIN_LENGTH = 10  # characters of a repetition that is written as one
MAX_SHOWN = 60  # characters of other text that is shown whole


def shorten_repetitions(text: str) -> str:
    """Return a text as a Python expression that is short where the text repeats itself.

    Args:
        text: Any text.

    Returns:
        An expression such as `'a' * 50 + '!'`. An ellipsis replaces the middle of parts that do
        not repeat and have more than sixty characters.

    """
    parts, end = [], 0
    for found in REPETITION.finditer(text):
        if len(found[0]) >= MIN_LENGTH:
            parts += [write(text[end : found.start()])] if end < found.start() else []
            parts.append(f"{write(found[1])} * {len(found[0]) // len(found[1])}")
            end = found.end()
    if end < len(text) or not parts:
        parts.append(write(text[end:]))
    return " + ".join(parts)


def write(text: str) -> str:
    half = MAX_SHOWN // 2
    return repr(text if len(text) <= MAX_SHOWN else f"{text[:half]}...{text[-half:]}")
