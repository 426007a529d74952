"""A removal takes a database, and nothing that the user has beside it."""

from pathlib import Path

import pytest

from hookwright.documentation.removal import is_there, remove_whole
from hookwright_documentation.databases import FOLDER, find_root

from ...support.fake_documentation import write_database


def test_folder_of_the_user_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder that the user named for databases stays when the last one goes."""
    monkeypatch.setenv(FOLDER, str(tmp_path / "docs"))
    write_database(tmp_path / "docs")
    remove_whole("flask")
    assert list((tmp_path / "docs").iterdir()) == []


def test_own_folder_goes() -> None:
    """The folder that was made for databases goes with the last one."""
    write_database(find_root())
    remove_whole("flask")
    assert not find_root().exists()


def test_other_folders_are_no_databases() -> None:
    """A folder beside the databases that was not made by a setup cannot be removed."""
    (find_root() / "notes" / "work").mkdir(parents=True)
    assert not is_there("notes")
