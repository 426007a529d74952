"""Read lessons and skills from files.

A lesson is a section below `## Lesson: TITLE` in Markdown, a Markdown file with front matter, or a
line of JSON. Invalid lessons are refused with their location; the others are read.
"""

import codecs
import dataclasses
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path, PurePath

from hookwright_console.errors import RefusedError
from hookwright_console.files.regular import open_regular
from hookwright_console.text import make_printable, shorten
from lesson_search.files.front_matter import Fields, read_fields, split_front_matter
from lesson_search.files.json_lines import check_fields, read_row
from lesson_search.records import Key, Lesson, Skill, check_id, check_record, check_text, slugify

LESSON = re.compile(r"(?i) {0,3}##[ \t]+lesson:(?P<title>.*)")
OPENING = re.compile(r"[ \t]*(?P<fence>`{3,}(?=[^`]*$)|~{3,})")
CLOSING = re.compile(r"[ \t]*(?P<fence>`{3,}|~{3,})[ \t]*")
MAX_SIZE = 64_000_000  # bytes of a lesson file
PIPE = "-"  # argument for standard input
STDIN = "stdin"  # source name of lessons from standard input
FRONT_MATTER_FIELDS = ("id", "title", "categories", "created_at", "project")
SECTION_FIELD = re.compile(r"(?i)(categories|id|project):(.*)")
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)  # byte order marks


@dataclass(frozen=True)
class Section:
    """A lesson's heading and text."""

    line: int  # line of the heading, from 1
    title: str  # the heading after `Lesson:`, or ""
    lines: tuple[str, ...]  # lines up to the next lesson heading, including other headings
    open_fence: int  # line of an unclosed code fence, or 0


def split_sections(lines: Sequence[str]) -> list[Section]:
    """Return the lesson sections, ignoring headings inside code fences."""
    fenced, unclosed = find_fences(lines)
    headings = {
        number: trim_title(lesson["title"])
        for number, line in enumerate(lines)
        if number not in fenced and (lesson := LESSON.fullmatch(line))
    }
    sections = []
    for start, end in pairwise([*headings, len(lines)]):
        first_open = next((n + 1 for n in range(start, end) if n in unclosed), 0)
        below = tuple(lines[start + 1 : end])
        sections.append(Section(start + 1, headings[start], below, first_open))
    return sections


def trim_title(title: str) -> str:
    title = title.strip()
    opened = title.rstrip("#")
    return title if opened == opened.rstrip() and opened else opened.rstrip()


def find_fences(lines: Sequence[str]) -> tuple[set[int], set[int]]:
    """Return the lines inside code fences, and the lines of unclosed fences.

    An unclosed fence would swallow the rest of the file, so its line counts as text.
    """
    longest = {"`": [0], "~": [0]}  # longest closing fence at or below each line, last line first
    for line in reversed(lines):
        fence = closing["fence"] if (closing := CLOSING.fullmatch(line)) else " "
        for sign, lengths in longest.items():
            lengths.append(max(lengths[-1], len(fence) if fence[0] == sign else 0))
    fenced: set[int] = set()
    unclosed = set()
    within = ""
    for number, line in enumerate(lines):
        if within:
            fenced.add(number)
            closing = CLOSING.fullmatch(line)
            if closing and closing["fence"].startswith(within):
                within = ""
        elif opening := OPENING.match(line):
            fence = opening["fence"]
            if longest[fence[0]][len(lines) - number - 1] >= len(fence):
                within = fence
                fenced.add(number)
            else:
                unclosed.add(number)
    return fenced, unclosed


@dataclass(frozen=True)
class Remark:
    """An error or warning about a record, and its location, such as lessons.md:12."""

    where: str
    why: str

    def __str__(self) -> str:
        return f"{self.where}: {self.why}"


@dataclass(frozen=True)
class ReadResult:
    """Records and refusals from files, in order."""

    # valid records, each with its location, such as lessons.md:12
    locations: Mapping[Lesson | Skill, str] = dataclasses.field(default_factory=dict)
    refusals: tuple[Remark, ...] = ()  # invalid records
    notes: tuple[Remark, ...] = ()  # warnings about valid records
    deleted: tuple[Key, ...] = ()  # records that a file marks as deleted
    derived: frozenset[str] = frozenset()  # IDs of lessons that were derived rather than given

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        return tuple(location for location in self.locations if isinstance(location, Lesson))

    @property
    def skills(self) -> tuple[Skill, ...]:
        return tuple(location for location in self.locations if isinstance(location, Skill))


