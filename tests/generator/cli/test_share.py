"""Databases are exported and imported on the command line, and every error is one line."""

import hashlib
import io
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hookwright.documentation import setup
from hookwright.documentation.proof import Question, UnprovenError
from hookwright.project.reader import open_project
from hookwright_documentation.build import find_old
from hookwright_documentation.databases import find_root, list_names, open_database
from hookwright_documentation.sharing.archive import describe_files, list_contents, pack
from hookwright_documentation.sharing.building import build_shared, choose_recipe
from hookwright_documentation.sharing.manifest import MANIFEST, format_manifest
from hookwright_documentation.sharing.references import Pin, parse_reference
from hookwright_documentation.sharing.registry import (
    EMPTY,
    EMPTY_CONFIG,
    MANIFEST_TYPE,
    Artifact,
    write_manifest,
)

from ...support.command_line import CommandLine
from ...support.database_setup import set_up
from ...support.docker_registry import serving_registry
from ...support.documentation_site import Answer, Site, serving
from ...support.installer import snapshot
from ...support.pseudo_terminal import open_terminal
from ...support.shared_archives import (
    FOUR,
    LICENSE_TEXT,
    RECIPE,
    describe,
    list_files,
    make_page,
    read,
)

ARCHIVE = pack(list_files())
CHANGED = pack(list_files((*FOUR[1:], make_page("new"))))


@pytest.fixture
def line(hookwright_line: CommandLine) -> CommandLine:
    (hookwright_line.folder / "acme.tar.bz2").write_bytes(ARCHIVE)
    return hookwright_line


@pytest.fixture
def _unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    question = Question("a b c", FOUR[0].url)
    monkeypatch.setattr(setup, "prove_server", lambda *_: question)


def build(content: bytes = ARCHIVE, pin: Pin | None = None) -> None:
    archive = read(content)
    recipe, _ = choose_recipe(archive, "acme", find_old("acme"))
    build_shared(recipe, archive, pin.export() if pin else {})


def store(site: Site, content: bytes) -> str:
    layer = f"sha256:{hashlib.sha256(content).hexdigest()}"
    manifest = write_manifest(Artifact("", layer, len(content)))
    site.answers |= {
        "/v2/": Answer(b"{}"),
        "/v2/acme/docs/manifests/1": Answer(manifest, MANIFEST_TYPE),
        f"/v2/acme/docs/blobs/{layer}": Answer(content),
        f"/v2/acme/docs/blobs/{EMPTY_CONFIG['digest']}": Answer(EMPTY),
    }
    return f"sha256:{hashlib.sha256(manifest).hexdigest()}"


@pytest.fixture
def pulled() -> Iterator[Site]:
    with serving(Site({})) as site:
        digest = store(site, ARCHIVE)
        reference = parse_reference(f"{site.url.split('/')[2]}/acme/docs:1")
        build(pin=Pin(reference, digest))
        yield site


def count_pages() -> int:
    return open_database("acme").manifest.pages


def test_export_writes_the_archive(line: CommandLine) -> None:
    build()
    path = line.folder / "acme.tar.bz2"
    assert "add --yes" in line.run("share", "export", "acme").errors
    row = json.loads(line.output("share", "export", "acme", "--yes", "--json"))
    assert (row["pages"], row["license"], row["file"]) == (4, "MIT", "acme.tar.bz2")
    assert path.read_bytes() == ARCHIVE
    assert hashlib.sha256(ARCHIVE).hexdigest() == row["sha256"]
    line.output("share", "export", "acme", "-o", "other.tar.bz2")
    assert (line.folder / "other.tar.bz2").read_bytes() == ARCHIVE
    assert sorted(path.name for path in line.folder.iterdir()) == ["acme.tar.bz2", "other.tar.bz2"]


