"""Change the text of a JSON object only where the object changes.

New text follows the existing layout. Adding the first part to an empty list or object also adds a
space before the closing bracket: this mark keeps the list or object when the part is removed again.
Comments and trailing commas, which some clients allow in their settings, are kept.
"""

import json
import re
from itertools import repeat
from typing import Any, NamedTuple

Json = Any  # any value in the text

BOM = "\ufeff"  # some editors start files with it
MARK = " "
COMMA = ", "  # between parts on one line
DECODER = json.JSONDecoder()
WHITE = " \t\r\n"
SEPARATOR = re.compile(rf"[{WHITE},:]*")
STRING = r'"(?:[^"\\]|\\.)*"?'
# Matches a comment, or a string, which may look like one. Each can match in only one way, even if
# unterminated, because many slashes would otherwise take forever.
TOKEN = re.compile(rf"{STRING}|(//[^\r\n]*|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)|/\*[\s\S]*")
TRAILING_COMMA = re.compile(rf"({STRING})|,(?=\s*[\]}}])")
MARGIN = re.compile(r"[ \t]*")
INDENT = "  "  # used if the text contains no indentation


class Part(NamedTuple):
    """An object's member or a list's item: its position in the text, and its value."""

    start: int  # position of the key or item
    key: str  # "" for an item
    value_start: int
    value: Json
    end: int
    parts: "list[Part] | None" = None  # None if the value is not an object or list


def rewrite(text: str, wanted: Json, *, has_comments: bool = False) -> str:
    """Return the text of an object, changed where `wanted` differs; raises ValueError.

    A list or object that is marked as formerly empty becomes empty if `wanted` lacks it.
    """
    if not isinstance(parse(text, has_comments=has_comments), dict):
        raise ValueError("not an object")  # noqa: TRY004 - in the text
    editor = Editor(text, blank(text) if has_comments else text)
    root = editor.root
    wanted = editor.keep_marked(root, wanted)
    changed = text[: root.start] + editor.edit(root, wanted) + text[root.end :]
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
    return TRAILING_COMMA.sub(lambda found: found[1] or " ", blank(text))


def blank(text: str) -> str:
    """Return a text with comments replaced by spaces."""
    return TOKEN.sub(lambda found: " " * len(found[1]) if found[1] else found[0], text)


def refuse_duplicates(pairs: "list[tuple[str, Json]]") -> "dict[str, Json]":
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a duplicate key in an object")
    return value


def are_same(first: Json, second: Json) -> bool:
    return json.dumps(first, sort_keys=True) == json.dumps(second, sort_keys=True)


def skip(plain: str, place: int) -> int:
    found = SEPARATOR.match(plain, place)
    return found.end() if found else place


def scan(plain: str, start: int, *, is_member: bool = False) -> Part:
    """Return the part that starts at a position of a text without comments."""
    key, value_start = "", start
    if is_member:
        key, end = DECODER.raw_decode(plain, start)
        value_start = skip(plain, end)
    if plain[value_start] not in "[{":
        return Part(start, key, value_start, *DECODER.raw_decode(plain, value_start))
    parts: list[Part] = []
    is_object = plain[value_start] == "{"
    end = skip(plain, value_start + 1)
    while plain[end] not in "]}":
        parts.append(scan(plain, end, is_member=is_object))
        end = skip(plain, parts[-1].end)
    items = [part.value for part in parts]
    value = {part.key: part.value for part in parts} if is_object else items
    return Part(start, key, value_start, value, end + 1, parts)


def is_left_of(wanted: Json, value: Json) -> bool:
    """Return whether removing list items from `value` gives the wanted value."""
    if isinstance(wanted, dict) and isinstance(value, dict):
        return wanted.keys() == value.keys() and all(
            is_left_of(wanted[key], value[key]) for key in wanted
        )
    if isinstance(wanted, list) and isinstance(value, list):
        rest = iter(value)
        return bool(wanted or not value) and all(
            any(is_left_of(other, item) for item in rest) for other in wanted
        )
    return are_same(wanted, value)


def split_gap(gap: str) -> "tuple[str, str]":
    """Return the text up to the last comment between two parts, and the rest without the comma."""
    comma = blank(gap).find(",")
    text = gap if comma < 0 else gap[:comma] + gap[comma + 1 :]
    end = len(text.rstrip(WHITE))
    return text[:end], text[end:]


