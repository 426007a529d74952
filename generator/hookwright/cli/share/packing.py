"""What export and push have in common: choose what is shared, and pack it."""

import hashlib
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hookwright_console.errors import RefusedError
from hookwright_console.files.regular import read_regular
from hookwright_console.terminal import count, print_line, show_progress
from hookwright_console.text import shorten
from hookwright_documentation.databases import open_database

if TYPE_CHECKING:
    from hookwright_documentation.sharing.export import Export

LicenseFile = Annotated[
    Path | None,
    typer.Option(
        "--license-file",
        metavar="FILE",
        help="The text of the licence.",
        show_default="the page of the documentation that has it",
    ),
]
Force = Annotated[
    bool,
    typer.Option("--force", help="Also share pages with what looks like a token or private key."),
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


@dataclass(frozen=True)
class PackedDatabase:
    """A database as it is shared."""

    export: "Export"  # what of it is shared
    content: bytes

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    @property
    def summary(self) -> str:
        manifest = self.export.manifest
        pages = count(len(manifest.pages), "page")
        held = pages if manifest.has_pages else f"the recipe and checksums of {pages}"
        licensed = f", {manifest.recipe.license}" if manifest.has_pages else ""
        return f"{manifest.recipe.name}: {held}{licensed}, {len(self.content):,} bytes"

    def export_row(self) -> dict[str, Any]:
        manifest = self.export.manifest
        return {
            "name": manifest.recipe.name,
            "pages": len(manifest.pages) if manifest.has_pages else 0,
            "license": manifest.recipe.license,
            "bytes": len(self.content),
            "sha256": self.sha256,
            "notes": [*self.export.notes],
        }


def pack(
    name: str, project: Path | None, license_file: Path | None, *, force: bool
) -> PackedDatabase:
    """Return a database as it is shared, and say what is in it.

    Args:
        name: The name of the database.
        project: The project whose keywords are shared; None for those of the setup.
        license_file: The file with the text of the licence; None for the page that has it.
        force: Whether to share pages with what looks like a token or private key, too.

    """
    from hookwright_documentation.sharing.archive import write_archive
    from hookwright_documentation.sharing.export import choose_export

    database = open_database(name)
    keywords = find_keywords(project, name) if project else []
    export = choose_export(database, keywords, read_text(license_file), with_tokens=force)
    buffer = BytesIO()
    with show_progress("Packing") as progress:
        write_archive(export.manifest, export.license_text, export.pages, buffer.write, progress)
    packed = PackedDatabase(export, buffer.getvalue())
    print_line(packed.summary)
    for note in export.notes:
        print_line(f"  {note}")
    return packed


def find_keywords(project: Path, name: str) -> list[str]:
    from hookwright.documentation.database_records import is_ours
    from hookwright.project.reader import open_project
    from hookwright_console.objects import pick_texts

    opened = open_project(project)
    for record in opened.databases:
        if is_ours(record, name):
            return [*pick_texts(record, "keywords")]
    raise RefusedError(f"{opened.name} has no record of the database {name}: leave out --project")


def read_text(path: Path | None) -> str:
    if not path:
        return ""
    try:
        return read_regular(path).decode()
    except OSError as error:
        raise RefusedError(f"cannot read {shorten(str(path))}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RefusedError(f"cannot read {shorten(str(path))}: it is not UTF-8") from None
