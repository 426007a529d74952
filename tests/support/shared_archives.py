"""Valid and invalid archives of documentation."""

import bz2
import hashlib
import io
import json
import tarfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from hookwright_documentation.build import build, find_old
from hookwright_documentation.cutting.page_files import format_page, name_page
from hookwright_documentation.databases import Database
from hookwright_documentation.pages import Page
from hookwright_documentation.recipes.recipe import Recipe
from hookwright_documentation.sharing.archive import (
    Archive,
    describe_files,
    list_contents,
    pack,
    read_archive,
    write_archive,
)
from hookwright_documentation.sharing.building import build_shared, choose_recipe
from hookwright_documentation.sharing.export import Export, choose_export
from hookwright_documentation.sharing.manifest import (
    LICENSE,
    MANIFEST,
    PAGES,
    SharedManifest,
    format_manifest,
)

SITE = "https://docs.acme.example/"
DAY = "2026-11-23"
LICENSE_TEXT = "Copyright of Acme. Anyone may copy this.\n"
RECIPE = Recipe("acme", ("acme", "rocket"), SITE, license="MIT")


def make_page(name: str, text: str = "", license_: str = "MIT") -> Page:
    text = text or f"# How to {name}\n\nWhoever wants to {name} begins with an empty folder.\n"
    return Page(f"{SITE}{name}", f"How to {name}", "2.0", license_, DAY, text)


FOUR = tuple(map(make_page, ("deploy", "install", "test", "upgrade")))


def describe(pages: Sequence[Page] = FOUR, recipe: Recipe = RECIPE) -> SharedManifest:
    text = LICENSE_TEXT if recipe.license else ""
    return SharedManifest(recipe, SITE, "2.0", DAY, describe_files(list_contents(text, pages)))


def list_files(pages: Sequence[Page] = FOUR, recipe: Recipe = RECIPE) -> list[tuple[str, bytes]]:
    manifest = (MANIFEST, format_manifest(describe(pages, recipe)))
    contents = {PAGES + name_page(page.url): format_page(page).encode() for page in pages}
    return [manifest, (LICENSE, LICENSE_TEXT.encode()), *sorted(contents.items())]


def pack_listed(files: Sequence[tuple[str, bytes]]) -> bytes:
    value = json.loads(files[0][1])
    listed = [
        {"name": name, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in files[1:]
    ]
    value |= {"files": listed, "bytes": sum(len(content) for _, content in files[1:])}
    value["pages"] = sum(name != LICENSE for name, _ in files[1:])
    return pack([(MANIFEST, dump(value)), *files[1:]])


def edit_manifest(edit: Callable[[dict[str, Any]], object]) -> bytes:
    files = list_files()
    value = json.loads(files[0][1])
    edit(value)
    return pack([(MANIFEST, dump(value)), *files[1:]])


def dump(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n"


def retar(
    edit: Callable[[list[tarfile.TarInfo]], object], form: int = tarfile.USTAR_FORMAT
) -> bytes:
    files = list_files()
    entries = []
    for name, content in files:
        entry = tarfile.TarInfo(name)
        entry.size = len(content)
        entries.append(entry)
    edit(entries)
    contents = dict(files)
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=form) as tar:
        for entry in entries:
            content = contents.get(entry.name, b"")[: entry.size]
            tar.addfile(entry, io.BytesIO(content.ljust(entry.size, b"x")))
    return bz2.compress(buffer.getvalue())


def read(content: bytes) -> Archive:
    """Return an archive's contents; raises RefusedError."""
    return read_archive(io.BytesIO(content), "acme.tar.bz2")


def make(recipe: Recipe, root: Path) -> Database:
    return build(recipe, find_old(recipe.name, root), lambda _: None, root).database


def export(database: Database, license_text: str = "") -> tuple[Export, bytes]:
    shared = choose_export(database, license_text=license_text)
    return shared, write_archive(shared.manifest, shared.license_text, shared.pages)


def take(content: bytes, root: Path, name: str = "acme") -> Database:
    archive = read(content)
    recipe, _ = choose_recipe(archive, name, find_old(name, root))
    return build_shared(recipe, archive, {}, root).database