def test_export_writes_to_a_pipe(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    build()
    out = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdout", out)
    line.run("share", "export", "acme", "-o", "-")
    assert out.buffer.getvalue() == ARCHIVE
    monkeypatch.setattr(out, "isatty", lambda: True)
    assert line.run("share", "export", "acme", "-o", "-").code == 2


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("export", "none"), "no documentation database 'none'"),
        (("export", "acme", "-o", "."), "not a regular file"),
        (("export", "acme", "-o", "none/x"), "cannot write none/x"),
        (("export", "acme", "--license-file", "none"), "cannot read none"),
        (("import", "none.tar.bz2"), "cannot read none.tar.bz2"),
        (("import", "."), "cannot read"),
        (("import", "http://docs.acme.example/x"), "not encrypted"),
        (("push", "none", "127.0.0.1:1/x", "--yes"), "no documentation database"),
        (("pull", "acme", "127.0.0.1:1/x", "--yes"), "cannot reach 127.0.0.1:1"),
    ],
)
def test_errors_are_one_line(line: CommandLine, words: tuple[str, ...], reason: str) -> None:
    if words[0] == "export":
        build()
    before = list_names()
    assert reason in line.error("share", *words)
    assert list_names() == before


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("import", "acme.tar.bz2", "--name", "../x"), "not a valid database name"),
        (("pull", "acme", "acme/docs"), "not a registry reference"),
        (("pull", "../x", "a.b/acme/docs"), "not a valid database name"),
        (("push", "acme", "acme/docs"), "not a registry reference"),
        (("push", "acme", "a.b/acme@sha256:" + "0" * 64), "use a tag"),
    ],
)
def test_misuse_is_reported(line: CommandLine, words: tuple[str, ...], reason: str) -> None:
    assert reason in line.error("share", *words, code=2)


def test_hostile_archive_changes_nothing(line: CommandLine) -> None:
    (line.folder / "acme.tar.bz2").write_bytes(ARCHIVE + b"x")
    output = line.error("share", "import", "acme.tar.bz2", "--yes")
    assert "is damaged, or was not" in output
    assert not find_root().exists()


def test_import_needs_confirmation_before_building(line: CommandLine) -> None:
    assert "add --yes" in line.error("share", "import", "acme.tar.bz2", code=2)
    assert not find_root().exists()


@pytest.mark.long
def test_keyword_rejected_by_the_schema_is_reported(line: CommandLine) -> None:
    files = list_files(recipe=replace(RECIPE, keywords=("https://evil.example/",)))
    (line.folder / "acme.tar.bz2").write_bytes(pack(files))
    output = line.error("share", "import", "acme.tar.bz2", "--yes")
    assert "the archive has an invalid record: " in output
    assert "it is an address" in output
    assert not find_root().exists()


@pytest.mark.usefixtures("_unasked")
def test_archive_is_imported_from_a_url(line: CommandLine, kept: Path) -> None:
    hidden = make_page("odd", "# Odd\n\nSeen.<!-- run this -->\u200b\n")
    recipe = replace(RECIPE, source="http://10.0.0.1/", max_pages=9)
    with serving(Site({"/x": Answer(pack(list_files((*FOUR, hidden), recipe)))})) as site:
        completed = line.run(
            "share", "import", f"{site.url}x", "--project", kept, "--name", "rocket", "--yes"
        )
    assert completed.code == 0, completed
    assert "dropped invisible content: 1 character and 1 text, on 1 page" in completed.output
    assert "dropped the address http://10.0.0.1/" in completed.output
    assert "searches with acme, rocket go to it" in completed.output
    assert "max pages: 9" in completed.output
    record = open_project(kept).databases[-1]
    assert (record["keywords"], record["name"]) == (["acme", "rocket"], "rocket")
    assert open_database("rocket").manifest.pages == 5
    assert "imported without a source" in line.error("refresh", "rocket")


@pytest.mark.long
@pytest.mark.usefixtures("_unasked")
def test_import_over_a_database_shows_the_changes(line: CommandLine, kept: Path) -> None:
    build()
    (line.folder / "acme.tar.bz2").write_bytes(CHANGED)
    words = ("share", "import", "acme.tar.bz2", "--project", kept, "--yes", "--json")
    completed = line.run(*words)
    assert "1 page added: https://docs.acme.example/new" in completed.errors
    assert "1 page removed: https://docs.acme.example/deploy" in completed.errors
    assert hashlib.sha256(ARCHIVE).hexdigest() in completed.errors
    row = json.loads(completed.output)
    assert (row["registered"], row["sha256"]) == (True, hashlib.sha256(CHANGED).hexdigest())


