"""Files can be ingested again after local edits or deletions."""

import json
import shutil
from pathlib import Path

import pytest

from ...support.command_line import CommandLine
from ...support.fake_editor import ChooseEditor

TEAM = """## Lesson: Pin the image

A tag of a docker image moves.

## Lesson: Raise the heap

Node runs out of memory.

## Lesson: Wait for the lock

Two jobs share a runner.
"""
UNCHANGED = "0 added, 0 updated, {} unchanged, 0 refused\n"


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("prepared") / "data"


@pytest.fixture
def changed(
    command_line: CommandLine,
    choose_editor: ChooseEditor,
    prepared: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    Path("team.md").write_text(TEAM)
    if prepared.exists():
        shutil.copytree(prepared, command_line.folder)
    else:
        command_line.output("ingest", "team.md")
        choose_editor("moves", "wanders")
        command_line.output("edit", "team:pin-the-image")
        command_line.output("delete", "team:raise-the-heap", "--yes")
        shutil.copytree(command_line.folder, prepared)
    return command_line


def test_edits_and_deletions_are_kept(changed: CommandLine) -> None:
    completed = changed.run("ingest", "team.md")
    assert (completed.code, completed.output) == (0, UNCHANGED.format(1))
    assert completed.errors == (
        "lesson-search: kept 1 edited, left out 1 deleted: --restore replaces your edits with the"
        " file's text and restores what you deleted\n"
    )
    assert "wanders" in changed.output("show", "team:pin-the-image")
    assert changed.run("show", "team:raise-the-heap").code == 1


def test_path_may_be_spelled_differently(changed: CommandLine) -> None:
    completed = changed.run("ingest", Path("team.md").absolute())
    assert (completed.code, completed.output) == (0, UNCHANGED.format(1))
    assert "source_file: team.md" in changed.output("show", "team:wait-for-the-lock")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rows.jsonl", '{"id": "row", "text": "A row."}'),
        ("skills/deploy/SKILL.md", "---\nname: deploy\ndescription: Deploy it.\n---\nDo it."),
    ],
)
def test_file_is_recognised_by_any_path(
    command_line: CommandLine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    text: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text)
    place = name.partition("/")[0]
    command_line.output("ingest", place)
    for other in (f"../{tmp_path.name}/{place}", tmp_path / place):
        assert command_line.output("ingest", other) == UNCHANGED.format(1)


def test_restore_option_reverts_edits_and_deletions(changed: CommandLine) -> None:
    completed = changed.run("ingest", "team.md", "--restore")
    assert (completed.output, completed.errors) == (
        "1 added, 1 updated, 1 unchanged, 0 refused\n",
        "",
    )
    assert "moves" in changed.output("show", "team:pin-the-image")
    assert changed.output("ingest", "team.md") == UNCHANGED.format(3)


def test_conflicting_change_is_reported(changed: CommandLine) -> None:
    Path("team.md").write_text(TEAM.replace("moves", "jumps").replace("share", "use"))
    completed = changed.run("ingest", "team.md")
    assert (completed.code, completed.output) == (0, "0 added, 1 updated, 0 unchanged, 0 refused\n")
    assert completed.errors.splitlines()[0] == (
        "team.md:1: kept: the stored record was edited, and this one was changed or moved"
    )


def test_json_lists_skipped_records(changed: CommandLine) -> None:
    shown = json.loads(changed.output("ingest", "team.md", "--json"))
    assert (shown["kept"], shown["left_out"]) == (["team:pin-the-image"], ["team:raise-the-heap"])


def test_export_preserves_edits_and_deletions(changed: CommandLine, tmp_path: Path) -> None:
    exported = changed.output("export")
    other = ("--data", str(tmp_path / "other"))
    changed.output("import", "-", *other, given=exported.encode())
    assert changed.output("export", *other) == exported
    completed = changed.run("ingest", "team.md", *other)
    assert completed.output == UNCHANGED.format(1)
    assert "kept 1 edited, left out 1 deleted" in completed.errors


