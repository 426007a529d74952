"""Change the text of a JSON object only where the object changes.

New text is laid out like the rest. A list or an object that was empty gets a space before its
closing bracket when something is put into it: by this mark it is known, and stays, when that is
taken out again. Comments stay, too, where the text may have them.
"""

import json
import re
from typing import Any, NamedTuple

from .comments import blank, end_line, has_comment, hide_comments, show_comments, split_gap

Json = Any  # whatever the text holds

BOM = "\ufeff"  # which some editors begin a file with
MARK = " "
DECODER = json.JSONDecoder()
SPACE = re.compile(r"(?:[ \t\r\n]|\0\w+\0)*")  # and comments
MARGIN = re.compile(r"[ \t]*")
INDENT = "  "  # where the text shows no other


class Part(NamedTuple):
    """A member of an object, or an item of a list: where it is in the text, and its value."""

    start: int  # of the key, or of the item
    key_end: int
    value_start: int
    end: int
    key: str  # "" for an item
    value: Json


class Box(NamedTuple):
    """An object or a list in the text."""

    start: int
    close: int  # where its closing bracket is
    parts: "list[Part]"


class Style(NamedTuple):
    """How the text is laid out."""

    newline: str
    indent: "str | None"  # of a level; None if all is on one line
    comma: str  # between what is on one line
    colon: str


def rewrite(text: str, wanted: Json, *, has_comments: bool = False) -> str:
    """Return the text of an object, changed where another object differs from it.

    Args:
        text: A JSON object.
        wanted: The other object. It may lack a list or an object that the text marks as one that
            was empty: that stays, empty.
        has_comments: Whether the text may have comments.

    Raises:
        ValueError: The text is no object, or cannot be changed like this.

    """
    if has_comments:
        plain, hidden = hide_comments(text)
        edited = rewrite(plain, wanted)
        shown = show_comments(edited, hidden)
        if not are_same(parse(shown, has_comments=True), parse(edited)):
            raise ValueError("its comments are in the way")
        return shown
    if not isinstance(parse(text), dict):
        raise ValueError("not an object")  # noqa: TRY004 - in the text
    start = skip_space(text, len(BOM) if text.startswith(BOM) else 0)
    box = scan(text, start)
    wanted = keep_marked(text, box, wanted)
    end = box.close + 1
    changed = text[:start] + edit_box(text, box, wanted, find_style(text, box)) + text[end:]
    if not are_same(parse(changed), wanted):
        raise ValueError("its layout is too unusual")
    return changed


def parse(text: str, *, has_comments: bool = False) -> Json:
    """Return the value of a JSON text, which may have comments.

    Raises:
        ValueError: It is not JSON, a number is too long, or an object has the same key twice, of
            which one would be lost.

    """
    begin = len(BOM) if text.startswith(BOM) else 0
    if has_comments:
        text, _ = hide_comments(text)
    return json.loads(
        blank(text[begin:]),
        object_pairs_hook=refuse_duplicates,
        parse_constant=refuse_constant,
        parse_int=read_integer,
    )


def is_blank(text: str) -> bool:
    return not text.strip(f"{BOM} \t\r\n")


def is_just(text: str, value: Json, *, has_comments: bool = False) -> bool:
    """Return whether a JSON text holds a value and no comment."""
    hidden = hide_comments(text)[1] if has_comments else []
    return not hidden and are_same(parse(text), value)


def refuse_duplicates(pairs: "list[tuple[str, Json]]") -> "dict[str, Json]":
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("the same key twice in an object")
    return value


def refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")


def read_integer(digits: str) -> int:
    """Return an integer; refuse one with more digits than Python reads."""
    try:
        return int(digits)
    except ValueError:
        raise ValueError(f"a number of {len(digits):,} digits") from None


def are_same(one: Json, other: Json) -> bool:
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def skip_space(text: str, place: int) -> int:
    found = SPACE.match(text, place)
    return found.end() if found else place


def scan(text: str, start: int) -> Box:
    """Return the object or the list that starts at a place."""
    parts, plain = [], blank(text)
    place = skip_space(text, start + 1)
    while text[place] not in "]}":
        key, key_end, value_start = "", place, place
        if text[start] == "{":
            key, key_end = DECODER.raw_decode(plain, place)
            value_start = skip_space(text, skip_space(text, key_end) + 1)
        value, end = DECODER.raw_decode(plain, value_start)
        parts.append(Part(place, key_end, value_start, end, key, value))
        place = skip_space(text, end)
        if text[place] == ",":
            place = skip_space(text, place + 1)
    return Box(start, place, parts)


