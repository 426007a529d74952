"""Escape tags in stored texts that an agent could mistake for its client's tags."""

import re
from bisect import bisect_right
from collections.abc import Iterator

from lesson_search.prompts.filter import EDITOR_TAGS, MACHINE_TAGS

# Tags with which models mark calls, results and speakers, with or without a prefix.
MODEL_TAGS = (
    r"(?:system|functions?|tools?)(?:[_=-][\w=-]*)?|invoke|parameter(?=\s+name)|assistant|human"
    r"|think(?:ing)?|(?:start|end)_of_turn|persisted-output|new-diagnostics|[\w-]{1,40}-hook"
)
NAMES = "|".join((*MACHINE_TAGS, *EDITOR_TAGS, MODEL_TAGS))
KNOWN = re.compile(
    rf"<\s*(?:/\s*)?(?:(?:\w{{1,20}}:)?(?:{NAMES})\b|[|\uff5c][^|\uff5c<>]{{1,40}}[|\uff5c]>)",
    re.IGNORECASE,
)
TAG = re.compile(r"<(?=\s*(?:[/!|\uff5c]|[^\W\d_]))")
ADJACENT = re.compile(r"<(?:[/!|\uff5c]|[^\W\d_])")
# A shell redirection such as <dump.sql or </dev/null, and a URL as a link.
REDIRECTION = re.compile(r"(?<![^\s\d])</?[\w~-]+[./][\w./~-]*(?=[\s;|&)]|\Z)")
LINK = re.compile(r"<https?://[^\s<>]*>")
FENCE = re.compile(r"^[ \t]*(```|~~~)", re.MULTILINE)
TICKS = re.compile(r"`+|\n")


def escape_tags(text: str) -> str:
    """Return Markdown with &lt; for each < that starts a tag, or appears to.

    Redirections and links are kept; in code, only client and model tags are escaped.
    """
    code = list(find_code(text))

    def escape(found: re.Match[str]) -> str:
        start = found.start()
        if KNOWN.match(text, start):
            return "&lt;"
        last = bisect_right(code, (start, len(text))) - 1
        in_code = last >= 0 and start < code[last][1]
        stays = in_code or REDIRECTION.match(text, start) or LINK.match(text, start)
        return "<" if stays or not ADJACENT.match(text, start) else "&lt;"

    return TAG.sub(escape, text)


def find_code(text: str) -> Iterator[tuple[int, int]]:
    fences = [found.start() for found in FENCE.finditer(text)]
    blocks = list(zip(fences[::2], fences[1::2], strict=False))
    end = 0
    for block in [*blocks, (len(text), len(text))]:
        yield from find_spans(text, end, block[0])
        yield block
        end = block[1]


def find_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    opened: dict[int, int] = {}  # by number of backticks
    for ticks in TICKS.finditer(text, start, end):
        length = len(ticks[0])
        if ticks[0] == "\n":
            opened.clear()
        elif length in opened:
            yield opened[length], ticks.end()
            opened.clear()
        else:
            opened[length] = ticks.end()