@dataclass(frozen=True)
class ParsedRecord:
    """A record, with ID "" if it must be derived from a stem, and a warning about it."""

    where: str
    stem: str
    record: Lesson | Skill
    note: str = ""


def read_lessons(path: Path) -> ReadResult:
    source = show_path(path)
    try:
        # With "surrogateescape", invalid UTF-8 affects only the record that contains it.
        text = read_text(path, MAX_SIZE, errors="surrogateescape")
    except RefusedError as refused:
        return ReadResult(refusals=(Remark(source, str(refused)),))
    parse = parse_json_lines if path.suffix.lower() == ".jsonl" else parse_markdown
    return parse(text, source)


def parse_json_lines(text: str, source: str) -> ReadResult:
    """Return the lessons, and the skills, which have a "trigger", in JSON Lines.

    Derived IDs contain the source's name.
    """
    parsed: list[ParsedRecord | Remark] = []
    deleted: list[Key] = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if not line.strip(" \t\r"):
            continue
        where = f"{source}:{number}"
        try:
            record = read_row(line, source)
            if isinstance(record, tuple):
                deleted.append(record)
                continue
            stem = build_stem(source, record.text.strip().partition("\n")[0])
            parsed.append(ParsedRecord(where, stem, record))
        except RefusedError as refused:
            parsed.append(Remark(where, str(refused)))
    return replace(assign_ids(parsed), deleted=tuple(deleted))


