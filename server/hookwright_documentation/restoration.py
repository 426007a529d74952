"""Put a database back as it was, where what is made in its place does not come to its end."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from hookwright_console.errors import ReportedError
from hookwright_documentation.databases import (
    CURRENT,
    RECIPE,
    find_folder,
    is_database,
    list_generations,
    locking,
    remove_database,
)
from hookwright_documentation.leann.layout import LINK


@contextmanager
def restoring(
    name: str, failures: type[BaseException] = Exception, root: Path | None = None
) -> Iterator[None]:
    """Put a database back as it was where what is done meanwhile fails; a new one goes.

    Args:
        name: The name of the database.
        failures: What counts as a failure.
        root: The folder of all databases; None for the user's.

    Raises:
        OSError: It cannot be kept meanwhile.

    """
    folder = find_folder(name, root)
    if not is_database(folder):
        has_root = folder.parent.exists()
        try:
            yield
        except failures:
            with suppress(ReportedError, OSError):  # another process builds it
                remove_database(name, root)
                if not has_root:
                    folder.parent.rmdir()
            raise
        return
    with TemporaryDirectory(prefix=f".{name}-", dir=folder.parent) as kept:
        keep(folder, Path(kept))
        try:
            yield
        except failures:
            with suppress(ReportedError), locking(folder):
                put_back(Path(kept), folder)
            raise


def keep(folder: Path, kept: Path) -> None:
    """Keep the generations of a database, and what names the current one; raises OSError."""
    for name in (CURRENT, RECIPE, LINK):
        if os.path.lexists(folder / name):
            shutil.copy2(folder / name, kept / name, follow_symlinks=False)
    for one in list_generations(folder):
        shutil.copytree(one, kept / one.name, copy_function=link)


def link(source: str, target: str) -> None:
    """Have a file that never changes in another place, too; raises OSError."""
    try:
        os.link(source, target)
    except OSError:  # not on this file system
        shutil.copy2(source, target)


def put_back(kept: Path, folder: Path) -> None:
    """Put what was kept in the place of what is there; raises OSError."""
    others = [one for one in list_generations(folder) if not (kept / one.name).exists()]
    for one in list_generations(kept):
        if not (folder / one.name).exists():
            one.rename(folder / one.name)
    for name in (RECIPE, LINK, CURRENT):
        if os.path.lexists(kept / name):
            (kept / name).replace(folder / name)
        else:
            (folder / name).unlink(missing_ok=True)
    for one in others:
        shutil.rmtree(one)
