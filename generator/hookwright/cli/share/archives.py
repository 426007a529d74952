"""Share a documentation database as a file or through a registry, and import one."""

import hashlib
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from hookwright.cli.options import AsJson, Commits, DatabaseName, InProjectOrNew, Yes
from hookwright.cli.share.importing import take
from hookwright.cli.terminal import building
from hookwright_console.errors import MisusedError, RefusedError
from hookwright_console.files.atomic import find_mode, replacing
from hookwright_console.files.regular import open_regular, read_regular
from hookwright_console.terminal import agree, check_terminal, count, print_line
from hookwright_console.text import shorten
from hookwright_documentation.databases import find_database_folder, open_database
from hookwright_documentation.sharing.references import Pin, Reference, parse_reference

if TYPE_CHECKING:
    from oras.provider import Registry

STDOUT = "-"
InRegistry = Annotated[
    str,
    typer.Argument(metavar="REF", help="Its name there, such as ghcr.io/acme/django:5.2."),
]
LicenseFile = Annotated[
    Path | None,
    typer.Option(
        "--license-file",
        metavar="FILE",
        help="The text of the licence.",
        show_default="the documentation page that contains it",
    ),
]
Force = Annotated[
    bool,
    typer.Option("--force", help="Also share pages that seem to contain a token or private key."),
]
FromProject = Annotated[
    Path | None,
    typer.Option(
        "--project",
        metavar="DIR",
        help="Share the keywords that the database has in this project.",
        show_default="those that it was set up with",
    ),
]


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
        raise typer.BadParameter("--json and -o - both need standard output: use a FILE")
    if output == STDOUT and sys.stdout.isatty():
        raise typer.BadParameter("-o -: an archive is not for a terminal: redirect it to a file")
    stdout = sys.stdout.buffer
    with building(as_json=as_json, keeps_stdout=output == STDOUT) as report:
        content, row = pack(name, project, license_file, force=force)
        if output == STDOUT:
            stdout.write(content)
            stdout.flush()
        else:
            path = Path(output or f"{name}.tar.bz2")
            write(content, path, yes=yes)
            print_line(f"{path} has the SHA-256 {row['sha256']}")
            report(row | {"file": str(path)})
    return 0


def write(content: bytes, path: Path, *, yes: bool) -> None:
    shown = shorten(str(path))
    try:
        if path.exists():
            if not path.is_file():
                raise RefusedError(f"{shown} is not a regular file: use another with -o")
            agree(f"Replace {shown}?", yes=yes)
        with replacing(path, "wb", find_mode(path)) as file:
            file.write(content)
    except OSError as error:
        raise RefusedError(
            f"cannot write {shown}: {error.strerror}: use another file with -o"
        ) from None


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
            find_database_folder(name)  # raises for an invalid name
        with open_source(source) as file:
            archive = read_archive(file, shorten(source.rpartition("/")[2] or source))
        row = take(archive, name, project, {}, yes=yes, commits=commit)
        report({**row, "sha256": archive.sha256})
    return 0


@contextmanager
def open_source(source: str) -> Iterator[BinaryIO]:
    if "://" in source:
        from hookwright_documentation.sharing.transport import download

        with tempfile.TemporaryFile() as fetched:
            download(source, fetched)
            fetched.seek(0)
            yield fetched
        return
    try:
        with open_regular(Path(source)) as file:
            yield file
    except OSError as error:
        raise RefusedError(
            f"cannot read {shorten(source)}: {error.strerror}: use an archive, or its URL"
        ) from None


