"""Folders of any depth can be walked."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hookwright_console.files.regular import MAX_DEPTH, walk


@pytest.fixture
def nested(tmp_path: Path) -> Iterator[Path]:
    top = tmp_path / "top"
    paths = [top.joinpath(*"d" * depth) for depth in range(MAX_DEPTH + 3)]
    for path in paths:
        path.mkdir()
    yield top
    for path in reversed(paths):
        path.rmdir()


def test_walk_stops_at_the_depth_limit(nested: Path) -> None:
    depths = [len(Path(folder).parts) - len(nested.parts) for folder, _, _ in walk(nested)]
    assert depths == list(range(MAX_DEPTH + 1))


def test_removed_folder_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "c").mkdir()
    seen = []
    for folder, folders, _ in walk(tmp_path):
        seen.append(Path(folder).name)
        folders[:] = [name for name in folders if name != "a"]
    assert seen == [tmp_path.name, "c"]
