"""Find out whether all files of a documentation database are there, and whole."""

from hookwright_console.errors import ReportedError
from hookwright_console.terminal import count
from hookwright_documentation.databases import Database
from hookwright_documentation.leann.layout import LINK, META


def check_whole(database: Database) -> None:
    """Check the index of a database, and that it has all its pages.

    Raises:
        ReportedError: Something is missing or damaged.

    """
    manifest = database.manifest
    way_out = f"run hookwright refresh {manifest.name}"
    if manifest.engine == "leann":
        if not (database.folder.parent / LINK / META).is_file():
            raise ReportedError(f"{manifest.name} has no index: {way_out}")
    elif not database.index.exists():
        raise ReportedError(f"{manifest.name} has no index: {way_out}")
    else:
        from hookwright_documentation.index import open_index

        open_index(database.index).check_whole()
    pages = sum(1 for _ in database.pages.glob("*.md"))
    if pages != manifest.pages:
        held = f"{pages:,} of {count(manifest.pages, 'page')}"
        raise ReportedError(f"{manifest.name} has {held}: {way_out}")


def is_whole(database: Database) -> bool:
    """Tell whether nothing of a database is missing or damaged."""
    try:
        check_whole(database)
    except ReportedError:
        return False
    return True
