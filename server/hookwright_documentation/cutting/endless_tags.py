"""Find tags with so many attributes that parsing the page would take minutes."""

import re

MAX_ATTRIBUTES = 1_000  # per tag; the parser takes a millisecond for these
SHORT = 50_000  # characters of a page that the parser handles quickly, whatever its content
SPACE = r" \t\n\f\r"
BEGIN = re.compile(rf"<(?:(!--)|(/?[A-Za-z][^{SPACE}/>]*)|[!?/])")
ATTRIBUTE = re.compile(
    rf"[{SPACE}/]*[^{SPACE}/>][^{SPACE}/>=]*"
    rf"(?:[{SPACE}]*=[{SPACE}]*(?:\"[^\"]*\"|'[^']*'|[^{SPACE}>]*))?"
)
# An ordinary tag: under 700 attributes, and neither the end of a comment nor the start of a script.
USUAL = re.compile(
    r"<(?!/?(?:script|style)\b)/?[A-Za-z][^<>\"'=]{0,80}"
    r"(?:=\"[^<>\"]{0,2000}\"[^<>\"'=]{0,60}){0,20}(?<![-!])>",
    re.IGNORECASE,
)
COMMENT, DECLARATION = "--", ""  # in addition to the elements that contain only text
ENDS = {
    COMMENT: re.compile("--!?>"),
    DECLARATION: re.compile(">"),
    "script": re.compile("</script", re.IGNORECASE),
    "style": re.compile("</style", re.IGNORECASE),
}


def has_endless_tag(html: str) -> bool:
    """Return whether a page has a start tag with an implausible number of attributes."""
    if len(html) <= SHORT:
        return False
    html = USUAL.sub(" ", html)
    position, unclosed = 0, set()
    while found := BEGIN.search(html, position):
        is_comment, name = found.groups()
        kind, position = (name or DECLARATION).lower(), found.end()
        if is_comment:
            kind, position = COMMENT, position - len(COMMENT)  # <!--> is a complete comment
        elif name:
            position = skip_attributes(html, position)
            if position < 0:
                return True
        if kind not in ENDS or kind in unclosed:
            continue
        if end := ENDS[kind].search(html, position):
            # Parsers disagree on whether a quoted > ends a declaration.
            if kind == DECLARATION and html.count('"', position, end.start()) % 2:
                return True
            position = end.start()
        else:
            unclosed.add(kind)
    return False


def skip_attributes(html: str, position: int) -> int:
    for _ in range(MAX_ATTRIBUTES + 1):
        attribute = ATTRIBUTE.match(html, position)
        if not attribute:
            return position
        position = attribute.end()
    return -1