def push(
    name: DatabaseName,
    reference: InRegistry,
    *,
    license_file: LicenseFile = None,
    project: FromProject = None,
    force: Force = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> int:
    """Push the pages of a database to a registry that others pull from."""
    with building(as_json=as_json) as report:
        from hookwright_documentation.sharing import registry as registries

        parsed = parse_reference(reference)
        if parsed.digest:
            raise MisusedError(f"{parsed} is named by its digest: use a tag to push to")
        check_terminal(yes=yes)
        content, row = pack(name, project, license_file, force=force)
        with registries.connecting(parsed) as registry:
            agree(f"Push it to {parsed}?{format_replaced(registry, parsed)}", yes=yes)
            artifact = registries.push(registry, parsed, content)
        pinned = parsed.pin(artifact.digest)
        print_line(f"pushed {pinned}")
        report(row | {"reference": str(pinned), "digest": artifact.digest})
    return 0


def format_replaced(registry: "Registry", reference: Reference) -> str:
    from hookwright_documentation.sharing.registry import MissingArtifactError, find_artifact

    try:
        return f" It currently points to {find_artifact(registry, reference).digest}."
    except MissingArtifactError:
        return ""
    except RefusedError:
        return " It currently points to something else."


def pull(
    name: Annotated[str, typer.Argument(help="The name of the database here.")],
    reference: InRegistry,
    *,
    project: InProjectOrNew = None,
    yes: Yes = False,
    commit: Commits = True,
    as_json: AsJson = False,
) -> int:
    """Pull a database from a registry.

    Its pages are indexed here, and searches are sent to them. It is verified like an archive, and
    pinned: hookwright refresh shows what changed before it follows a tag that has moved.
    """
    with building(as_json=as_json) as report:
        from hookwright_documentation.refresh import fetch
        from hookwright_documentation.sharing.registry import connecting, find_artifact

        find_database_folder(name)  # raises for an invalid name
        parsed = parse_reference(reference)
        check_terminal(yes=yes)
        with connecting(parsed) as registry:
            artifact = find_artifact(registry, parsed)
            archive = fetch(registry, parsed, artifact)
        pin = Pin(parsed, artifact.digest)
        print_line(f"verified {parsed.pin(artifact.digest)}")
        row = take(archive, name, project, pin.export(), yes=yes, commits=commit)
        pulled = {"reference": str(parsed), "digest": artifact.digest}
        report(row | {"sha256": archive.sha256} | pulled)
    return 0


def pack(
    name: str, project: Path | None, license_file: Path | None, *, force: bool
) -> tuple[bytes, dict[str, Any]]:
    """Return a database's archive, and the facts about it for scripts; print its contents.

    The keywords come from the project, or else from the database's setup; the licence text comes
    from the file, or else from one of the pages. With `force`, share even pages that seem to
    contain a secret.
    """
    from hookwright_documentation.sharing.archive import write_archive
    from hookwright_documentation.sharing.export import choose_export

    database = open_database(name)
    keywords = find_keywords(project, name) if project else []
    text = read_license_file(license_file) if license_file else ""
    export = choose_export(database, keywords, text, with_tokens=force)
    content = write_archive(export.manifest, export.license_text, export.pages)
    manifest, recipe = export.manifest, export.manifest.recipe
    pages = count(len(manifest.pages), "page")
    held = f"the recipe and checksums of {pages}"
    if manifest.has_pages:
        held = f"{pages}, {recipe.license}"
    notes = (f"  {note}" for note in export.notes)
    print_line(f"{recipe.name}: {held}, {len(content):,} bytes", *notes)
    return content, {
        "name": recipe.name,
        "pages": len(manifest.pages) if manifest.has_pages else 0,
        "license": recipe.license,
        "bytes": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
        "notes": [*export.notes],
    }


def find_keywords(project: Path, name: str) -> list[str]:
    from hookwright.documentation.database_records import is_ours
    from hookwright.project.reader import open_project
    from hookwright_console.objects import pick_texts

    opened = open_project(project)
    for record in opened.databases:
        if is_ours(record, name):
            return [*pick_texts(record, "keywords")]
    raise RefusedError(f"{opened.name} has no record of the database {name}: leave out --project")


def read_license_file(path: Path) -> str:
    try:
        return read_regular(path).decode()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", "it is not UTF-8")
        raise RefusedError(f"cannot read {shorten(str(path))}: {reason}") from None
