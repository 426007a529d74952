"""Write a documentation database to a file, and import one from a file or a URL."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from hookwright.cli.docs import DatabaseName
from hookwright.cli.options import AsJson, Commits, InProjectOrNew, Yes
from hookwright.cli.share.importing import take
from hookwright.cli.share.packing import Force, FromProject, LicenseFile, PackedDatabase, pack
from hookwright.cli.terminal import agree, building
from hookwright_console.errors import RefusedError
from hookwright_console.files.atomic import find_mode, replacing
from hookwright_console.files.regular import open_regular
from hookwright_console.terminal import print_line, show_progress
from hookwright_console.text import shorten
from hookwright_documentation.databases import find_database_folder

STDOUT = "-"


def export_archive(
    name: DatabaseName,
    *,
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The archive; - for standard output.",
            show_default="NAME.tar.bz2 here",
        ),
    ] = "",
    license_file: LicenseFile = None,
    project: FromProject = None,
    force: Force = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> int:
    """Write the pages of a database to an archive.

    The same pages give the same bytes. Pages are shared only where their licence is known.
    """
    if output == STDOUT and as_json:
        raise typer.BadParameter("--json and -o - both need standard output: give a FILE")
    if output == STDOUT and sys.stdout.isatty():
        raise typer.BadParameter("-o -: an archive is not for a terminal: redirect it to a file")
    stdout = sys.stdout.buffer
    with building(as_json=as_json, keeps_stdout=output == STDOUT) as report:
        packed = pack(name, project, license_file, force=force)
        if output == STDOUT:
            stdout.write(packed.content)
            stdout.flush()
        else:
            path = Path(output or f"{name}.tar.bz2")
            write(packed, path, yes=yes)
            report(packed.export_row() | {"file": str(path)})
    return 0


def write(packed: PackedDatabase, path: Path, *, yes: bool) -> None:
    shown = shorten(str(path))
    try:
        if path.exists():
            if not path.is_file():
                raise RefusedError(f"{shown} is not a regular file: give another with -o")
            agree(f"Replace {shown}?", yes=yes)
        with replacing(path, "wb", find_mode(path)) as file:
            file.write(packed.content)
    except OSError as error:
        raise RefusedError(
            f"cannot write {shown}: {error.strerror}: give another file with -o"
        ) from None
    print_line(f"{path} has the SHA-256 {packed.sha256}")


def import_archive(
    source: Annotated[str, typer.Argument(metavar="FILE|URL", help="The archive.")],
    *,
    name: Annotated[
        str, typer.Option(help="The name of the database.", show_default="the archive's")
    ] = "",
    project: InProjectOrNew = None,
    yes: Yes = False,
    commit: Commits = True,
    as_json: AsJson = False,
) -> int:
    """Import a database from an archive.

    Every byte of the archive is verified before anything is written. Then the pages are indexed
    here, and searches are sent to them.
    """
    with building(as_json=as_json) as report:
        from hookwright_documentation.sharing.archive import read_archive

        if name:
            find_database_folder(name)  # refused if it cannot be the name of one
        with opening(source) as file, show_progress("Verifying") as progress:
            shown = shorten(source.rpartition("/")[2] or source)
            archive = read_archive(file, shown, progress)
        row = take(archive, name, project, {}, yes=yes, commits=commit)
        report({**row, "sha256": archive.sha256})
    return 0


@contextmanager
def opening(source: str) -> Iterator[BinaryIO]:
    if "://" in source:
        from hookwright_documentation.sharing.transport import download

        with tempfile.TemporaryFile() as fetched:
            with show_progress("Fetching") as progress:
                download(source, fetched, progress)
            fetched.seek(0)
            yield fetched
        return
    try:
        with open_regular(Path(source)) as file:
            yield file
    except OSError as error:
        raise RefusedError(
            f"cannot read {shorten(source)}: {error.strerror}: give an archive, or its URL"
        ) from None
