"""Read lessons, and Claude Code's skills and commands, from a folder.

A skill is a `SKILL.md`. A command is a Markdown file below a `commands` folder, named by its path
there: `commands/git/review.md` is `/git:review`.
"""

import os
import re
from collections.abc import Container, Iterator, Sequence
from pathlib import Path

from hookwright_console.errors import RefusedError
from hookwright_console.files.regular import walk as walk_folder
from lesson_search.files.front_matter import Fields, read_loose_fields, split_front_matter
from lesson_search.files.reader import (
    MAX_SIZE,
    ParsedRecord,
    ReadResult,
    Remark,
    assign_ids,
    read_lessons,
    read_text,
    show_path,
    split_sections,
    trim_title,
)
from lesson_search.records import Skill, check_record, slugify

MAX_SKILL = 1_000_000  # bytes per file
COMMANDS = "commands"
ATX = re.compile(r" {0,3}#{1,6}[ \t](.*)")


def read_skills(folder: Path) -> ReadResult:
    """Return the skills and commands below a folder, ordered by path.

    Hidden folders except .claude are skipped, and links out of the folder are refused.
    """
    if not os.path.isdir(folder):  # noqa: PTH112 - it never raises
        return ReadResult(refusals=(Remark(show_path(folder), "not a folder"),))
    root = folder.resolve()
    parsed: list[ParsedRecord | Remark] = []
    for path in walk(folder, parsed):
        try:
            check_within(path, root)
            parsed += parse_any(path, (root.name, *path.relative_to(folder).parts))
        except RefusedError as refused:  # noqa: PERF203 - one refusal does not stop the others
            parsed.append(Remark(show_path(path), str(refused)))
    return assign_ids(parsed)


def read_lesson_files(folder: Path, refused: Container[str]) -> list[ReadResult]:
    """Return the lessons in each Markdown file below a folder, ordered by path.

    Files without a lesson, such as most README.md files, and those in `refused` are left out.
    """
    files = (path for path in walk(folder, []) if not path.is_dir())
    return [
        read_lessons(path) for path in files if show_path(path) not in refused and has_lessons(path)
    ]


def has_lessons(path: Path) -> bool:
    """Return whether a file is meant to contain lessons, judging by its headings or front matter.

    True for an unreadable file, so that it is refused rather than ignored.
    """
    try:
        text = read_text(path, MAX_SIZE, errors="surrogateescape").removeprefix("\ufeff")
    except RefusedError:
        return True
    return bool(split_sections(text.split("\n"))) or split_front_matter(text)[0] is not None


def check_within(path: Path, root: Path) -> None:
    try:
        within = path.resolve(strict=True).is_relative_to(root)
    except (OSError, RuntimeError):  # such as a link loop
        raise RefusedError("broken link: remove or correct it") from None
    if not within:
        raise RefusedError("links out of the folder: add the folder that it links to instead")


def parse_any(path: Path, parts: Sequence[str]) -> list[ParsedRecord]:
    if path.name == "SKILL.md":
        return [parse_skill(path)]
    if path.suffix == ".md" and COMMANDS in parts[:-1] and not path.is_dir():
        names = parts[parts.index(COMMANDS) + 1 : -1]
        return [build_skill(path, f"/{':'.join([*names, path.stem])}", *read_parts(path))]
    return []


def walk(folder: Path, refusals: list[ParsedRecord | Remark]) -> Iterator[Path]:
    """Yield the Markdown files and the links to folders below a folder, ordered by path."""

    def refuse(error: OSError) -> None:
        why = f"cannot read: {error.strerror}"
        refusals.append(Remark(show_path(Path(error.filename)), why))

    for where, folders, files in walk_folder(folder, refuse):
        folders[:] = sorted(name for name in folders if name[0] != "." or name == ".claude")
        for name in sorted(files):
            if name.endswith(".md"):
                yield Path(where, name)
        for name in folders:
            if Path(where, name).is_symlink():
                yield Path(where, name)


def parse_skill(path: Path) -> ParsedRecord:
    fields, body = read_parts(path)
    name = fields.get("name") or path.absolute().parent.name
    if not isinstance(name, str):
        raise RefusedError("name is not text: put it in quotes")
    return build_skill(path, f"/{name}", fields, body)


def read_parts(path: Path) -> tuple[Fields, str]:
    text = read_text(path, MAX_SKILL).removeprefix("\ufeff").replace("\r\n", "\n")
    front_matter, body = split_front_matter(text)
    return read_loose_fields(front_matter or ""), body


def build_skill(path: Path, trigger: str, fields: Fields, body: str) -> ParsedRecord:
    if any(character.isspace() for character in trigger) or trigger == "/":
        raise RefusedError("the name is empty or has white space: rename it")
    description = fields.get("description")
    text = description.strip() if isinstance(description, str) else ""
    text = text or find_paragraph(body)
    if not text:
        raise RefusedError("no description: add `description:` to the front matter")
    hint = fields.get("argument-hint") or ""
    hint = hint if isinstance(hint, str) else f"[{', '.join(hint)}]"  # formatted as a YAML list
    usage = f"\n\nUsage: {trigger} {hint}" if hint else ""
    source = show_path(path)
    skill = check_record(Skill("", text + usage, (), trigger, source))
    return ParsedRecord(source, f"skill-{slugify(trigger)}", skill)


def find_paragraph(body: str) -> str:
    heading = ""
    paragraph: list[str] = []
    for line in [*body.split("\n"), ""]:
        found = ATX.fullmatch(line)
        if line.strip() and not found:
            paragraph.append(line.strip())
        elif paragraph:
            break
        elif found:
            heading = heading or trim_title(found[1])
    return "\n".join(paragraph) or heading
