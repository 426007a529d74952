"""Show a planned change: its records as the user writes them, and a line for each file."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hookwright.answers.differences import Difference, compare_answers, write_difference
from hookwright.cli.terminal import show_diff
from hookwright.project.change import ProjectChange
from hookwright.project.reader import ANSWERS, read_answers
from hookwright_console.text import make_printable


@dataclass(frozen=True)
class FileChange:
    """A change of a file: its path, what happens to it, and the lines it gains and loses."""

    path: str
    does: str
    added: int
    removed: int


def show_change(change: ProjectChange) -> None:
    differences = [write_difference(one) for one in list_differences(change)]
    for lines in differences:
        show_diff("\n".join(lines) + "\n")
    files = list(list_files(change))
    wide = max(len(make_printable(file.path)) for file in files)
    for file in files:
        does = "" if file.does == "changed" else f"  {file.does}"
        print(f"{make_printable(file.path):{wide}}  +{file.added} -{file.removed}{does}")


def export_change(change: ProjectChange) -> dict[str, Any]:
    differences = list_differences(change)
    return {
        "records": [one.export() for one in differences if one.record],
        "answers": [one.export() for one in differences if not one.record],
        "files": [vars(file) for file in list_files(change)],
    }


def list_differences(change: ProjectChange) -> list[Difference]:
    content = change.files.get(ANSWERS)
    answers = read_answers(content.decode()) if content else {}
    after = {name: value for name, value in answers.items() if not name.startswith("_")}
    return compare_answers(change.project.answers, after) if content else []


def list_files(change: ProjectChange) -> Iterator[FileChange]:
    for name, content in change.files.items():
        _, _, *lines = [*change.diff_file(name)] or ["", ""]
        added, removed = (sum(line[0] == sign for line in lines) for sign in "+-")
        is_new = not (change.project.folder / name).exists()
        does = "removed" if content is None else "new" if is_new else "changed"
        yield FileChange(name, does, added, removed)
