"""Read lessons from Markdown and JSON Lines.

A lesson is a section below `## Lesson: TITLE` in Markdown, a Markdown file with front matter, or a
line of JSON. Invalid lessons are refused with their location; the others are read.
"""

import codecs
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from pathlib import Path, PurePath
from typing import TypeVar

from hookwright_console.errors import RefusedError
from hookwright_console.files.regular import read_regular
from hookwright_console.text import make_printable, shorten
from lesson_search.files.front_matter import Fields, read_fields, split_front_matter
from lesson_search.files.json_lines import check_fields, read_row
from lesson_search.records import (
    Key,
    Lesson,
    Skill,
    check_id,
    check_record,
    check_text,
    find_key,
    number_ids,
    slugify,
)

LESSON = re.compile(r"(?i) {0,3}##[ \t]+lesson:(?P<title>.*)")
OPENING = re.compile(r"[ \t]*(?P<fence>`{3,}(?=[^`]*$)|~{3,})")
CLOSING = re.compile(r"[ \t]*(?P<fence>`{3,}|~{3,})[ \t]*")
MAX_SIZE = 64_000_000  # bytes of a lesson file
PIPE = "-"  # argument for standard input
STDIN = "stdin"  # source name of lessons from standard input
FRONT_MATTER_FIELDS = ("id", "title", "categories", "created_at", "project")
SECTION_FIELD = re.compile(r"(?i)(categories|id|project):(.*)")
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)  # byte order marks
NO_LESSON = "no lesson found: begin each with a line `## Lesson: TITLE`"
Part = TypeVar("Part")


@dataclass(frozen=True)
class Section:
    """A lesson's heading and text."""

    line: int  # line of the heading, from 1
    title: str  # the heading after `Lesson:`, or ""
    lines: Sequence[str]  # lines up to the next lesson heading, including other headings
    open_fence: int  # line of an unclosed code fence, or 0


def split_sections(lines: Sequence[str]) -> list[Section]:
    """Return the lesson sections, ignoring headings inside code fences.

    An unclosed fence would swallow the rest of the file, so its line counts as text.
    """
    titles: dict[int, str] = {}  # by line
    unclosed: list[int] = []
    endless = {"`": sys.maxsize, "~": sys.maxsize}  # shortest fence that is not closed further down
    end = 0  # of the last fence
    for number, line in enumerate(lines):
        if number < end:
            continue
        if lesson := LESSON.fullmatch(line):
            titles[number] = trim_title(lesson["title"])
        elif opening := OPENING.match(line):
            fence = opening["fence"]
            if len(fence) < endless[fence[0]]:
                end = find_end(lines, number, fence)
            if end <= number:
                endless[fence[0]] = min(endless[fence[0]], len(fence))
                unclosed.append(number)
    return [
        Section(
            start + 1,
            titles[start],
            lines[start + 1 : stop],
            next((number + 1 for number in unclosed if start < number < stop), 0),
        )
        for start, stop in pairwise([*titles, len(lines)])
    ]


def find_end(lines: Sequence[str], start: int, fence: str) -> int:
    """Return the number of lines up to the end of a code fence, or 0 if it is not closed."""
    for number in range(start + 1, len(lines)):
        closing = CLOSING.fullmatch(lines[number])
        if closing and closing["fence"].startswith(fence):
            return number + 1
    return 0


def trim_title(title: str) -> str:
    """Return a heading's text without the number signs that close it."""
    return re.sub(r"(?<!\S)#+\Z", "", title.strip()).rstrip()


Remark = tuple[str, str]  # the location of a record, such as lessons.md:12, and a remark on it


@dataclass
class ReadResult:
    """Records and refusals from files, in order."""

    # valid records, each with its location, such as lessons.md:12
    locations: dict[Lesson | Skill, str] = field(default_factory=dict)
    refusals: list[Remark] = field(default_factory=list)  # invalid records
    notes: list[Remark] = field(default_factory=list)  # warnings about valid records
    deleted: list[Key] = field(default_factory=list)  # records that a file marks as deleted
    derived: set[str] = field(default_factory=set)  # IDs of lessons that were not given


