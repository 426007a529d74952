"""An exported archive can be imported and exported again byte for byte, without user data."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from hookwright_console.errors import RefusedError
from hookwright_documentation.cutting import list_pages, read_page
from hookwright_documentation.index import DocumentationIndex
from hookwright_documentation.recipes.recipe import Recipe
from hookwright_documentation.sharing import export as exports
from hookwright_documentation.sharing.archive import Archive, pack
from hookwright_documentation.sharing.building import build_shared, count_listed
from hookwright_documentation.sharing.export import choose_export, share_addresses
from hookwright_documentation.sharing.manifest import LICENSE, format_manifest

from ...support import devdocs_files
from ...support.acme_documentation import PREFIX, TOPICS, write_site
from ...support.git_over_http import write_bare
from ...support.shared_archives import (
    FOUR,
    RECIPE,
    describe,
    export,
    list_files,
    make,
    make_page,
    read,
    take,
)
from ...support.site_packages import FILES, write_environment

WORDS = ("Install", "Deploy", "Test", "Extend", "Configure", "Upgrade")
TOKEN = "ghp_" + "a1B2c3D4e5F6" * 3


def test_imported_archive_is_exported_unchanged(site: Path, tmp_path: Path) -> None:
    recipe = Recipe("acme", ("acme", "rocket"), str(site), prefix=PREFIX, license="mit")
    original = make(recipe, tmp_path / "here")
    _, content = export(original, license_text="Copyright of Acme\r\n\u200b")
    imported = take(content, tmp_path / "there")
    assert imported.manifest.license == "MIT"
    assert imported.manifest.options["keywords"] == ["acme", "rocket"]
    (hit,) = DocumentationIndex(imported.index).search("signed cookies", 1)
    assert hit.url == f"{PREFIX}session.html"
    assert (imported.folder / LICENSE).read_text() == "Copyright of Acme\n"
    assert export(imported)[1] == content


def test_copyright_notice_is_exported(tmp_path: Path) -> None:
    folder = tmp_path / "flask"
    folder.mkdir()
    files = {"index": devdocs_files.INDEX, "db": devdocs_files.PAGES, "meta": devdocs_files.META}
    for name, value in files.items():
        (folder / f"{name}.json").write_text(json.dumps(value))
    shared, content = export(make(Recipe("flask", ("flask",), str(folder)), tmp_path / "here"))
    assert shared.manifest.recipe.license == "BSD-3-Clause"
    assert shared.manifest.copyright.startswith("© 2010 Pallets")
    imported = take(content, tmp_path / "there", "flask")
    assert export(imported)[1] == content


def test_folder_name_is_not_exported(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for page in site.glob("*.html"):
        page.write_text(page.read_text().replace("Run the", f"Run {site}/x and {tmp_path}/y, the"))
    database = make(Recipe("acme", ("acme",), str(site), license="MIT"), tmp_path / "docs")
    shared, content = export(database)
    files = b"".join(path.encode() for page in shared.pages for path in (page.url, page.text))
    assert str(tmp_path).encode() not in files
    assert "Run acme/x and ~/y, the" in "".join(page.text for page in shared.pages)
    assert shared.manifest.prefix == "file:///acme/"
    assert shared.manifest.recipe.source == ""
    assert any("its folder is hidden" in note for note in shared.notes)
    assert export(take(content, tmp_path / "there"))[1] == content


def test_unlicensed_pages_are_exported_as_checksums(site: Path, tmp_path: Path) -> None:
    recipe = Recipe("acme", ("acme",), str(site), prefix=PREFIX)
    built = make(recipe, tmp_path / "docs")
    database = replace(
        built, manifest=replace(built.manifest, source=PREFIX)
    )  # as if crawled there
    shared, content = export(database)
    assert any("--license SPDX" in note for note in shared.notes)
    assert b"signed cookies" not in content
    archive = read(content)
    assert (archive.pages, len(archive.manifest.pages)) == ((), 4)
    pages = [read_page(path) for path in list_pages(database.pages)]
    later = [replace(page, crawled="2030-01-01", license="MIT") for page in pages]
    later[0] = replace(later[0], text="# Another\n")
    assert count_listed(later, archive) == 3


@pytest.mark.parametrize("source", ["", "http://127.0.0.1:8000/guide/"])
def test_unimportable_pages_are_rejected(site: Path, tmp_path: Path, source: str) -> None:
    database = make(Recipe("acme", ("acme",), str(site)), tmp_path / "docs")
    if source:  # as if crawled there
        database = replace(database, manifest=replace(database.manifest, source=source))
    with pytest.raises(RefusedError, match="set it with hookwright setup acme --license SPDX"):
        export(database)
    piped = replace(database, manifest=replace(database.manifest, source="-"))
    line = "pipe its text into hookwright setup acme - --license SPDX"
    with pytest.raises(RefusedError, match=line):
        export(piped)


def test_pages_name_their_licences(site: Path, tmp_path: Path) -> None:
    names = {"install": "MIT", "deploy": "Apache-2.0"}
    for name, license_ in names.items():
        path = site / f"{name}.html"
        head = f'<head><meta name="license" content="{license_}">'
        path.write_text(path.read_text().replace("<head>", head))
    shared, content = export(
        make(Recipe("acme", ("acme",), str(site), prefix=PREFIX), tmp_path / "docs")
    )
    assert {page.url.removeprefix(PREFIX) for page in shared.pages} == {
        "install.html",
        "deploy.html",
    }
    assert shared.manifest.recipe.license == "Apache-2.0 AND MIT"
    assert shared.manifest.license_urls == [
        "https://spdx.org/licenses/Apache-2.0.html",
        "https://spdx.org/licenses/MIT.html",
    ]
    assert any(note.startswith("2 pages left out") for note in shared.notes)
    assert export(take(content, tmp_path / "there"))[1] == content


def test_licence_page_provides_the_text(site: Path, tmp_path: Path) -> None:
    write_site(site, {**TOPICS, "license": "Copyright of Acme, who lets anyone copy this text."})
    recipe = Recipe("acme", ("acme",), str(site), prefix=PREFIX, license="MIT")
    shared, content = export(make(recipe, tmp_path / "docs"))
    assert "who lets anyone copy" in read(content).license_text
    assert not any("--license-file" in note for note in shared.notes)


def test_secrets_are_not_exported(tmp_path: Path) -> None:
    source = f"https://me:hunter2hunter2@docs.acme.example/?access_token={TOKEN}"
    pages = (*FOUR, make_page("link", f"# Link\n\n[it](https://x.example/?token={TOKEN})\n"))
    archive = read(pack(list_files(pages)))
    recipe = replace(RECIPE, source=source)
    database = build_shared(recipe, archive, {}, tmp_path).database
    shared, content = export(database)
    assert shared.manifest.recipe.source == "https://docs.acme.example/"
    assert len(shared.pages) == 4
    notes = " ".join(shared.notes)
    assert (
        "1 page left out, such as https://docs.acme.example/link, because of an apparent secret"
        in notes
    )
    assert TOKEN not in notes
    assert "hunter2" not in notes
    read(content)


@pytest.mark.parametrize(
    "secret",
    [
        f"export GITHUB_TOKEN={TOKEN}",
        "-----BEGIN OPENSSH PRIVATE KEY-----\n" + "a1B2c3D4e5" * 7,
    ],
)
def test_tokens_in_texts_are_not_exported(tmp_path: Path, secret: str) -> None:
    pages = (*FOUR, make_page("leak", f"# Leak\n\n```\n{secret}\n```\n"))
    database = build_shared(RECIPE, read(pack(list_files(pages))), {}, tmp_path).database
    shared, _ = export(database)
    notes = " ".join(shared.notes)
    assert len(shared.pages) == 4
    assert "https://docs.acme.example/leak" in notes
    assert "--force" in notes
    assert TOKEN not in notes
    assert len(choose_export(database, with_tokens=True).pages) == 5


def test_unimportable_pages_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long = make_page("long", "# Long\n\n" + "line\n\n" * 200)
    database = take(pack(list_files((*FOUR, long))), tmp_path)
    monkeypatch.setattr(exports, "MAX_LINES", 100)
    shared = choose_export(database)
    assert long.url not in {page.url for page in shared.pages}
    assert any("because of their size" in note for note in shared.notes)
    monkeypatch.setattr(exports, "MAX_LINES", 1)
    with pytest.raises(RefusedError, match="with a --prefix that has smaller pages"):
        choose_export(database)


def test_export_fails_if_every_page_has_a_token(tmp_path: Path) -> None:
    page = make_page("leak", f"# Leak\n\n{TOKEN}\n")
    database = build_shared(RECIPE, read(pack(list_files((page,)))), {}, tmp_path).database
    with pytest.raises(RefusedError, match="--force"):
        export(database)


def test_exported_keywords_are_limited(site: Path, tmp_path: Path) -> None:
    words = tuple(f"acme{number}" for number in range(12))
    recipe = Recipe("acme", words, str(site), prefix=PREFIX, license="MIT")
    shared, content = export(make(recipe, tmp_path / "docs"))
    assert read(content).manifest.recipe.keywords == words[:10]
    assert "the first 10 keywords are shared, without acme10, acme11" in shared.notes


@pytest.mark.parametrize(
    "source",
    ["python:acme", "/secret/x", "git+/secret/x", "git+file:///secret/x", "FILE:///secret"],
)
def test_local_source_is_not_exported(source: str) -> None:
    recipe = replace(RECIPE, source=source, prefix="file:///secret/", python="/secret/env")
    shared = share_addresses(recipe, [])
    assert (shared.source, shared.prefix, shared.python) == ("", "", "")


@pytest.mark.long
@pytest.mark.parametrize("kind", ["python", "git", "git+", "whole", "devdocs"])
def test_local_paths_are_not_exported(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "secret-place"
    folder.mkdir()
    recipe = write_source(folder, kind)
    database = make(replace(recipe, license="MIT"), tmp_path / "docs")
    shared, content = export(database)
    archive = read(content)
    texts = [format_manifest(archive.manifest).decode(), *shared.notes]
    texts += [text for page in archive.pages for text in (page.url, page.title, page.text)]
    assert "secret-place" not in "".join(texts)
    assert not {"python", "site"} & json.loads(texts[0])["options"].keys()
    assert (shared.manifest.recipe.source, shared.manifest.recipe.python) == ("", "")
    assert archive.manifest.recipe.domains == (("docs.acme.example",) if kind == "python" else ())
    assert export(take(content, tmp_path / "there"))[1] == content


def write_source(folder: Path, kind: str) -> Recipe:
    words = "How to configure, extend, test and deploy it is told here at some length."
    if kind == "python":
        environment = write_environment(folder / "env", dict(FILES))
        return Recipe("acme", ("acme",), "python:acme-client", python=str(environment))
    if kind == "whole":
        pages = [f"# {name}\n\n{f'{words} ' * 30}\n" for name in WORDS]
        (folder / "llms-full.txt").write_text("\n".join(pages))
        return Recipe("acme", ("acme",), str(folder / "llms-full.txt"))
    if kind == "devdocs":
        entries = [{"name": "Install", "path": "install", "type": "Guide"}]
        (folder / "index.json").write_text(json.dumps({"entries": entries, "types": []}))
        body = f"<h1>Install</h1><p>{words} It is in {folder}/x.</p>"
        (folder / "db.json").write_text(json.dumps({"install": body}))
        return Recipe("acme", ("acme",), str(folder))
    text = f"# A\n\n{words} Clone {folder}/acme.git.\n"
    bare = write_bare(folder, {"README.md": f"# Acme\n\n{words}", "docs/a.md": text})
    return Recipe("acme", ("acme",), f"git+{bare}" if kind == "git+" else str(bare))


def test_damaged_page_is_not_exported(tmp_path: Path) -> None:
    database = take(pack(list_files()), tmp_path)
    path = list_pages(database.pages)[0]
    path.write_text("no page")
    with pytest.raises(RefusedError):
        export(database)


def test_project_keywords_are_exported(tmp_path: Path) -> None:
    database = take(pack(list_files()), tmp_path)
    shared = choose_export(database, ["saturn"])
    assert shared.manifest.recipe.keywords == ("saturn",)


def test_index_and_work_folder_are_not_exported(tmp_path: Path) -> None:
    database = take(pack(list_files()), tmp_path)
    shutil.copy(database.folder / "database.json", database.pages / "index.json")
    archive: Archive = read(export(database)[1])
    assert archive.manifest.pages == describe().pages
