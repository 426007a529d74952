"""An index file is written once, and damage to it is reported in one line."""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from hookwright_console.errors import ReportedError
from hookwright_documentation.databases import INDEX_FILE
from hookwright_documentation.index import DocumentationIndex, build_index
from hookwright_documentation.index.index_file import APPLICATION_ID, FORMAT

from ...support.hypothesis_profiles import examples
from .passages import COOKING

WAY_OUT = "run hookwright refresh cooking"
DAMAGED = f"^cooking: the index is damaged: {WAY_OUT}$"
OTHER = f"^cooking: the index was built by another version of Hookwright: {WAY_OUT}$"
QUERIES = ("how long to bake bread in the oven", "vegetabels", "spaghetti dish")


@pytest.fixture
def path(cooking_file: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "cooking" / "generation"
    folder.mkdir(parents=True)
    return Path(shutil.copy(cooking_file, folder))


def use(path: Path) -> None:
    index = DocumentationIndex(path)
    for query in QUERIES:
        index.search(query, 20)
    index.check_whole()


def test_first_bytes_identify_the_file(path: Path) -> None:
    head = path.read_bytes()[:100]
    assert head[:16] == b"SQLite format 3\0"
    assert int.from_bytes(head[68:72], "big") == APPLICATION_ID
    assert int.from_bytes(head[60:64], "big") == FORMAT
    assert head[18:20] == b"\1\1"  # the file uses no write-ahead log


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_file_is_private(cooking_file: Path) -> None:
    assert cooking_file.stat().st_mode & 0o777 == 0o600


def test_search_does_not_change_the_file(path: Path) -> None:
    before = path.read_bytes()
    path.chmod(0o400)
    use(path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_file_stores_its_metadata(tmp_path: Path) -> None:
    build_index(COOKING, [], tmp_path / INDEX_FILE, {"name": "cooking", "version": "2"})
    with closing(sqlite3.connect(tmp_path / INDEX_FILE)) as connection:
        metadata = dict(connection.execute("SELECT name, value FROM meta"))
    assert metadata == {"name": "cooking", "version": "2"}


def test_path_may_contain_special_characters(cooking_file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "a %20?b#c é" / "generation"
    folder.mkdir(parents=True)
    use(Path(shutil.copy(cooking_file, folder)))


def test_progress_is_reported(tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []
    build_index(COOKING * 100, [], tmp_path / "a", {}, lambda *step: steps.append(step))
    assert steps == [(500, 600), (600, 600)]


@pytest.mark.parametrize("number", [FORMAT + 1, 0, 2**31 - 1])
def test_other_format_is_rejected(path: Path, number: int) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {number}")
    with pytest.raises(ReportedError, match=OTHER):
        use(path)


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"x" * 5_000),
        lambda path: path.write_bytes(path.read_bytes()[:99]),
        lambda path: path.write_bytes(path.read_bytes()[:-9_000]),
        lambda path: path.write_bytes(path.read_bytes()[:100] + bytes(20_000)),
    ],
    ids=["empty", "foreign", "head", "cut", "zeros"],
)
def test_damaged_file_is_reported_in_one_line(path: Path, damage: Callable[[Path], object]) -> None:
    damage(path)
    with pytest.raises(ReportedError, match=DAMAGED):
        use(path)


def test_foreign_database_is_not_opened(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE words(x)")
    with pytest.raises(ReportedError, match=DAMAGED):
        use(path)


@pytest.mark.parametrize(
    "change",
    [
        "DROP TABLE words",
        "DROP TABLE vocabulary",
        "DELETE FROM pages",
        "UPDATE passages SET text = NULL",
        "UPDATE passages SET text = x'ff'",
        "UPDATE passages SET headings = '[[1]]'",
        "UPDATE passages SET headings = '" + "[" * 100_000 + "'",
        "UPDATE passages SET vector = x'00'",
        "UPDATE passages SET vector = NULL",
        "UPDATE passages SET tokens = x'ffffff'",
        "UPDATE passages SET tokens = x'ffff'",
        "UPDATE passages SET popularity = 'x'",
        "UPDATE pages SET url = NULL",
        "UPDATE pages SET tells_changes = 'x'",
    ],
)
def test_changed_row_is_detected(path: Path, change: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(change)
    with pytest.raises(ReportedError, match=DAMAGED):
        use(path)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pipes")
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_special_file_does_not_block(path: Path, make: Callable[[Path], None]) -> None:
    path.unlink()
    make(path)
    with pytest.raises(ReportedError, match=rf"^cooking: the index cannot be read .*: {WAY_OUT}$"):
        use(path)


def test_locked_file_can_be_read(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        use(path)


def test_any_damage_is_reported_in_one_line(path: Path) -> None:
    whole, draw = path.read_bytes(), random.Random(0)  # noqa: S311
    for _ in range(examples(300)):
        changed = bytearray(whole)
        for _ in range(draw.choice([1, 3, 30])):
            at, length = draw.randrange(len(whole)), draw.choice([1, 4, 100])
            changed[at : at + length] = draw.randbytes(length)
        end = draw.choice([len(changed), draw.randrange(len(changed))])
        path.write_bytes(changed[:end])
        with suppress(ReportedError):
            use(path)


def test_search_survives_a_rebuild(path: Path) -> None:
    index = DocumentationIndex(path)
    path.unlink()
    with pytest.raises(ReportedError, match=rf"cannot be read \(.*\): {WAY_OUT}"):
        index.search("bread")


FULL_DISK = """
import resource, sys
from pathlib import Path
from hookwright_documentation.index import build_index
from hookwright_documentation.pages import Passage
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    passages = [Passage("http://a/", "", ("A",), str(number)) for number in range(1_000)]
    build_index(passages, [], Path(sys.argv[1]))
except OSError as error:
    print(error.strerror)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limits")
def test_full_disk_leaves_no_file(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FULL_DISK, str(tmp_path / INDEX_FILE)]
    completed = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "disk" in completed.stdout
    assert list(tmp_path.iterdir()) == []