def keep_marked(text: str, box: Box, wanted: Json) -> Json:
    """Return the wanted value with what the text marks as empty before, and the value lacks."""
    kept = {}
    for part in box.parts if isinstance(wanted, dict) else ():
        rest = wanted.get(part.key, type(part.value)())
        if not isinstance(part.value, (dict, list)) or are_same(part.value, rest):
            continue
        inner = scan(text, part.value_start)
        left = keep_marked(text, inner, rest)
        stays = read_tail(text, inner).startswith(MARK) or has_own_comment(text, inner)
        if part.key in wanted or left or stays:
            kept[part.key] = left
    return {**wanted, **kept} if kept else wanted


def has_own_comment(text: str, box: Box) -> bool:
    starts = [*(part.start for part in box.parts), box.close]
    ends = [box.start + 1, *(part.end for part in box.parts)]
    return any(has_comment(text[end:start]) for end, start in zip(ends, starts))


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


def find_own_margin(text: str, place: int, style: Style) -> "str | None":
    """Return the same for new text there; None if all of the text is on one line."""
    return None if style.indent is None else find_margin(text, place)


def find_line_margin(text: str, box: Box) -> "str | None":
    """Return the indentation of the first part that begins a line; None if no part does."""
    end = box.start
    for part in box.parts:
        if "\n" in text[end : part.start]:
            return find_margin(text, part.start)
        end = part.end
    return None


def find_comma(text: str, box: Box) -> str:
    return read_flat(text[box.parts[0].end : box.parts[1].start]) if box.parts[1:] else ""


def read_flat(gap: str) -> str:
    return "" if "\n" in gap or "\r" in gap or has_comment(gap) else gap


def edit_box(text: str, box: Box, wanted: Json, style: Style) -> str:
    rest = dict(wanted) if isinstance(wanted, dict) else list(wanted)
    kept = [edit_part(text, part, rest, style) for part in box.parts]
    if box.parts:
        return fill_box(text, box, kept, rest, style)
    return fill_empty_box(text, box, rest, style) if rest else text[box.start : box.close + 1]


def edit_part(text: str, part: Part, rest: Json, style: Style) -> "str | None":
    """Return the text of a part with the value that it has in the rest, and take that out of it.

    Return None if the rest has no such part.
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
    if isinstance(wanted, (dict, list)) and type(wanted) is type(part.value):
        if not are_same(part.value, wanted):
            changed = edit_box(text, scan(text, part.value_start), wanted, style)
    elif not are_same(part.value, wanted):
        changed = write(wanted, style, find_own_margin(text, part.start, style))
    return text[part.start : part.value_start] + changed


def is_left_of(wanted: Json, value: Json) -> bool:
    """Return whether a value without some items of its lists is what is wanted."""
    if are_same(wanted, value):
        return True
    if isinstance(wanted, dict) and isinstance(value, dict):
        return wanted.keys() == value.keys() and all(
            is_left_of(wanted[key], value[key]) for key in wanted
        )
    if isinstance(wanted, list) and isinstance(value, list):
        rest = iter(value)
        return bool(wanted) and all(any(is_left_of(one, item) for item in rest) for one in wanted)
    return False


def fill_box(text: str, box: Box, kept: "list[str | None]", rest: Json, style: Style) -> str:
    parts = box.parts
    lead, tail = text[box.start + 1 : parts[0].start], read_tail(text, box)
    margin = find_line_margin(text, box)
    comma = f",{style.newline}{margin}"
    if margin is None:
        margin = find_own_margin(text, box.start, style)
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
    if content and added:  # comments behind the last part stay there
        comments, white = ("", tail) if "\0C" in tail else split_gap(tail)
        content += f",{end_line(comments, comma.replace(',', '', 1))}" if comments else comma
        tail = white if comments else tail
    content += comma.join(added)
    if not content:
        lead = lead if tail == MARK or has_comment(lead + tail) else ""
        tail = tail if has_comment(lead + tail) and not tail.startswith(MARK) else ""
    return text[box.start] + lead + content + tail + text[box.close]


def fill_empty_box(text: str, box: Box, rest: Json, style: Style) -> str:
    lead, tail, comma = text[box.start + 1 : box.close], MARK, style.comma
    margin = find_own_margin(text, box.start, style)
    if style.indent is not None and margin is not None and not lead:
        tail = f"{MARK}{style.newline}{margin}"
        margin += style.indent
        lead = style.newline + margin
        comma = f",{lead}"
    added = write_parts(rest, style, margin)
    return text[box.start] + lead + comma.join(added) + tail + text[box.close]


def write_parts(rest: Json, style: Style, margin: "str | None") -> "list[str]":
    if isinstance(rest, list):
        return [write(item, style, margin) for item in rest]
    return [
        json.dumps(key, ensure_ascii=False) + style.colon + write(value, style, margin)
        for key, value in rest.items()
    ]


def write(value: Json, style: Style, margin: "str | None") -> str:
    """Return the text of a value, in lines with this indentation, or on one line for None."""
    separators = (style.comma if margin is None else ",", style.colon)
    written = json.dumps(value, ensure_ascii=False, indent=style.indent, separators=separators)
    return written.replace("\n", f"{style.newline}{margin}")
