"""Only regular files are opened; opening any other file fails without blocking."""

import os
import socket
from pathlib import Path

import pytest

from hookwright_console.errors import RefusedError
from hookwright_console.files.regular import read_object, read_regular
from lesson_search.retrieval.calibration import locate, read_calibration
from lesson_search.retrieval.ranking import read_index_cache
from lesson_search.taxonomy.categories import read_taxonomy

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs pipes in folders")


def test_regular_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"a\r\nb")
    (tmp_path / "link").symlink_to("file")
    assert read_regular(tmp_path / "link") == b"a\r\nb"


def test_pipes_and_folders_are_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.chdir(tmp_path)  # the path of a socket must be short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        for path in (tmp_path / "pipe", tmp_path, Path("/dev/null"), Path("socket")):
            with pytest.raises(OSError, match=r"not a regular file|No such device"):
                read_regular(path)
    with pytest.raises(FileNotFoundError):
        read_regular(tmp_path / "nothing")


def test_pipes_in_the_data_folder_do_not_block(tmp_path: Path) -> None:
    paths = [tmp_path / "lessons.npz", locate("x", tmp_path), tmp_path / "taxonomy.yml"]
    for path in paths:
        os.mkfifo(path)
    assert read_index_cache(paths[0], "x") is None
    assert read_calibration("x", tmp_path) is None
    with pytest.raises(RefusedError, match=r"cannot read .*taxonomy.yml: not a regular file"):
        read_taxonomy(paths[2])


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b"[" * 100_000, None])
def test_file_without_a_json_object_returns_none(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "file.json"
    if content is not None:
        path.write_bytes(content)
    assert read_object(path) == {}


def test_object_is_read(tmp_path: Path) -> None:
    (tmp_path / "file.json").write_text('{"a": 1}')
    assert read_object(tmp_path / "file.json") == {"a": 1}
