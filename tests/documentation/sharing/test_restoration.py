"""A failed replacement leaves the database unchanged."""

import subprocess
import sys
from multiprocessing import get_context
from pathlib import Path

import pytest

from hookwright_console.errors import RefusedError
from hookwright_documentation.databases import (
    CURRENT,
    MANIFEST,
    list_generations,
    list_names,
    locking,
    open_database,
    remove_database,
)
from hookwright_documentation.sharing.archive import pack
from hookwright_documentation.sharing.building import restoring

from ...support.hypothesis_profiles import mark_long
from ...support.installer import snapshot
from ...support.shared_archives import FOUR, list_files, take

NEW = pack(list_files(FOUR[1:]))


def replace(root: Path, error: BaseException) -> None:
    with restoring("acme", type(error), root):
        take(NEW, root)
        raise error


def replace_before_another(root: Path) -> None:
    with restoring("acme", root=root):
        take(pack(list_files()), root)
        process = get_context("spawn").Process(target=take, args=(NEW, root))
        process.start()
        process.join()
        assert process.exitcode == 0
        raise KeyError


@pytest.mark.parametrize("loss", ["", CURRENT, MANIFEST])
def test_existing_database_is_restored(tmp_path: Path, loss: str) -> None:
    database = take(pack(list_files()), tmp_path)
    if loss:
        folder = database.folder if loss == MANIFEST else database.folder.parent
        (folder / loss).unlink()
    before = snapshot(tmp_path)
    with pytest.raises(KeyError):
        replace(tmp_path, KeyError())
    assert snapshot(tmp_path) == before


def test_new_database_is_removed(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        replace(tmp_path / "docs", KeyError())
    assert not (tmp_path / "docs").exists()


def test_successful_change_is_kept(tmp_path: Path) -> None:
    take(pack(list_files()), tmp_path)
    with restoring("acme", root=tmp_path):
        take(NEW, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == list_names(tmp_path) == ["acme"]


@pytest.mark.parametrize("is_new", [False, *mark_long([True])])
def test_database_built_by_another_process_is_kept(tmp_path: Path, *, is_new: bool) -> None:
    if not is_new:
        take(pack(list_files()), tmp_path)
    with pytest.raises(KeyError):
        replace_before_another(tmp_path)
    assert open_database("acme", tmp_path).manifest.pages == 3


def test_change_is_refused_during_another_build(tmp_path: Path) -> None:
    database = take(pack(list_files()), tmp_path)
    with locking(tmp_path / "acme"), pytest.raises(RefusedError, match="another process"):
        replace(tmp_path, KeyError())
    assert open_database("acme", tmp_path) == database


def test_backup_is_cleared(tmp_path: Path) -> None:
    kill_while_restoring(tmp_path)  # while restoring a new database
    take(pack(list_files()), tmp_path)
    kill_while_restoring(tmp_path)
    take(NEW, tmp_path)
    assert [*list_generations(tmp_path / "acme")] == [open_database("acme", tmp_path).folder]
    assert not list((tmp_path / "acme" / "work").iterdir())
    kill_while_restoring(tmp_path)
    remove_database("acme", tmp_path)
    assert not list(tmp_path.iterdir())


def kill_while_restoring(root: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path;"
        "from hookwright_documentation.sharing.building import restoring\n"
        "with restoring('acme', root=Path(sys.argv[1])): os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", code, root], check=False).returncode == 9