def parse_markdown(text: str, source: str) -> ReadResult:
    """Return the lessons below headings, or the single lesson of a text with front matter.

    Derived IDs contain the source's name.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    parsed: list[ParsedRecord | Remark] = []
    for section in split_sections(text.split("\n")):
        where = f"{source}:{section.line}"
        try:
            parsed.append(parse_section(section, source, where))
        except RefusedError as refused:
            parsed.append(Remark(where, str(refused)))
    if not parsed:
        try:
            parsed.append(parse_file(text, source))
        except RefusedError as refused:
            parsed.append(Remark(f"{source}:1", str(refused)))
    return assign_ids(parsed)


def read_text(path: Path, largest: int, errors: str = "strict") -> str:
    """Return a file's text; raises RefusedError if it is binary, too large or unreadable.

    `largest` is in bytes; `errors` is an error handler, as in `bytes.decode`.
    """
    try:
        if not path.is_file():
            problem = "not a regular file" if path.exists() else "no such file"
            raise RefusedError(problem)
        with open_regular(path) as file:  # the path may point to another file by now
            raw = file.read(largest + 1)
    except OSError as error:
        raise RefusedError(f"cannot read: {error.strerror}") from None
    return decode(raw, largest, errors)


def read_pipe() -> str:
    """Return the text from standard input; invalid UTF-8 becomes lone surrogates."""
    return decode(sys.stdin.buffer.read(MAX_SIZE + 1), MAX_SIZE, "surrogateescape")


def decode(raw: bytes, largest: int, errors: str) -> str:
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


def parse_section(section: Section, source: str, where: str) -> ParsedRecord:
    if section.open_fence:
        raise RefusedError(f"the code fence in line {section.open_fence} is not closed: close it")
    fields: dict[str, str] = {}
    above = 0  # number of field lines and blank lines
    for line in section.lines:
        found = SECTION_FIELD.fullmatch(line)
        if found and found[1].lower() in fields:
            raise RefusedError(f"{found[1]} appears twice below the heading: remove one")
        if found:
            fields[found[1].lower()] = found[2].strip()
        elif line.strip():
            break
        above += 1
    body = "\n".join(section.lines[above:]).strip("\n").rstrip()
    if "id" in fields:
        check_id(fields["id"])
    categories = split_list(fields.get("categories", ""))
    text, title = join_title(section.title, body)
    note = "" if body else "no text below the heading: the lesson is its title alone"
    lesson = Lesson(
        *(fields.get("id", ""), text, tuple(categories), source), project=fields.get("project", "")
    )
    return ParsedRecord(where, build_stem(source, title), check_record(lesson), note)


def parse_file(text: str, source: str) -> ParsedRecord:
    front_matter, body = split_front_matter(text)
    if front_matter is None:
        raise RefusedError("no lesson found: begin each with a line `## Lesson: TITLE`")
    fields = read_fields(front_matter)
    check_fields(fields, FRONT_MATTER_FIELDS)
    listed = fields.pop("categories", ())
    if listed is None:
        raise RefusedError("expected categories such as [devops/ci-cd]")
    categories = tuple(split_list(listed) if isinstance(listed, str) else listed)
    name, title, created_at, project = (
        take_text(fields, key) for key in ("id", "title", "created_at", "project")
    )
    text, title = join_title(title, body.strip("\n").rstrip())
    lesson = check_record(Lesson(name, text, categories, source, created_at, project=project))
    return ParsedRecord(f"{source}:1", build_stem(source, title), lesson)


def assign_ids(parsed: Sequence[ParsedRecord | Remark]) -> ReadResult:
    """Return the records with IDs: keep given IDs, and derive unused ones for the others."""
    taken = {(kind, "") for kind in (Lesson, Skill)}  # a lesson and a skill may share an ID
    twice = set()
    for number, entry in enumerate(parsed):
        if isinstance(entry, ParsedRecord) and entry.record.id:
            key = (type(entry.record), entry.record.id)
            twice.update([number] if key in taken else [])
            taken.add(key)
    suffixes: dict[str, int] = {}
    locations: dict[Lesson | Skill, str] = {}
    derived = set()
    refusals = []
    notes = []
    equal: dict[tuple[str, str], str] = {}  # location of the first lesson with each title and text
    titled: dict[tuple[type, str], str] = {}  # location of the first record with each title
    for number, entry in enumerate(parsed):
        if isinstance(entry, Remark):
            refusals.append(entry)
        elif number in twice:
            why = f"the id '{shorten(entry.record.id)}' is already used above: choose another"
            refusals.append(Remark(entry.where, why))
        elif (first := find_equal(entry, equal)) != entry.where:
            notes.append(Remark(entry.where, f"duplicate: same title and text as {first}"))
        else:
            kind, name = type(entry.record), entry.record.id
            while (kind, name) in taken and not entry.record.id:
                suffixes[entry.stem] = suffix = suffixes.get(entry.stem, 0) + 1
                name = f"{entry.stem}-{suffix}" if suffix > 1 else entry.stem
            taken.add((kind, name))
            first = titled.setdefault((kind, entry.stem), entry.where)
            if first != entry.where and not entry.record.id:
                notes.append(Remark(entry.where, f"same title as {first}: its id is '{name}'"))
            if entry.note:
                notes.append(Remark(entry.where, entry.note))
            derived.update([] if entry.record.id or kind is Skill else [name])
            locations[replace(entry.record, id=name)] = entry.where
    return ReadResult(locations, tuple(refusals), tuple(notes), derived=frozenset(derived))


def find_equal(entry: ParsedRecord, equal: dict[tuple[str, str], str]) -> str:
    """Return the location of the first lesson without an ID that has the same title and text."""
    if entry.record.id or isinstance(entry.record, Skill):
        return entry.where
    return equal.setdefault((entry.stem, entry.record.text), entry.where)


def build_stem(source: str, title: str) -> str:
    return f"{slugify(PurePath(source).stem)}:{slugify(title)}"


def join_title(title: str, body: str) -> tuple[str, str]:
    """Return a lesson's text including its title, and the first line of that."""
    text = check_text("\n\n".join(filter(None, [title.strip(), body])))
    return text, text.strip().partition("\n")[0]


def take_text(fields: Fields, field: str) -> str:
    value = fields.get(field, "")
    if not isinstance(value, str):
        raise RefusedError(f"{field} is not text: put it in quotes")
    return value


def split_list(written: str) -> list[str]:
    written = written.strip()
    if written.startswith("[") and written.endswith("]"):
        written = written[1:-1]
    items = (item.strip().strip("\"'") for item in written.split(","))
    return [item for item in items if item]


def show_path(path: Path) -> str:
    """Return a path as printable text, even if it contains invalid bytes."""
    return make_printable(path.as_posix())
