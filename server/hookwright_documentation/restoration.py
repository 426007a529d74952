"""Put a database back as it was if its replacement fails."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from hookwright_console.errors import ReportedError
from hookwright_documentation.build import find_copy
from hookwright_documentation.databases import (
    CURRENT,
    RECIPE,
    check_place,
    find_database_folder,
    is_database,
    list_generations,
    locking,
    remove_files,
)
from hookwright_documentation.leann import LINK


@contextmanager
def restoring(
    name: str, failures: type[BaseException] = Exception, root: Path | None = None
) -> Iterator[None]:
    """Put a database back as it was if what is done meanwhile fails; a new one goes.

    Not where another process has built it since: that clears the copy of what there was. Raises
    RefusedError where another one builds it or something else is there, and OSError.
    """
    folder = find_database_folder(name, root)
    has_root = folder.parent.exists()
    check_place(folder)
    with keeping(folder) as copy:
        try:
            yield
        except failures:
            with suppress(ReportedError, OSError):  # another process builds it
                put_back(copy, folder)
            if not has_root:
                with suppress(OSError):  # another database is there
                    folder.parent.rmdir()
            raise


@contextmanager
def keeping(folder: Path) -> Iterator[Path]:
    """Yield a copy of a database, which is empty where there is none; raises as `restoring`."""
    copy = find_copy(folder)
    try:
        with locking(folder):
            shutil.rmtree(copy, ignore_errors=True)  # of a killed process that had our ID
            is_there = is_database(folder)
            if not is_there:  # if this is killed, the folder is known as one of a database
                (folder / RECIPE).touch()
            copy.mkdir(parents=True)
            if is_there:
                for name in (CURRENT, RECIPE, LINK):
                    if os.path.lexists(folder / name):
                        shutil.copy2(folder / name, copy / name, follow_symlinks=False)
                for one in list_generations(folder):
                    shutil.copytree(one, copy / one.name, copy_function=link)
        yield copy
    finally:
        shutil.rmtree(copy, ignore_errors=True)


def link(source: str, target: str) -> None:
    """Have a file that never changes in another place, too; raises OSError."""
    try:
        os.link(source, target)
    except OSError:  # not on this file system
        shutil.copy2(source, target)


def put_back(copy: Path, folder: Path) -> None:
    """Put a copy in the place of what is there, unless it was cleared; raises RefusedError."""
    if not copy.is_dir():
        return
    with locking(folder):
        if not copy.is_dir():
            return
        if not is_database(copy):
            remove_files(folder)
            return
        others = [one for one in list_generations(folder) if not (copy / one.name).exists()]
        for one in list_generations(copy):
            if not (folder / one.name).exists():
                one.rename(folder / one.name)
        for name in (RECIPE, LINK, CURRENT):
            if os.path.lexists(copy / name):
                (copy / name).replace(folder / name)
            else:
                (folder / name).unlink(missing_ok=True)
        for one in others:
            shutil.rmtree(one)
