"""Several files are replaced together, or not at all."""

from pathlib import Path

import pytest

from hookwright_console.errors import RefusedError
from hookwright_console.files.atomic import replace_files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    (folder / "pages").mkdir(parents=True)
    (folder / "text").write_text("old")
    (folder / "link").symlink_to("text")
    return folder


def test_nothing_changes_if_the_last_file_cannot_be_removed(folder: Path) -> None:
    files = {"link": b"new", "text": b"new", "new": b"new", "new/below": None}
    with pytest.raises(RefusedError, match=r"new/below cannot be written: Not a directory$"):
        replace_files(folder, files)
    assert sorted(path.name for path in folder.iterdir()) == ["link", "pages", "text"]
    assert (folder / "text").read_text() == "old"
    assert (folder / "link").readlink() == Path("text")


def test_folder_is_not_replaced(folder: Path) -> None:
    with pytest.raises(RefusedError, match=r"pages cannot be written: a folder is in the way$"):
        replace_files(folder, {"pages": b"new"})
