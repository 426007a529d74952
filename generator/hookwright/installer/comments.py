"""Hide what some clients allow in their settings and JSON does not: comments, and last commas.

Each becomes a mark, which counts as white space and becomes the same text again.
"""

import re

# A string, which may hold what looks like a comment; or a comment; or a comma that ends a list.
# Each can be read in one way only, also one that never ends: else many slashes take for ever.
BLOCK = r"/\*[^*]*\*+(?:[^/*][^*]*\*+)*/"
TOKEN = re.compile(
    rf'"(?:[^"\\]|\\.)*"?|(?P<comment>//[^\r\n]*|{BLOCK})|(?P<open>/\*[\s\S]*)'
    rf"|(?P<comma>,)(?=(?:\s|//[^\r\n]*(?=[\r\n]|\Z)|{BLOCK})*[\]}}])"
)
EDGE = "\0"  # JSON has none of it, in strings neither
MARK = re.compile(f"{EDGE}([LBC])([0-9]+){EDGE}")
AT_END = re.compile(f"{EDGE}L[0-9]+{EDGE}[ \t]*$")  # a comment that the line ends


def hide_comments(text: str) -> "tuple[str, list[str]]":
    """Return a text with marks, and what they stand for.

    Raises ValueError for a text that has a NUL character, or a comment that never ends.
    """
    if EDGE in text:
        raise ValueError("a NUL character")
    hidden: list[str] = []

    def hide(found: "re.Match[str]") -> str:
        if found["open"]:
            raise ValueError("a comment that never ends")
        if not found.lastgroup:
            return found[0]
        hidden.append(found[0])
        kind = "C" if found["comma"] else "L" if found[0].startswith("//") else "B"
        return f"{EDGE}{kind}{len(hidden) - 1}{EDGE}"

    return TOKEN.sub(hide, text), hidden


def show_comments(text: str, hidden: "list[str]") -> str:
    return MARK.sub(lambda found: hidden[int(found[2])], text)


def has_comment(text: str) -> bool:
    return EDGE in text


def blank(text: str) -> str:
    """Return a text with spaces in the place of its marks, as long as it was."""
    return MARK.sub(lambda found: " " * len(found[0]), text)


def split_gap(gap: str) -> "tuple[str, str]":
    """Return what is between two parts up to the last comment, and the rest; no comma is in it."""
    plain = gap.replace(",", "", 1)
    end = plain.rfind(EDGE) + 1
    return plain[:end], plain[end:]


def end_line(comments: str, rest: str) -> str:
    follows = rest.lstrip(" \t")[:1] in ("\n", "\r")
    return comments + ("\n" if AT_END.search(comments) and not follows else "") + rest