@dataclass(frozen=True)
class ParsedRecord:
    """A record, with ID "" if it must be derived from a stem, and a warning about it."""

    stem: str
    record: Lesson | Skill
    note: str = ""


# A location, and the record there, the key of a deleted one, or the reason for a refusal.
Entry = tuple[str, ParsedRecord | Key | str]


def parse_each(
    parts: Iterable[tuple[str, Part]], parse: Callable[[Part], ParsedRecord | Key | str]
) -> Iterator[Entry]:
    """Parse the part at each location; one refusal does not stop the others."""
    for where, part in parts:
        try:
            yield where, parse(part)
        except RefusedError as refused:  # noqa: PERF203 - the others are parsed
            yield where, str(refused)


def read_lessons(
    file: str | Path, parse: Callable[[str, str], list[Entry]] | None = None
) -> list[Entry]:
    """Return the entries of a file, or of standard input for -; by default, parse its format."""
    source = STDIN if file == PIPE else show_path(Path(file))
    try:
        text = read_text(file)
    except RefusedError as refused:
        return [(source, str(refused))]
    is_json = source.lower().endswith(".jsonl")
    if file == PIPE:
        is_json = text.lstrip("\ufeff \t\r\n").startswith("{")
    parse = parse or (parse_json_lines if is_json else parse_markdown)
    return parse(text, source)


def parse_json_lines(text: str, source: str) -> list[Entry]:
    """Return the lessons, and the skills, which have a "trigger", in JSON Lines.

    Derived IDs contain the source's name.
    """

    def parse(line: str) -> ParsedRecord | Key:
        record = read_row(line, source)
        return record if isinstance(record, tuple) else build_entry(source, record)

    lines = enumerate(text.removeprefix("\ufeff").split("\n"), 1)
    filled = ((f"{source}:{number}", line) for number, line in lines if line.strip(" \t\r"))
    return list(parse_each(filled, parse))