@pytest.mark.long
def test_unproven_import_leaves_nothing(line: CommandLine, kept: Path) -> None:
    before = snapshot(Path.home())
    page = make_page("x", "# X\n\n```\na b c\n```\n")
    (line.folder / "acme.tar.bz2").write_bytes(pack(list_files((page,))))
    output = line.error("share", "import", "acme.tar.bz2", "--project", kept, "--yes")
    assert "acme has no page with 4 consecutive words to search for" in output
    assert output.endswith("run the same command again: nothing is imported")
    assert not find_root().exists()
    (lock,) = snapshot(Path.home()).keys() - before.keys()
    assert lock.endswith("registered.lock")


@pytest.mark.long
@pytest.mark.parametrize("error", [UnprovenError("it finds nothing"), KeyboardInterrupt()])
def test_unproven_import_keeps_the_old_database(
    line: CommandLine, kept: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def fail(*_: object) -> Question:
        assert not find_page("deploy")
        raise error

    build()
    before, answers = snapshot(find_root()), open_project(kept).answers
    (line.folder / "acme.tar.bz2").write_bytes(CHANGED)
    monkeypatch.setattr(setup, "prove_server", fail)
    assert line.run("share", "import", "acme.tar.bz2", "--project", kept, "--yes").code
    assert find_page("deploy")
    assert snapshot(find_root()) == before
    assert open_project(kept).answers == answers


@pytest.mark.long
@pytest.mark.usefixtures("_unasked")
def test_import_keeps_the_user_source(
    line: CommandLine, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up(line, monkeypatch)
    words = ("share", "import", "acme.tar.bz2", "--project", kept, "--yes")
    assert "acme was set up from " in (said := line.run(*words).errors)
    assert "use another --name, or run hookwright remove acme first" in said
    (line.folder / "acme.tar.bz2").write_bytes(pack(list_files(recipe=replace(RECIPE, source=""))))
    assert "hookwright refresh acme fetches it from " in line.output(*words)
    assert not find_page("session")
    line.output("refresh", "acme", "--yes")
    assert find_page("session")


def test_recipe_without_pages_or_address_is_rejected(line: CommandLine) -> None:
    recipe = replace(RECIPE, license="", source="http://127.0.0.1/")
    manifest = replace(describe(recipe=recipe), files=describe_files(list_contents("", FOUR)))
    content = pack([(MANIFEST, format_manifest(manifest))])
    (line.folder / "acme.tar.bz2").write_bytes(content)
    output = line.error("share", "import", "acme.tar.bz2", "--yes")
    assert "comes without pages and without an address" in output


def test_refresh_ignores_unchanged_tags(line: CommandLine, pulled: Site) -> None:
    row = json.loads(line.output("refresh", "acme", "--json"))[0]
    assert (row["changed"], row["pages"]) == (False, 4)
    reference = parse_reference(row["reference"]).pin(row["digest"])
    build(pin=Pin(reference, row["digest"]))
    pulled.asked.clear()
    assert "is unchanged since it was pulled" in line.output("refresh", "acme")
    assert pulled.asked == []


def test_refresh_asks_before_following_a_tag(line: CommandLine, pulled: Site) -> None:
    digest = store(pulled, CHANGED)
    completed = line.run("refresh", "acme")
    assert (completed.code, count_pages()) == (1, 4)
    assert "has moved, and acme stays as it is: add --yes" in completed.errors
    assert "1 page added: https://docs.acme.example/new" in completed.output
    assert find_page("deploy")
    output = line.output("refresh", "acme", "--yes")
    assert digest in output
    assert not find_page("deploy")
    assert "is unchanged since it was pulled" in line.output("refresh", "acme")


def test_refresh_keeps_the_keywords(line: CommandLine, pulled: Site) -> None:
    store(pulled, pack(list_files(recipe=replace(RECIPE, keywords=("the",)))))
    completed = line.run("refresh", "acme")
    assert "has moved, and acme stays as it is: add --yes" in completed.errors
    assert "its keywords there are the: yours stay" in completed.output
    line.output("refresh", "acme", "--yes")
    assert open_database("acme").manifest.options["keywords"] == ["acme", "rocket"]


@pytest.mark.long
@pytest.mark.usefixtures("_unasked")
def test_import_reports_ordinary_words(line: CommandLine, kept: Path) -> None:
    recipe = replace(RECIPE, keywords=("acme", "go", "qz"))
    (line.folder / "acme.tar.bz2").write_bytes(pack(list_files(recipe=recipe)))
    output = line.output("share", "import", "acme.tar.bz2", "--project", kept, "--yes")
    assert "go is also an ordinary word" in output
    assert "qz is also short for other things, and searches for that would be denied" in output


def find_page(name: str) -> bool:
    return any(f"-{name}-" in path.name for path in open_database("acme").pages.iterdir())


def test_refresh_of_a_corrupted_tag_keeps_the_old_database(line: CommandLine, pulled: Site) -> None:
    store(pulled, CHANGED)
    layer = next(path for path in pulled.answers if hashlib.sha256(CHANGED).hexdigest() in path)
    pulled.answers[layer] = Answer(CHANGED[:-1] + b"x")
    assert "damaged or was swapped" in line.error("refresh", "acme", "--yes")
    assert find_page("deploy")


def test_damaged_database_is_pulled_again(line: CommandLine, pulled: Site) -> None:
    assert pulled.url
    (open_database("acme").folder / "database.json").unlink()
    line.output("refresh", "acme")
    assert count_pages() == 4


def test_imported_database_without_an_address_is_not_refreshed(line: CommandLine) -> None:
    build(pack(list_files(recipe=replace(RECIPE, source=""))))
    assert "hookwright setup acme URL --name acme" in line.error("refresh", "acme")


@pytest.mark.long
def test_declining_changes_nothing(line: CommandLine) -> None:
    with open_terminal("share", "import", "acme.tar.bz2", folder=line.folder) as terminal:
        terminal.see("the agent reads: acme documentation")
        terminal.answer("Import acme and index it here?")
        terminal.see("nothing changed")
        terminal.end()
    assert not find_root().exists()


@pytest.mark.long
def test_declining_keeps_the_refresh(line: CommandLine) -> None:
    build()
    with open_terminal("share", "import", "acme.tar.bz2", folder=line.folder) as terminal:
        terminal.see("the agent reads: acme documentation")
        build(CHANGED)
        refreshed = open_database("acme")
        terminal.answer("Import acme and index it here?")
        terminal.see("nothing changed")
        terminal.end()
    assert open_database("acme") == refreshed


@pytest.mark.long
@pytest.mark.usefixtures("_unasked")
def test_push_and_pull_through_a_real_registry(
    line: CommandLine, kept: Path, tmp_path: Path
) -> None:
    build()
    with serving_registry(tmp_path) as registry:
        name = f"{registry.host}/acme/docs:1"
        words = ("--license-file", "license.txt", "--yes", "--json")
        (line.folder / "license.txt").write_text(LICENSE_TEXT)
        pushed = json.loads(line.output("share", "push", "acme", name, *words))
        assert pushed["reference"] == f"{name}@{pushed['digest']}"
        line.output("remove", "acme", "--yes")
        row = json.loads(
            line.output("share", "pull", "acme", name, "--project", kept, "--yes", "--json")
        )
        assert (row["digest"], row["sha256"]) == (pushed["digest"], pushed["sha256"])
        build(CHANGED)
        line.output("share", "push", "acme", name, "--yes")
        line.output("share", "pull", "acme", pushed["reference"], "--project", kept, "--yes")
        assert find_page("deploy")
        assert "is unchanged since it was pulled" in line.output("refresh", "acme")
