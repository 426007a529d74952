"""One process at a time owns the data folder, and others are told its owner; real processes."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookwright_console.errors import ReportedError
from hookwright_console.network.server_address import (
    find_data_folder,
    read_address,
    remove_address,
    write_address,
)
from lesson_search.storage.data_folder import lock_folder

URL = "http://127.0.0.1:7731"
HOLDER = """
import sys
from pathlib import Path
from hookwright_console.network.server_address import write_address
from lesson_search.storage.data_folder import lock_folder
folder = Path(sys.argv[1])
lock = lock_folder(folder)
if len(sys.argv) > 2:
    write_address(folder, sys.argv[2])
print(flush=True)
sys.stdin.read()
"""


@contextmanager
def holding(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout
        holder.stdout.readline()
        yield holder


def test_second_process_learns_the_owner(tmp_path: Path) -> None:
    with holding(str(tmp_path), URL) as holder:
        assert read_address(tmp_path) == (URL, holder.pid)
        who = re.escape(
            f"{tmp_path} is in use by the lesson server at {URL} (process {holder.pid})"
        )
        with pytest.raises(
            ReportedError, match=f"^{who}: stop it, or choose another --data folder$"
        ):
            lock_folder(tmp_path)


def test_owner_without_a_server_is_reported(tmp_path: Path) -> None:
    with holding(str(tmp_path)):
        assert read_address(tmp_path) is None
        with pytest.raises(ReportedError, match="is in use by another process"):
            lock_folder(tmp_path)


def test_killed_process_releases_the_folder(tmp_path: Path) -> None:
    with holding(str(tmp_path), URL) as holder:
        holder.send_signal(signal.SIGKILL)
    assert (tmp_path / "server.json").exists()
    assert read_address(tmp_path) is None
    with holding(str(tmp_path)):
        assert read_address(tmp_path) is None
    lock_folder(tmp_path).release()


def test_released_folder_can_be_locked_again(tmp_path: Path) -> None:
    lock = lock_folder(tmp_path)
    write_address(tmp_path, URL)
    assert read_address(tmp_path) == (URL, os.getpid())
    remove_address(tmp_path)
    assert read_address(tmp_path) is None
    lock.release()
    lock_folder(tmp_path).release()


def test_folder_is_private(tmp_path: Path) -> None:
    folder = tmp_path / "share" / "lesson-search"
    lock = lock_folder(folder)
    write_address(folder, URL)
    modes = [path.stat().st_mode & 0o777 for path in (folder, *folder.iterdir())]
    assert modes == [0o700, 0o600, 0o600]
    lock.release()


@pytest.mark.skipif(os.name != "posix", reason="other systems have other permissions")
@pytest.mark.parametrize(("mode", "after"), [(0o755, 0o700), (0o777, 0o700), (0o1777, 0o1777)])
def test_permissions_of_an_open_folder_are_tightened(tmp_path: Path, mode: int, after: int) -> None:
    tmp_path.chmod(mode)
    lock_folder(tmp_path).release()
    assert tmp_path.stat().st_mode & 0o7777 == after


def test_uncreatable_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(
        ReportedError,
        match=r"cannot use .+: choose another --data folder|cannot use .+ \(choose another --data",
    ) as refusal:
        lock_folder(tmp_path / "file" / "data")
    assert "\n" not in str(refusal.value)


@pytest.mark.skipif(os.name != "posix", reason="needs pipes in folders")
@pytest.mark.parametrize("name", ["lock", "db/chroma.sqlite3", "db/segment/header.bin"])
def test_pipe_is_reported(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(path)
    assert read_address(tmp_path) is None
    with pytest.raises(ReportedError) as refusal:
        lock_folder(tmp_path)
    said = f"{path} is not a regular file: remove it, or choose another --data folder"
    assert str(refusal.value) == said


@given(
    noted=st.binary(max_size=50) | st.sampled_from([b'{"url": 1, "pid": 2}', b"[]", b"[" * 9999])
)
def test_invalid_address_file_is_ignored(tmp_path: Path, noted: bytes) -> None:
    (tmp_path / "server.json").write_bytes(noted)
    assert read_address(tmp_path) is None


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other places")
@pytest.mark.parametrize(
    ("home", "folder"),
    [("/data", "/data/lesson-search"), ("data", None), ("", None), (None, None)],
)
def test_data_folder_follows_xdg(
    home: str | None, folder: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if home is not None:
        monkeypatch.setenv("XDG_DATA_HOME", home)
    expected = folder or Path.home() / ".local/share/lesson-search"
    assert find_data_folder() == Path(expected)