def parse_markdown(text: str, source: str) -> list[Entry]:
    """Return the lessons below headings, or the single lesson of a text with front matter.

    Derived IDs contain the source's name.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    sections = [
        (f"{source}:{section.line}", section) for section in split_sections(text.split("\n"))
    ]
    if sections:
        return list(parse_each(sections, partial(parse_section, source)))
    return list(parse_each([(f"{source}:1", text)], partial(parse_file, source)))


def read_text(file: str | Path, largest: int = MAX_SIZE, errors: str = "surrogateescape") -> str:
    """Return the text of a file, or of standard input for -.

    `largest` is in bytes. With "surrogateescape", invalid UTF-8 affects only the record that
    contains it. Raises RefusedError if the text is binary, too large or unreadable.
    """
    try:
        raw = sys.stdin.buffer.read(largest + 1) if file == PIPE else read_regular(Path(file))
    except FileNotFoundError:
        raise RefusedError("no such file") from None
    except OSError as error:
        raise RefusedError(f"cannot read: {error.strerror}") from None
    if len(raw) > largest:
        raise RefusedError(f"larger than {largest // 1_000_000} MB: split it")
    if raw.startswith(UTF_16):
        raise RefusedError("UTF-16, not UTF-8: save it as UTF-8")
    if b"\0" in raw:
        raise RefusedError("binary, not text")
    try:
        return raw.decode("utf-8", errors)
    except UnicodeDecodeError as error:
        raise RefusedError(f"not UTF-8 at byte {error.start}: save it as UTF-8") from None


def parse_section(source: str, section: Section) -> ParsedRecord:
    if section.open_fence:
        raise RefusedError(f"the code fence in line {section.open_fence} is not closed: close it")
    fields: dict[str, str] = {}
    above = 0  # number of field lines and blank lines
    for line in section.lines:
        if found := SECTION_FIELD.fullmatch(line):
            name = found[1].lower()
            if name in fields:
                raise RefusedError(f"{found[1]} appears twice below the heading: remove one")
            fields[name] = found[2].strip()
        elif line.strip():
            break
        above += 1
    if "id" in fields:
        check_id(fields["id"])
    body = "\n".join(section.lines[above:])
    note = "" if body.strip() else "no text below the heading: the lesson is its title alone"
    return build_lesson(source, {**fields, "title": section.title}, body, note)


def parse_file(source: str, text: str) -> ParsedRecord:
    front_matter, body = split_front_matter(text)
    if front_matter is None:
        raise RefusedError(NO_LESSON)
    fields = read_fields(front_matter)
    check_fields(fields, FRONT_MATTER_FIELDS)
    return build_lesson(source, fields, body)


def build_lesson(source: str, fields: Fields, body: str, note: str = "") -> ParsedRecord:
    categories = read_categories(fields)
    identity, title, created_at, project = (
        take_text(fields, name) for name in ("id", "title", "created_at", "project")
    )
    text = join_title(title, body.strip("\n").rstrip())
    lesson = Lesson(identity, text, categories, source, created_at, project=project)
    return build_entry(source, check_record(lesson), note)


def collect_records(files: Iterable[Sequence[Entry]]) -> ReadResult:
    """Return the records of files: keep given IDs, and derive unused ones for the others.

    A record whose ID is used in another file is refused, since it would replace the other.
    """
    result = ReadResult()
    used: dict[Key, str] = {}  # the location of the record with each ID
    for entries in files:
        parsed: list[tuple[str, ParsedRecord]] = []
        for where, entry in entries:
            if isinstance(entry, str):
                result.refusals.append((where, entry))
            elif isinstance(entry, tuple):
                result.deleted.append(entry)
            else:
                parsed.append((where, entry))
                if entry.record.id:
                    used.setdefault(find_key(entry.record), where)
        add_records(result, used, parsed)
    return result


def add_records(
    result: ReadResult, used: dict[Key, str], parsed: Sequence[tuple[str, ParsedRecord]]
) -> None:
    """Add the records of a file to a result."""
    taken = {find_key(entry.record) for _, entry in parsed}
    unused: dict[tuple[type, str], Iterator[str]] = {}  # the next derived IDs for each title
    titled: dict[tuple[type, str], str] = {}  # the first record with each title
    equal: dict[tuple[str, str], str] = {}  # the first lesson with each title and text
    for where, entry in parsed:
        record, title = entry.record, (type(entry.record), entry.stem)
        is_derived = not record.id
        if is_derived and isinstance(record, Lesson):
            first = equal.setdefault((entry.stem, record.text), where)
            if first != where:
                result.notes.append((where, f"duplicate: same title and text as {first}"))
                continue
        if is_derived:
            ids = unused.setdefault(title, number_ids(entry.stem))
            record = replace(record, id=next(ids))
            while find_key(record) in taken:
                record = replace(record, id=next(ids))
            taken.add(find_key(record))
        if (other := used.setdefault(find_key(record), where)) != where:
            why = f"the id '{shorten(record.id)}' is already used in {other}: choose another"
            result.refusals.append((where, why))
            continue
        first = titled.setdefault(title, where)
        if is_derived and first != where:
            result.notes.append((where, f"same title as {first}: its id is '{record.id}'"))
        if entry.note:
            result.notes.append((where, entry.note))
        result.derived.update([record.id] if is_derived else [])
        result.locations[record] = where


def build_entry(source: str, record: Lesson | Skill, note: str = "") -> ParsedRecord:
    title = record.text.strip().partition("\n")[0]
    return ParsedRecord(f"{slugify(PurePath(source).stem)}:{slugify(title)}", record, note)


def join_title(title: str, body: str) -> str:
    """Return a lesson's text including its title."""
    return check_text("\n\n".join(filter(None, [title.strip(), body])))


def read_categories(fields: Fields) -> tuple[str, ...]:
    listed = fields.get("categories", ())
    if listed is None:
        raise RefusedError("expected categories such as [devops/ci-cd]")
    if isinstance(listed, tuple):
        return listed
    items = listed.strip().removeprefix("[").removesuffix("]").split(",")
    return tuple(filter(None, (item.strip().strip("\"'") for item in items)))


def take_text(fields: Fields, field: str) -> str:
    value = fields.get(field, "")
    if not isinstance(value, str):
        raise RefusedError(f"{field} is not text: put it in quotes")
    return value


def show_path(path: Path) -> str:
    """Return a path as printable text, even if it contains invalid bytes."""
    return make_printable(path.as_posix())
