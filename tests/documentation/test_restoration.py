"""A database that a failure would have replaced is as it was before."""

from pathlib import Path

import pytest

from hookwright_documentation.databases import CURRENT, MANIFEST, list_names
from hookwright_documentation.restoration import restoring

from ..support.installer import snapshot
from ..support.shared_archives import FOUR, list_files, pack, take

NEW = pack(list_files(FOUR[1:]))


def replace(root: Path, error: BaseException) -> None:
    """Replace the database acme, and fail."""
    with restoring("acme", type(error), root):
        take(NEW, root)
        raise error


@pytest.mark.parametrize("loss", ["", CURRENT, MANIFEST])
def test_what_was_there_stays(tmp_path: Path, loss: str) -> None:
    """Every file is as it was, also of a database that is damaged or not finished."""
    database = take(pack(list_files()), tmp_path)
    if loss:
        folder = database.folder if loss == MANIFEST else database.folder.parent
        (folder / loss).unlink()
    before = snapshot(tmp_path)
    with pytest.raises(KeyError):
        replace(tmp_path, KeyError())
    assert snapshot(tmp_path) == before


def test_what_is_new_goes(tmp_path: Path) -> None:
    """A database that was not there is gone, and so is a folder that has nothing else."""
    with pytest.raises(KeyError):
        replace(tmp_path / "docs", KeyError())
    assert not (tmp_path / "docs").exists()


def test_what_succeeds_stays(tmp_path: Path) -> None:
    """Without a failure the new database is there, and nothing beside it."""
    take(pack(list_files()), tmp_path)
    with restoring("acme", root=tmp_path):
        take(NEW, tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == list_names(tmp_path) == ["acme"]
