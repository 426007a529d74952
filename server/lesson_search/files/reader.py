"""Read lessons and skills from the files that people keep them in.

A lesson stands in Markdown, below `## Lesson: TITLE` or in a file of its own with front matter, or
in a line of JSON. One that cannot be taken is refused with its place, and does not stop the others.
"""

import dataclasses
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from hookwright_console.errors import RefusedError
from hookwright_console.regular_files import open_regular
from hookwright_console.text import make_printable, show
from lesson_search.files.front_matter import Fields, read_fields, split_front_matter
from lesson_search.files.json_lines import check_fields, read_row
from lesson_search.files.sections import Section, split_sections
from lesson_search.records import Lesson, Skill
from lesson_search.validation import check_categories, check_id, check_moment, check_text

LARGEST = 64_000_000  # bytes of a file of lessons
FRONT_MATTER_FIELDS = ("id", "title", "categories", "created_at")
SECTION_FIELD = re.compile(r"(?i)(categories|id):(.*)")
WORD = re.compile(r"[^\W_]+")
LONGEST_SLUG = 80  # characters


@dataclass(frozen=True)
class Refusal:
    """Why something was not taken.

    Args:
        where: The file, and the line where there is one: lessons.md:12.
        why: What is wrong with it, and the way out.

    """

    where: str
    why: str

    def __str__(self) -> str:
        """Return both in one line."""
        return f"{self.where}: {self.why}"


