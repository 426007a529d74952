"""Read lessons, and Claude Code's skills and commands, from files and folders.

A skill is a `SKILL.md`. A command is a Markdown file below a `commands` folder, named by its path
there: `commands/git/review.md` is `/git:review`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from hookwright_console.errors import RefusedError
from hookwright_console.files.regular import walk as walk_folder
from lesson_search.files.front_matter import read_loose_fields, split_front_matter
from lesson_search.files.reader import (
    NO_LESSON,
    PIPE,
    Entry,
    ParsedRecord,
    ReadResult,
    collect_records,
    parse_each,
    read_lessons,
    read_text,
    show_path,
    trim_title,
)
from lesson_search.records import Skill, check_record, slugify

MAX_SKILL = 1_000_000  # bytes per file
COMMANDS = "commands"
ATX = re.compile(r" {0,3}#{1,6}[ \t](.*)")
NOTHING = "has no skill, command or lesson: begin each lesson with a line `## Lesson: TITLE`"


def read_files(paths: Iterable[str | Path]) -> ReadResult:
    """Return the records in files, in folders, and in standard input for -."""
    files: list[list[Entry]] = []
    for path in dict.fromkeys(paths):
        if path != PIPE and Path(path).is_dir():
            files += read_folder(Path(path)) or [[(str(path), NOTHING)]]
        else:
            files.append(read_lessons(path))
    return collect_records(files)


def read_folder(folder: Path) -> list[list[Entry]]:
    """Return the skills and commands below a folder, or else its lessons, ordered by path.

    Hidden folders except .claude are skipped, links out of the folder are refused, and Markdown
    files without a lesson, such as most README.md files, are left out.
    """
    root = folder.resolve()

    def parse(path: Path) -> ParsedRecord | str:
        check_within(path, root)
        return parse_skill(path, (root.name, *path.relative_to(folder).parts))

    entries: list[Entry] = []
    paths = {show_path(path): path for path in walk(folder, entries)}
    entries += [entry for entry in parse_each(paths.items(), parse) if entry[1]]
    if any(isinstance(entry, ParsedRecord) for _, entry in entries):
        return [entries]
    for refused, _ in entries:
        paths.pop(refused, None)
    lessons = [read_lessons(path) for path in paths.values() if not path.is_dir()]
    found = [file for file in lessons if file[0][1] != NO_LESSON]
    return [entries, *found] if entries or found else []


def check_within(path: Path, root: Path) -> None:
    try:
        within = path.resolve(strict=True).is_relative_to(root)
    except (OSError, RuntimeError):  # such as a link loop
        raise RefusedError("broken link: remove or correct it") from None
    if not within:
        raise RefusedError("links out of the folder: add the folder that it links to instead")


def parse_skill(path: Path, parts: Sequence[str]) -> ParsedRecord | str:
    """Return a skill or command, or "" for any other path; raises RefusedError."""
    is_skill = path.name == "SKILL.md"
    if not is_skill and (COMMANDS not in parts[:-1] or path.is_dir()):
        return ""
    text = read_text(path, MAX_SKILL, "strict").removeprefix("\ufeff").replace("\r\n", "\n")
    front_matter, body = split_front_matter(text)
    fields = read_loose_fields(front_matter or "")
    if is_skill:
        name = fields.get("name") or path.absolute().parent.name
    else:
        name = ":".join([*parts[parts.index(COMMANDS) + 1 : -1], path.stem])
    if not isinstance(name, str):
        raise RefusedError("name is not text: put it in quotes")
    if not name or any(map(str.isspace, name)):
        raise RefusedError("the name is empty or has white space: rename it")
    description = fields.get("description")
    text = description.strip() if isinstance(description, str) else ""
    text = text or find_paragraph(body)
    if not text:
        raise RefusedError("no description: add `description:` to the front matter")
    hint = fields.get("argument-hint") or ""
    hint = hint if isinstance(hint, str) else f"[{', '.join(hint)}]"  # formatted as a YAML list
    usage = f"\n\nUsage: /{name} {hint}" if hint else ""
    skill = Skill("", text + usage, (), f"/{name}", show_path(path))
    return ParsedRecord(f"skill-{slugify(name)}", check_record(skill))


def walk(folder: Path, refused: list[Entry]) -> Iterator[Path]:
    """Yield the Markdown files and the links to folders below a folder, ordered by path."""

    def refuse(error: OSError) -> None:
        refused.append((show_path(Path(error.filename)), f"cannot read: {error.strerror}"))

    for where, folders, files in walk_folder(folder, refuse):
        folders[:] = sorted(name for name in folders if name[0] != "." or name == ".claude")
        yield from (Path(where, name) for name in sorted(files) if name.endswith(".md"))
        yield from filter(Path.is_symlink, (Path(where, name) for name in folders))


def find_paragraph(body: str) -> str:
    """Return the first paragraph of a text, or else its first heading, or ""."""
    lines = body.split("\n")
    headings = (trim_title(found[1]) for found in map(ATX.fullmatch, lines) if found)
    groups = groupby(lines, lambda line: bool(line.strip()) and not ATX.fullmatch(line))
    paragraphs = ("\n".join(map(str.strip, group)) for is_text, group in groups if is_text)
    return next(paragraphs, "") or next(headings, "")
