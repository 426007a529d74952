"""Change the text of a JSON object only where the object changes.

New text follows the existing layout. Adding the first part to an empty list or object also adds a
space before the closing bracket: this mark keeps the list or object when the part is removed again.
Comments and trailing commas, which some clients allow in their settings, are kept.
"""

import json
import re
from typing import Any, NamedTuple

Json = Any  # any value in the text

BOM = "\ufeff"  # some editors start files with it
MARK = " "
DECODER = json.JSONDecoder()
WHITE = " \t\r\n"
BLOCK = r"/\*[^*]*\*+(?:[^/*][^*]*\*+)*/"
COMMENT = rf"//[^\r\n]*|{BLOCK}"
SPACE = re.compile(rf"(?:[{WHITE}]|{COMMENT})*")
# Matches a string (which may look like a comment), a comment, or a trailing comma. Each can match
# in only one way, even if unterminated, because many slashes would otherwise take forever.
TOKEN = re.compile(
    rf'"(?:[^"\\]|\\.)*"?|(?P<comment>{COMMENT})|(?P<open>/\*[\s\S]*)'
    rf"|(?P<comma>,)(?=(?:\s|//[^\r\n]*(?=[\r\n]|\Z)|{BLOCK})*[\]}}])"
)
MARGIN = re.compile(r"[ \t]*")
INDENT = "  "  # used if the text contains no indentation


class Part(NamedTuple):
    """An object's member or a list's item: its position in the text, and its value."""

    start: int  # position of the key or item
    key_end: int
    value_start: int
    end: int
    key: str  # "" for an item
    value: Json
    box: "Box | None"  # None if the value is not an object or list


class Box(NamedTuple):
    """An object or list in the text."""

    start: int
    close: int  # position of its closing bracket
    parts: "list[Part]"


class Style(NamedTuple):
    """The layout of a text."""

    newline: str
    indent: "str | None"  # one level; None if everything is on one line
    comma: str  # separator between items on one line
    colon: str


def rewrite(text: str, wanted: Json, *, has_comments: bool = False) -> str:
    """Return the text of an object, changed where `wanted` differs; raises ValueError.

    A list or object that is marked as formerly empty becomes empty if `wanted` lacks it.
    """
    value = parse(text, has_comments=has_comments)
    if not isinstance(value, dict):
        raise ValueError("not an object")  # noqa: TRY004 - in the text
    box = scan(text, skip_space(text, int(text.startswith(BOM))), value)
    wanted = keep_marked(text, box, wanted)
    edited = edit_box(text, box, wanted, find_style(text, box))
    changed = text[: box.start] + edited + text[box.close + 1 :]
    if not are_same(parse(changed, has_comments=has_comments), wanted):
        raise ValueError("its layout is too unusual")
    return changed


def parse(text: str, *, has_comments: bool = False) -> Json:
    """Return a JSON text's value; raises ValueError for duplicate keys."""
    text = text[text.startswith(BOM) :]
    plain = blank_comments(text) if has_comments else text
    return json.loads(plain, object_pairs_hook=refuse_duplicates)


def blank_comments(text: str) -> str:
    """Return a text with comments and trailing commas replaced by spaces."""

    def blank(found: "re.Match[str]") -> str:
        if found["open"]:
            raise ValueError("an unterminated comment")
        return " " * len(found[0]) if found.lastgroup else found[0]

    return TOKEN.sub(blank, text)


def refuse_duplicates(pairs: "list[tuple[str, Json]]") -> "dict[str, Json]":
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a duplicate key in an object")
    return value


def are_same(first: Json, second: Json) -> bool:
    return json.dumps(first, sort_keys=True) == json.dumps(second, sort_keys=True)


def skip_space(text: str, place: int) -> int:
    found = SPACE.match(text, place)
    return found.end() if found else place