@dataclass(frozen=True)
class ReadResult:
    """What was read, in the order of the file.

    Args:
        lessons: Those that can be taken.
        skills: Those that can be taken.
        refusals: What cannot.
        locations: Where each lesson and skill stands, as in a refusal.
        derived: The ids of the lessons that have none of their own.

    """

    lessons: tuple[Lesson, ...] = ()
    skills: tuple[Skill, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    locations: Mapping[Lesson | Skill, str] = dataclasses.field(default_factory=dict, compare=False)
    derived: frozenset[str] = dataclasses.field(default=frozenset(), compare=False)


@dataclass(frozen=True)
class ParsedRecord:
    """A record whose id, where it is "", is still to be derived.

    Args:
        where: As in a refusal.
        stem: What the id is derived from.
        record: The rest of it.

    """

    where: str
    stem: str
    record: Lesson | Skill


def read_lessons(path: Path) -> ReadResult:
    """Return the lessons and skills in a file: of JSON Lines if it is a .jsonl, else of Markdown.

    Args:
        path: The lessons say that they come from there, as it is written.

    """
    source = show_path(path)
    try:
        # A byte that is no UTF-8 is found in the record that has it.
        text = read_text(path, LARGEST, errors="surrogateescape")
    except RefusedError as refused:
        return ReadResult(refusals=(Refusal(source, str(refused)),))
    parse = parse_json_lines if path.suffix.lower() == ".jsonl" else parse_markdown
    return parse(text, source)


def parse_json_lines(text: str, source: str) -> ReadResult:
    """Return the lessons, and the skills, which have a "trigger", in lines of JSON.

    Args:
        text: An object a line; blank lines do not matter.
        source: Where the text is from; ids are derived from its name where there are none.

    """
    parsed: list[ParsedRecord | Refusal] = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if not line.strip(" \t\r"):
            continue
        where = f"{source}:{number}"
        try:
            record = read_row(line, source)
            stem = build_stem(source, record.text.strip().partition("\n")[0])
            parsed.append(ParsedRecord(where, stem, record))
        except RefusedError as refused:
            parsed.append(Refusal(where, str(refused)))
    return assign_ids(parsed)


def parse_markdown(text: str, source: str) -> ReadResult:
    """Return the lessons below headings, or the one in a text with front matter.

    Args:
        text: Markdown; what stands before the first `## Lesson:` heading does not matter.
        source: Where the text is from; ids are derived from its name where there are none.

    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    parsed: list[ParsedRecord | Refusal] = []
    for section in split_sections(text.split("\n")):
        where = f"{source}:{section.line}"
        try:
            parsed.append(parse_section(section, source, where))
        except RefusedError as refused:
            parsed.append(Refusal(where, str(refused)))
    if not parsed:
        try:
            parsed.append(parse_file(text, source))
        except RefusedError as refused:
            parsed.append(Refusal(f"{source}:1", str(refused)))
    return assign_ids(parsed)


def read_text(path: Path, largest: int, errors: str = "strict") -> str:
    """Return the text of a file.

    Args:
        path: The file.
        largest: How many bytes it may have.
        errors: As for bytes.decode.

    Raises:
        RefusedError: It is no text file, too large, or cannot be read.

    """
    try:
        if not path.is_file():
            there = "is no regular file" if path.exists() else "is not there"
            raise RefusedError(f"{there}: name a file")
        with open_regular(path) as file:  # which may be another one by now
            raw = file.read(largest + 1)
    except OSError as error:
        raise RefusedError(f"cannot be read ({error.strerror}): mend that, or leave it") from None
    if len(raw) > largest:
        raise RefusedError(f"has more than {largest // 1_000_000} MB: split it")
    if b"\0" in raw:
        raise RefusedError("is binary: name a text file")
    try:
        return raw.decode("utf-8", errors)
    except UnicodeDecodeError as error:
        raise RefusedError(f"is no UTF-8 at byte {error.start}: save it as UTF-8") from None


def parse_section(section: Section, source: str, where: str) -> ParsedRecord:
    """Return the lesson of a section, its fields taken from the lines below the heading.

    Raises:
        RefusedError: It is empty, or a field of it is not as it should be.

    """
    if section.open_fence:
        raise RefusedError(f"nothing closes the code fence of line {section.open_fence}: close it")
    fields: dict[str, str] = {}
    above = 0  # how many lines the fields take, with blank ones
    for line in section.lines:
        found = SECTION_FIELD.fullmatch(line)
        if found and found[1].lower() in fields:
            raise RefusedError(f"{found[1]} stands twice below the heading: take one out")
        if found:
            fields[found[1].lower()] = found[2].strip()
        elif line.strip():
            break
        above += 1
    body = "\n".join(section.lines[above:]).strip("\n").rstrip()
    name = check_id(fields["id"]) if "id" in fields else ""
    categories = check_categories(split_list(fields.get("categories", "")))
    text, title = join_title(section.title, body)
    return ParsedRecord(where, build_stem(source, title), Lesson(name, text, categories, source))


def parse_file(text: str, source: str) -> ParsedRecord:
    """Return the one lesson of a file with front matter.

    Raises:
        RefusedError: There is none, or a field of it is not as it should be.

    """
    front_matter, body = split_front_matter(text)
    if front_matter is None:
        raise RefusedError("has no lesson: begin each by a line `## Lesson: TITLE`")
    fields = read_fields(front_matter)
    check_fields(fields, FRONT_MATTER_FIELDS)
    listed = fields.pop("categories", ())
    if listed is None:
        raise RefusedError("categories are no list of texts: write [devops/ci-cd]")
    categories = check_categories(split_list(listed) if isinstance(listed, str) else listed)
    name, title, created_at = (take_text(fields, key) for key in ("id", "title", "created_at"))
    text, title = join_title(title, body.strip("\n").rstrip())
    lesson = Lesson(
        check_id(name) if name else "", text, categories, source, check_moment(created_at)
    )
    return ParsedRecord(f"{source}:1", build_stem(source, title), lesson)


def assign_ids(parsed: Sequence[ParsedRecord | Refusal]) -> ReadResult:
    """Return the records with their ids: those given, then derived ones that are still free.

    Args:
        parsed: In their order, which decides who of two equals gets a suffix.

    """
    taken = {(kind, "") for kind in (Lesson, Skill)}  # a skill may have the id of a lesson
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
    for number, entry in enumerate(parsed):
        if isinstance(entry, Refusal):
            refusals.append(entry)
        elif number in twice:
            why = f"the id '{show(entry.record.id)}' stands above already: give it another"
            refusals.append(Refusal(entry.where, why))
        else:
            kind, name = type(entry.record), entry.record.id
            while (kind, name) in taken and not entry.record.id:
                suffixes[entry.stem] = suffix = suffixes.get(entry.stem, 0) + 1
                name = f"{entry.stem}-{suffix}" if suffix > 1 else entry.stem
            taken.add((kind, name))
            derived.update([] if entry.record.id or kind is Skill else [name])
            locations[replace(entry.record, id=name)] = entry.where
    lessons = tuple(record for record in locations if isinstance(record, Lesson))
    skills = tuple(record for record in locations if isinstance(record, Skill))
    return ReadResult(lessons, skills, tuple(refusals), locations, frozenset(derived))


def build_stem(source: str, title: str) -> str:
    """Return what a record is known by that has no id: its file's name and its title."""
    return f"{slugify(PurePath(source).stem)}:{slugify(title)}"


def slugify(text: str) -> str:
    """Return the letters and digits of a text in lower case, with hyphens between its words."""
    # Only so much can matter; and a Mac writes accents in file names apart from their letters.
    plain = unicodedata.normalize("NFKC", text[: 2 * LONGEST_SLUG]).lower()
    return "-".join(WORD.findall(plain))[:LONGEST_SLUG].strip("-") or "untitled"


def join_title(title: str, body: str) -> tuple[str, str]:
    """Return the text of a lesson, and its title, which is the body's first line if it has none."""
    text = check_text("\n\n".join(filter(None, [title.strip(), body])))
    return text, text.strip().partition("\n")[0]


def take_text(fields: Fields, field: str) -> str:
    """Return the text of a field of front matter, or ""."""
    value = fields.get(field, "")
    if not isinstance(value, str):
        raise RefusedError(f"{field} is no text: put it in quotes")
    return value


def split_list(written: str) -> list[str]:
    """Return what stands between the commas."""
    return [item.strip() for item in written.split(",") if item.strip()]


def show_path(path: Path) -> str:
    """Return a path as a record and a message can have it, whatever bytes its name has."""
    return make_printable(path.as_posix())
