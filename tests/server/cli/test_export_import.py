"""Exported records can be imported without loss."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookwright_console.errors import RefusedError
from hookwright_console.files.atomic import write_whole
from hookwright_console.text import is_visible
from lesson_search.cli.client import Client, build_item, connect
from lesson_search.cli.files import list_lines
from lesson_search.files.reader import collect_records, parse_json_lines
from lesson_search.records import CATEGORY, MAX_NAME, CollectionName, Lesson, Skill, find_key
from lesson_search.service.settings import Settings

from ...support.command_line import CommandLine
from ...support.hypothesis_profiles import examples

TEXTS = st.text(
    st.characters(exclude_categories=["Cc", "Cs"]) | st.sampled_from("\n\t"), min_size=1
).filter(str.strip)
NAMES = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=200).filter(
    is_visible
)
PATHS = st.from_regex(CATEGORY, fullmatch=True).filter(lambda path: len(path) <= MAX_NAME)
CATEGORIES = st.lists(PATHS, min_size=1, max_size=3, unique=True).map(tuple)
MOMENTS = st.sampled_from(["2025-11-15T10:30:00Z", "2025-11-15T10:30:00.123+02:00"])
SOURCES = st.just("") | NAMES
RECORDS = st.builds(Lesson, NAMES, TEXTS, CATEGORIES, SOURCES, MOMENTS, st.booleans()) | st.builds(
    Skill, NAMES, TEXTS, CATEGORIES, NAMES, SOURCES, st.booleans()
)


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with TemporaryDirectory() as folder, connect(Settings(Path(folder))) as client:
        yield client


@settings(max_examples=examples(15))
@given(st.lists(RECORDS, min_size=1, max_size=4, unique_by=lambda r: (type(r), r.id)))
def test_any_records_survive_a_round_trip(client: Client, records: list[Lesson | Skill]) -> None:
    results = client.ingest(records, range(4), range(4))
    assert {result.change for result in results} <= {"added", "updated"}
    counts: dict[CollectionName, int] = {"lessons": 0, "skills": 0}
    lines = "".join(list_lines(client, counts))
    reading = collect_records([parse_json_lines(lines, "export.jsonl")])
    assert not reading.refusals
    assert set(reading.locations) == set(records)
    again = client.ingest([*reading.locations], range(4), range(4))
    assert {result.change for result in again} == {"unchanged"}
    for record in reading.locations:
        key = find_key(record)
        assert client.find(key) == record
        client.remove(*key)
        assert client.find(key) is None


@pytest.mark.parametrize("kind", [Lesson, Skill])
def test_unclassifiable_record_is_exported_as_classified(kind: type[Lesson | Skill]) -> None:
    item = build_item(kind("a", "A", classified=True))
    assert (item["categories"], item["classified"]) == ([], True)
    assert not {"categories", "classified"} & build_item(kind("a", "A")).keys()


def test_export_can_be_imported_into_an_empty_store(
    command_line: CommandLine, tmp_path: Path
) -> None:
    rows = [
        {"id": "same", "text": "A docker image", "categories": ["devops/docker"]},
        {"id": "sorted", "text": "Raise the heap of Node when the frontend build fails"},
        {"id": "same", "text": "Review", "trigger": "/review", "source": "plugin:x"},
    ]
    command_line.output("ingest", "-", given="\n".join(map(json.dumps, rows)).encode())
    completed = command_line.run("export", str(tmp_path / "kept"))
    assert completed.errors.strip().endswith(
        f"exported 2 lessons and 1 skill to {tmp_path / 'kept'}"
    )
    exported = (tmp_path / "kept").read_text("utf-8")
    assert exported == command_line.output("export")
    other = ("--data", str(tmp_path / "other"))
    assert command_line.output("import", str(tmp_path / "kept"), *other).startswith("3 added")
    assert command_line.output("export", *other) == exported
    assert command_line.output("import", "-", *other, given=exported.encode()).startswith("0 added")


def test_file_is_replaced_only_on_request(command_line: CommandLine, tmp_path: Path) -> None:
    notes = tmp_path / "notes.md"
    notes.write_text("## Lesson: Pin\n")
    assert "add --yes" in command_line.error("export", notes, code=2)
    assert notes.read_text() == "## Lesson: Pin\n"
    command_line.output("export", notes, "--yes")
    assert notes.read_text() == ""


def test_one_collection_can_be_exported(command_line: CommandLine) -> None:
    rows = b'{"id": "a", "text": "A"}\n{"id": "b", "text": "B", "trigger": "/b"}\n'
    command_line.output("ingest", "-", given=rows)
    for collection, identity in (("lessons", "a"), ("skills", "b")):
        (line,) = command_line.output("export", "--collection", collection).splitlines()
        assert json.loads(line)["id"] == identity


def test_import_is_validated(command_line: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "mended.txt"
    path.write_bytes(b'{"id": "a", "text": "A"}\n{"id": "b"}\n\xff\n[]\n')
    completed = command_line.run("import", str(path))
    assert (completed.code, completed.output) == (1, "1 added, 0 updated, 0 unchanged, 3 refused\n")
    places = [line.split(": ")[0] for line in completed.errors.splitlines()]
    assert places == [f"{path}:{number}" for number in (2, 3, 4)]


@pytest.mark.parametrize(
    "text",
    ["# Team\n\n## Lesson: Pin\n\nA tag moves.\n", "---\ntitle: Pin\n---\nA tag\n", "A tag\n"],
)
def test_markdown_must_be_ingested(command_line: CommandLine, tmp_path: Path, text: str) -> None:
    path = tmp_path / "team notes.md"
    path.write_text(text)
    assert command_line.error("import", path) == (
        f"lesson-search: {path}: looks like Markdown, not like an export:"
        f" use lesson-search ingest '{path}'"
    )
    assert "use lesson-search ingest -" in command_line.error("import", "-", given=text.encode())


def test_export_spans_several_pages(command_line: CommandLine) -> None:
    rows = [
        {"id": f"{number:04}", "text": f"Lesson {number}", "categories": ["a"]}
        for number in range(1200)
    ]
    lines = "\n".join(map(json.dumps, rows)).encode()
    assert command_line.output("ingest", "-", given=lines).startswith("1,200 added")
    exported = [json.loads(line) for line in command_line.output("export").splitlines()]
    assert [row["id"] for row in exported] == [row["id"] for row in rows]


def test_file_is_written_completely_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old\n")
    path.chmod(0o640)

    def fail() -> Iterator[str]:
        yield "new\n"
        assert path.read_text() == "old\n"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_whole(path, fail())
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert path.read_text() == "old\n"
    write_whole(path, ["new\n"])
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("new\n", 0o640)


def test_symlink_is_preserved(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("file")
    write_whole(tmp_path / "link", ["new\n"])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text() == "new\n"


@pytest.mark.parametrize("name", [".", "none/file", "pipe", "file/below"])
def test_write_failure_is_reported(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").write_text("")
    with pytest.raises(RefusedError) as refused:
        write_whole(tmp_path / name, ["new\n"])
    assert str(refused.value).isprintable()