def scan(text: str, start: int, whole: Json) -> Box:
    """Return the object or list that starts at a position, given its value."""
    parts: list[Part] = []
    place = skip_space(text, start + 1)
    while text[place] not in "]}":
        key, key_end, value_start = "", place, place
        if text[start] == "{":
            key, key_end = DECODER.raw_decode(text, place)
            value_start = skip_space(text, skip_space(text, key_end) + 1)
        value = whole[key] if text[start] == "{" else whole[len(parts)]
        box = scan(text, value_start, value) if text[value_start] in "[{" else None
        end = box.close + 1 if box else DECODER.raw_decode(text, value_start)[1]
        parts.append(Part(place, key_end, value_start, end, key, value, box))
        place = skip_space(text, end)
        if text[place] == ",":
            place = skip_space(text, place + 1)
    return Box(start, place, parts)


def keep_marked(text: str, box: Box, wanted: Json) -> Json:
    """Return the wanted value plus the objects and lists that the text marks as formerly empty."""
    kept = {}
    for part in box.parts if isinstance(wanted, dict) else ():
        rest = wanted.get(part.key, type(part.value)())
        if not part.box or are_same(part.value, rest):
            continue
        left = keep_marked(text, part.box, rest)
        stays = read_tail(text, part.box).startswith(MARK) or has_own_comment(text, part.box)
        if part.key in wanted or left or stays:
            kept[part.key] = left
    return {**wanted, **kept} if kept else wanted


def has_own_comment(text: str, box: Box) -> bool:
    starts = [*(part.start for part in box.parts), box.close]
    ends = [box.start + 1, *(part.end for part in box.parts)]
    return any("/" in text[end:start] for end, start in zip(ends, starts))


def read_tail(text: str, box: Box) -> str:
    return text[box.parts[-1].end : box.close] if box.parts else ""


def find_style(text: str, box: Box) -> Style:
    newline = "\r\n" if "\r\n" in text else "\n"
    if not box.parts:
        return Style(newline, INDENT, ", ", ": ")
    indent, outer = None, find_margin(text, box.start)
    if "\n" in text[box.start : box.close]:
        margin = find_line_margin(text, box)
        indent = INDENT if margin is None else margin[margin.startswith(outer) and len(outer) :]
    first = box.parts[0]
    colon = read_flat(text[first.key_end : first.value_start]) or ": "
    comma = find_comma(text, box) or ("," if colon == ":" else ", ")
    return Style(newline, indent, comma, colon)


def find_margin(text: str, place: int) -> str:
    found = MARGIN.match(text, text.rfind("\n", 0, place) + 1)
    return found[0] if found else ""


def find_line_margin(text: str, box: Box) -> "str | None":
    """Return the indentation of the first part that starts a line, or None."""
    end = box.start
    for part in box.parts:
        if "\n" in text[end : part.start]:
            return find_margin(text, part.start)
        end = part.end
    return None


def find_comma(text: str, box: Box) -> str:
    return read_flat(text[box.parts[0].end : box.parts[1].start]) if box.parts[1:] else ""


def read_flat(gap: str) -> str:
    """Return the text between two parts on one line, or "" if it is more than a separator."""
    return "" if {"\n", "\r", "/"} & {*gap} else gap


def split_gap(gap: str) -> "tuple[str, str]":
    """Return the text up to the last comment between two parts, and the rest without the comma."""
    comma = skip_space(gap, 0)
    plain = gap[:comma] + gap[comma + 1 :]
    end = len(plain.rstrip(WHITE))
    return plain[:end], plain[end:]


def end_line(comments: str, rest: str) -> str:
    found = [token["comment"] for token in TOKEN.finditer(comments) if token["comment"]]
    is_open = found and found[-1].startswith("//") and rest.lstrip(" \t")[:1] not in ("\n", "\r")
    return comments + ("\n" if is_open else "") + rest


def edit_box(text: str, box: Box, wanted: Json, style: Style) -> str:
    rest = dict(wanted) if isinstance(wanted, dict) else list(wanted)
    kept = [edit_part(text, part, rest, style) for part in box.parts]
    if box.parts:
        return fill_box(text, box, kept, rest, style)
    return fill_empty_box(text, box, rest, style) if rest else text[box.start : box.close + 1]


