"""Read the lessons in the Markdown files of a folder."""

from collections.abc import Container
from pathlib import Path

from hookwright_console.errors import RefusedError
from lesson_search.files.front_matter import split_front_matter
from lesson_search.files.reader import MAX_SIZE, ReadResult, read_lessons, read_text, show_path
from lesson_search.files.sections import split_sections
from lesson_search.files.skill_files import walk


def read_lesson_files(folder: Path, refused: Container[str]) -> list[ReadResult]:
    """Return the lessons of each Markdown file below a folder, ordered by path.

    Files without a lesson, such as most README.md, are left out.

    Args:
        folder: The folder, which becomes part of the sources of its lessons as given here.
        refused: The files that `read_skills` refused, such as links out of the folder.

    """
    files = (path for path in walk(folder, []) if not path.is_dir())
    return [
        read_lessons(path) for path in files if show_path(path) not in refused and has_lessons(path)
    ]


def has_lessons(path: Path) -> bool:
    """Return whether a file is meant to have lessons: it has their headings, or front matter.

    A file that cannot be read is, so that it is refused and not left out.
    """
    try:
        text = read_text(path, MAX_SIZE, errors="surrogateescape").removeprefix("\ufeff")
    except RefusedError:
        return True
    return bool(split_sections(text.split("\n"))) or split_front_matter(text)[0] is not None