class Editor:
    """Changes the objects and lists of a text."""

    def __init__(self, text: str, plain: str) -> None:
        self.text = text
        self.plain = plain  # the text with comments replaced by spaces
        self.root = scan(plain, skip(plain, int(text.startswith(BOM))))
        self.newline = "\r\n" if "\r\n" in text else "\n"
        self.indent: str | None = INDENT  # None if everything is on one line
        first = self.root.parts[0].start if self.root.parts else 0
        if first and "\n" in plain[self.root.start : first]:
            outer, margin = self.find_margin(self.root.start), self.find_margin(first)
            self.indent = margin[margin.startswith(outer) and len(outer) :]
        elif first and "\n" not in text[self.root.start : self.root.end]:
            self.indent = None

    def find_margin(self, place: int) -> str:
        """Return the indentation of the line that contains a position."""
        found = MARGIN.match(self.text, self.text.rfind("\n", 0, place) + 1)
        return found[0] if found else ""

    def keep_marked(self, box: Part, wanted: Json) -> Json:
        """Return the wanted value plus the objects and lists that were empty or have comments."""
        if not isinstance(wanted, dict):
            return wanted
        kept = dict(wanted)
        for part in box.parts or ():
            rest = wanted.get(part.key, type(part.value)())
            if part.parts is not None and not are_same(part.value, rest):
                left, inside = self.keep_marked(part, rest), slice(part.value_start, part.end)
                is_marked = bool(part.parts) and self.text.startswith(MARK, part.parts[-1].end)
                is_marked = is_marked or self.text[inside] != self.plain[inside]
                if part.key in wanted or left or is_marked:
                    kept[part.key] = left
        return kept

    def edit(self, box: Part, wanted: Json) -> str:
        """Return the text of an object or list, changed to the wanted value."""
        text, rest, parts = self.text, wanted.copy(), box.parts or []
        end = box.value_start + 1
        lead = gap = text[end : parts[0].start if parts else box.end - 1]
        content = lost = ""  # the text of the parts so far, and the comments after removed parts
        for part in parts:
            gap, end = text[end : part.start], part.end
            comments, white = split_gap(gap) if part is not parts[0] else ("", "")
            change = self.edit_part(part, rest)
            if change is None:
                lost += comments
                continue
            before = self.end_line(lost + comments, white)
            if content:
                before = f",{before}" if lost else gap
            content, lost = content + (before if content else before.lstrip()) + change, ""
        tail = self.end_line(lost, text[end : box.end - 1]) if parts else ""
        margin = self.find_margin(parts[-1].start if parts else box.value_start)
        separator = f",{self.newline}{margin}" if parts and "\n" in gap else COMMA
        if rest and not parts:
            tail = MARK
            if self.indent is not None and not lead:
                tail += self.newline + margin
                margin += self.indent
                lead = self.newline + margin
                separator = f",{lead}"
        if rest and content:  # comments after the last part stay next to it
            comments, tail = ("", tail) if "," in blank(tail) else split_gap(tail)
            content += f",{self.end_line(comments, separator[1:])}"
        members = rest.items() if isinstance(rest, dict) else zip(repeat(None), rest)
        content += separator.join(self.write(value, margin, key) for key, value in members)
        if parts and not content:
            is_kept = bool((lead + tail).strip(WHITE))
            lead = lead if tail == MARK or is_kept else ""
            tail = tail if is_kept and not tail.startswith(MARK) else ""
        return f"{text[box.value_start]}{lead}{content}{tail}{text[box.end - 1]}"

    def edit_part(self, part: Part, rest: Json) -> "str | None":
        """Return a part's text with its value from `rest`, and remove that value from `rest`.

        Returns None if `rest` has no such part.
        """
        is_object = isinstance(rest, dict)
        if not (part.key in rest if is_object else rest and is_left_of(rest[0], part.value)):
            return None
        wanted = rest.pop(part.key if is_object else 0)
        changed = self.text[part.value_start : part.end]
        if not are_same(part.value, wanted):
            if part.parts is not None and type(wanted) is type(part.value):
                changed = self.edit(part, wanted)
            else:
                changed = self.write(wanted, self.find_margin(part.start))
        return self.text[part.start : part.value_start] + changed

    def end_line(self, comments: str, rest: str) -> str:
        is_open = comments and not comments.endswith("*/")  # after //
        is_open = is_open and rest.lstrip(" \t")[:1] not in ("\n", "\r")
        return f"{comments}{self.newline if is_open else ''}{rest}"

    def write(self, value: Json, margin: str, key: "str | None" = None) -> str:
        name = "" if key is None else f"{json.dumps(key, ensure_ascii=False)}: "
        text = json.dumps(value, ensure_ascii=False, indent=self.indent)
        return name + text.replace("\n", f"{self.newline}{margin}")
