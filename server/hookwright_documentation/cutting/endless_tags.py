"""Find tags with so many attributes that parsing a page would take minutes."""

import re

MAX_ATTRIBUTES = 1_000  # of a tag; the parser takes a millisecond for them
SHORT = 50_000  # characters of a page that the parser is quick with, whatever is in it
SPACE = r" \t\n\f\r"
BEGIN = re.compile(rf"<(?:(!--)|(/?[A-Za-z][^{SPACE}/>]*)|[!?/])")
ATTRIBUTE = re.compile(
    rf"[{SPACE}/]*[^{SPACE}/>][^{SPACE}/>=]*"
    rf"(?:[{SPACE}]*=[{SPACE}]*(?:\"[^\"]*\"|'[^']*'|[^{SPACE}>]*))?"
)
# A tag as nearly all are, of under 700 attributes, that neither ends a comment nor begins a script.
USUAL = re.compile(
    r"<(?!/?(?:script|style)\b)/?[A-Za-z][^<>\"'=]{0,80}"
    r"(?:=\"[^<>\"]{0,2000}\"[^<>\"'=]{0,60}){0,20}(?<![-!])>",
    re.IGNORECASE,
)
COMMENT, DECLARATION = "--", ""  # beside the elements that hold nothing but text
ENDS = {
    COMMENT: re.compile("--!?>"),
    DECLARATION: re.compile(">"),
    "script": re.compile("</script", re.IGNORECASE),
    "style": re.compile("</style", re.IGNORECASE),
}


def has_endless_tag(html: str) -> bool:
    """Return whether a page has a start tag with more attributes than anybody writes."""
    if len(html) <= SHORT:
        return False
    html = USUAL.sub(" ", html)
    position, unclosed = 0, set()
    while found := BEGIN.search(html, position):
        is_comment, name = found.groups()
        kind, position = (name or DECLARATION).lower(), found.end()
        if is_comment:
            kind, position = COMMENT, position - len(COMMENT)  # <!--> is a whole one
        elif name:
            position = skip_attributes(html, position)
            if position < 0:
                return True
        if kind not in ENDS or kind in unclosed:
            continue
        if end := ENDS[kind].search(html, position):
            # Where a quoted > ends a declaration, parsers disagree.
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