def edit_part(text: str, part: Part, rest: Json, style: Style) -> "str | None":
    """Return a part's text with its value from `rest`, and remove that value from `rest`.

    Returns None if `rest` has no such part.
    """
    if isinstance(rest, dict):
        if part.key not in rest:
            return None
        wanted = rest.pop(part.key)
    else:
        if not rest or not is_left_of(rest[0], part.value):
            return None
        wanted = rest.pop(0)
    changed = text[part.value_start : part.end]
    if not are_same(part.value, wanted):
        if part.box and type(wanted) is type(part.value):
            changed = edit_box(text, part.box, wanted, style)
        else:
            changed = write(wanted, style, find_margin(text, part.start))
    return text[part.start : part.value_start] + changed


def is_left_of(wanted: Json, value: Json) -> bool:
    """Return whether removing list items from `value` gives the wanted value."""
    if are_same(wanted, value):
        return True
    if isinstance(wanted, dict) and isinstance(value, dict):
        return wanted.keys() == value.keys() and all(
            is_left_of(wanted[key], value[key]) for key in wanted
        )
    if isinstance(wanted, list) and isinstance(value, list):
        rest = iter(value)
        return bool(wanted) and all(
            any(is_left_of(other, item) for item in rest) for other in wanted
        )
    return False


def fill_box(text: str, box: Box, kept: "list[str | None]", rest: Json, style: Style) -> str:
    parts = box.parts
    lead, tail = text[box.start + 1 : parts[0].start], read_tail(text, box)
    margin = find_line_margin(text, box)
    comma = f",{style.newline}{margin}"
    if margin is None:
        margin = find_margin(text, box.start)
        comma = find_comma(text, box) or style.comma
    added = write_parts(rest, style, margin)
    content, lost = "", ""
    for number, change in enumerate(kept):
        gap = text[parts[number - 1].end : parts[number].start] if number else ""
        comments, white = split_gap(gap)
        lost += comments if change is None or lost or not content else ""
        if change is None:
            continue
        if lost:
            before = end_line(lost, white)
            content += f",{before}{change}" if content else f"{before.lstrip()}{change}"
        else:
            content += f"{gap if content else ''}{change}"
        lost = ""
    tail = end_line(lost, tail) if lost else tail
    has_comma = skip_space(tail, 0) < len(tail)
    if content and added:  # comments after the last part stay next to it
        comments, white = ("", tail) if has_comma else split_gap(tail)
        content += f",{end_line(comments, comma.replace(',', '', 1))}" if comments else comma
        tail = white if comments else tail
    content += comma.join(added)
    if not content:
        is_kept = has_comma or "/" in lead + tail
        lead = lead if tail == MARK or is_kept else ""
        tail = tail if is_kept and not tail.startswith(MARK) else ""
    return text[box.start] + lead + content + tail + text[box.close]


def fill_empty_box(text: str, box: Box, rest: Json, style: Style) -> str:
    lead, tail, comma = text[box.start + 1 : box.close], MARK, style.comma
    margin = find_margin(text, box.start)
    if style.indent is not None and not lead:
        tail = f"{MARK}{style.newline}{margin}"
        margin += style.indent
        lead = style.newline + margin
        comma = f",{lead}"
    added = write_parts(rest, style, margin)
    return text[box.start] + lead + comma.join(added) + tail + text[box.close]


def write_parts(rest: Json, style: Style, margin: str) -> "list[str]":
    if isinstance(rest, list):
        return [write(item, style, margin) for item in rest]
    return [
        json.dumps(key, ensure_ascii=False) + style.colon + write(value, style, margin)
        for key, value in rest.items()
    ]


def write(value: Json, style: Style, margin: str) -> str:
    separators = (style.comma if style.indent is None else ",", style.colon)
    written = json.dumps(value, ensure_ascii=False, indent=style.indent, separators=separators)
    return written.replace("\n", f"{style.newline}{margin}")