def test_import_replaces_and_restores(changed: CommandLine) -> None:
    exported = changed.output("export").encode()
    changed.output("delete", "team:pin-the-image", "--yes")
    assert changed.output("import", "-", given=exported).startswith("1 added")
    assert "wanders" in changed.output("show", "team:pin-the-image")


def test_older_export_is_not_overwritten(changed: CommandLine, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in changed.output("export").splitlines()]
    older = [{k: v for k, v in row.items() if k != "ingested"} for row in rows if "text" in row]
    other = ("--data", str(tmp_path / "other"))
    changed.output("import", "-", *other, given="\n".join(map(json.dumps, older)).encode())
    assert "kept 1 edited" in changed.run("ingest", "team.md", *other).errors
    assert "wanders" in changed.output("show", "team:pin-the-image", *other)


@pytest.mark.parametrize(
    ("row", "part"),
    [
        ('{"deleted": true, "id": "a"}', "expected the collection lessons or skills, got 'None'"),
        ('{"deleted": 1, "id": "a", "collection": "lessons"}', "expected a deleted record as"),
        ('{"deleted": true, "id": "", "collection": "lessons"}', "the id is empty"),
        ('{"deleted": true, "text": "a"}', "unknown field 'text'"),
        ('{"text": "a", "ingested": "b"}', "expected ingested as export writes it, got 'b'"),
    ],
)
def test_invalid_rows_are_rejected(command_line: CommandLine, row: str, part: str) -> None:
    line = command_line.error("import", "-", given=row.encode())
    assert line.startswith("stdin:1: ")
    assert part in line


def test_heading_without_text_is_reported(command_line: CommandLine) -> None:
    text = b"## Lesson: Pin\n\n## Lesson: Raise\n\nThe heap\n"
    completed = command_line.run("ingest", "-", given=text)
    assert (completed.code, completed.output) == (0, "2 added, 0 updated, 0 unchanged, 0 refused\n")
    assert completed.errors == "stdin:1: no text below the heading: the lesson is its title alone\n"


def test_notes_and_rejections_are_listed_in_order(command_line: CommandLine) -> None:
    text = b"## Lesson: Pin\n\n## Lesson: Raise\n\nThe password: Tr0ub4dor&3xyz!\n"
    first, second = command_line.run("ingest", "-", given=text).errors.splitlines()
    assert first.startswith("stdin:1: no text below the heading")
    assert second.startswith("stdin:3: refused: ")


def test_duplicate_title_is_reported(command_line: CommandLine) -> None:
    text = b"## Lesson: Pin\n\nThis\n\n## Lesson: Pin\n\nThat\n"
    completed = command_line.run("ingest", "-", given=text)
    assert completed.output == "2 added, 0 updated, 0 unchanged, 0 refused\n"
    assert completed.errors == "stdin:5: same title as stdin:1: its id is 'stdin:pin-2'\n"


@pytest.mark.parametrize(
    ("lessons", "end"),
    [("## Lesson: Pin\n\nThis\n\n", ":5"), ('{"text": "Pin\\n\\nThis"}\n', ":2")],
)
def test_identical_lessons_are_merged(command_line: CommandLine, lessons: str, end: str) -> None:
    completed = command_line.run("ingest", "-", given=(2 * lessons).encode())
    assert (completed.code, completed.output) == (0, "1 added, 0 updated, 0 unchanged, 0 refused\n")
    assert completed.errors == f"stdin{end}: duplicate: same title and text as stdin:1\n"


def test_long_list_of_notes_is_truncated(command_line: CommandLine) -> None:
    text = "\n".join(f"## Lesson: {number}" for number in range(30)).encode()
    lines = command_line.run("ingest", "-", given=text).errors.splitlines()
    assert len(lines) == 10
    assert lines[-1] == "lesson-search: and 21 more such notes: see them all with --json"
    assert len(json.loads(command_line.output("ingest", "-", "--json", given=text))["notes"]) == 30
