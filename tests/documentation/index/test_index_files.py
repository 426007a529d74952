"""A damaged, foreign or older index is refused in one line, and runs no code."""

import json
import os
import pickle
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hookwright_console.errors import ReportedError
from hookwright_documentation.index import open_index
from hookwright_documentation.index.index_files import HEAD, TYPES, VERSION

from ...support.hypothesis_profiles import examples

DAMAGED = "^cooking: the index is damaged: run hookwright refresh cooking$"
OTHER = "^cooking: another version of Hookwright made the index: run hookwright refresh cooking$"


@pytest.fixture
def folder(cooking_folder: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "cooking" / "generation" / "index"
    shutil.copytree(cooking_folder, copy)
    return copy


def change_head(folder: Path, **changes: object) -> None:
    head = json.loads((folder / HEAD).read_text())
    (folder / HEAD).write_text(json.dumps(head | changes))


def test_an_index_can_be_opened(folder: Path) -> None:
    assert open_index(folder).search("bake bread")


@pytest.mark.parametrize("version", [VERSION - 1, VERSION + 1, str(VERSION), None])
def test_other_versions(folder: Path, version: object) -> None:
    change_head(folder, version=version)
    with pytest.raises(ReportedError, match=OTHER):
        open_index(folder)


@pytest.mark.parametrize(
    "damage",
    [
        Path.unlink,
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(path.read_bytes()[:-1]),
        lambda path: path.write_bytes(path.read_bytes() + bytes(8)),
        lambda path: (path.unlink(), path.mkdir()),
    ],
    ids=["missing", "empty", "cut", "longer", "folder"],
)
def test_damaged_files(folder: Path, damage: Callable[[Path], object]) -> None:
    for path in sorted(folder.glob("*.bin")):
        saved = path.rename(path.with_suffix(".saved"))
        shutil.copy(saved, path)
        damage(path)
        with pytest.raises(ReportedError, match=DAMAGED):
            open_index(folder)
        path.rmdir() if path.is_dir() else path.unlink(missing_ok=True)
        saved.rename(path)
    assert open_index(folder).search("bake bread")


@pytest.mark.parametrize(
    "head",
    [
        {"preset": "none"},
        {"preset": ["links"]},
        {"passages": -1},
        {"passages": 10**30},
        {"passages": True},
        {"passages": "6"},
        {"preset": "words"},
        {"sizes": {}},
    ],
)
def test_foreign_heads(folder: Path, head: dict[str, object]) -> None:
    change_head(folder, **head)
    with pytest.raises(ReportedError, match=DAMAGED):
        open_index(folder)


@pytest.mark.parametrize("head", ["[]", "null", "{}", "[" * 100_000, '{"version": 1}'])
def test_heads_that_are_not_heads(folder: Path, head: str) -> None:
    (folder / HEAD).write_text(head)
    with pytest.raises(ReportedError, match=DAMAGED):
        open_index(folder)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("words_documents", 10**6),
        ("words_documents", -1),
        ("words_bounds", -1),
        ("words_bounds", 10**9),
        ("words_lengths", np.nan),
        ("words_lengths", -1.0),
        ("pages_documents", 10**6),
        ("page_numbers", 10**6),
        ("page_numbers", -1),
        ("popularity", np.inf),
        ("token_lists", 65_535),
        ("token_bounds", 10**9),
        ("text_bounds", -1),
    ],
)
def test_numbers_out_of_range(folder: Path, name: str, value: float) -> None:
    path = folder / f"{name}.bin"
    array = np.fromfile(path, TYPES[name])
    array[1] = value
    array.tofile(path)
    with pytest.raises(ReportedError, match=DAMAGED):
        open_index(folder)


@pytest.mark.parametrize("text", [b"null", b'["a","b",null,"d"]', b"[1,2,[3],4]", b"\xff", b"["])
def test_damaged_passages(folder: Path, text: bytes) -> None:
    path = folder / "texts.bin"
    path.write_bytes(text.ljust(path.stat().st_size))
    np.array([0, *[path.stat().st_size] * 6], "<i8").tofile(folder / "text_bounds.bin")
    with pytest.raises(ReportedError, match=DAMAGED):
        open_index(folder).search("boil bones")


def test_no_pickle_is_opened(folder: Path, tmp_path: Path) -> None:
    class Bomb:
        def __reduce__(self) -> tuple[Callable[[str], None], tuple[str]]:
            return os.mkdir, (str(tmp_path / "exploded"),)

    for path in folder.iterdir():
        path.write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(ReportedError, match=DAMAGED):
        open_index(folder)
    assert not (tmp_path / "exploded").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pipes")
def test_no_pipe_is_waited_for(folder: Path) -> None:
    (folder / "texts.bin").unlink()
    os.mkfifo(folder / "texts.bin")
    with pytest.raises(ReportedError, match=DAMAGED):
        open_index(folder)


@settings(max_examples=examples(150), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(sorted(TYPES)), st.integers(0, 10_000), st.integers(1, 255))
def test_any_changed_byte(folder: Path, name: str, place: int, bits: int) -> None:
    path = folder / f"{name}.bin"
    whole = path.read_bytes()
    changed = bytearray(whole)
    changed[place % len(whole)] ^= bits
    path.write_bytes(changed)
    with suppress(ReportedError):
        open_index(folder).search("how long to bake bread in the oven", 20)
    path.write_bytes(whole)


def test_a_search_survives_the_swap(folder: Path) -> None:
    opened = open_index(folder)
    before = opened.search("bake bread")
    shutil.rmtree(folder, ignore_errors=True)
    assert opened.search("bake bread") == before
