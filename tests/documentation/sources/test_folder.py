"""A folder of HTML or markdown is collected like a site."""

import os
import sys
from pathlib import Path

import pytest

from hookwright_console.errors import ReportedError
from hookwright_documentation.sources.child_process import crawl
from hookwright_documentation.sources.registry import CrawlOptions
from hookwright_documentation.sources.results import read_fetched, read_inventory

from ...support.documentation_site import build_inventory

INVENTORY = build_inventory("1.5", b"make.it py:function 1 api/a%20b.html#$ -\n")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "html"
    for name in (
        *("index.html", "api/a b.html", "guide.md", "genindex.html", "_sources/x.md", ".git/y.md"),
        *("fr/a.html", "de/a.html", "es/a.html", "picture.png", "_static/z.html"),
    ):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"<html lang=en>{name}")
    (folder / "objects.inv").write_bytes(INVENTORY)
    (tmp_path / "secret.html").write_text("secret")
    (folder / "link.html").symlink_to(tmp_path / "secret.html")
    return folder


def test_folder_is_collected(source: Path, tmp_path: Path) -> None:
    report = crawl(CrawlOptions(str(source)), tmp_path / "work")
    pages = {page.url: page for page in read_fetched(tmp_path / "work")}
    base = source.as_uri()
    assert list(pages) == [f"{base}/api/a%20b.html", f"{base}/guide.md", f"{base}/index.html"]
    assert pages[f"{base}/guide.md"].content_type.startswith("text/markdown")
    assert (report.prefix, report.language, report.version) == (f"{base}/", "en", "1.5")
    assert [entry.url for entry in read_inventory(tmp_path / "work")] == [
        f"{base}/api/a%20b.html#make.it"
    ]


def test_third_party_folders_are_skipped(source: Path, tmp_path: Path) -> None:
    for name in ("node_modules/a/readme.md", "docs/vendor/b.md"):
        path = source / name
        path.parent.mkdir(parents=True)
        path.write_text("# Not ours")
    report = crawl(CrawlOptions(str(source)), tmp_path / "work")
    assert report.pages == 3
    assert "skipped third-party folders: node_modules, docs/vendor" in report.notes


@pytest.mark.parametrize(
    ("body", "is_kept"),
    [
        (bytes(range(1, 256)) * 4, False),
        (b"\x7fELF\0\0", False),
        ("# Größe".encode("latin-1"), True),
        ("# Größe".encode("utf-16"), True),
        ("# 大きさ".encode("shift-jis"), True),
    ],
)
def test_only_text_is_collected(
    source: Path, tmp_path: Path, body: bytes, *, is_kept: bool
) -> None:
    (source / "odd.md").write_bytes(body)
    report = crawl(CrawlOptions(str(source)), tmp_path / "work")
    assert report.pages == 3 + is_kept
    assert ("1 page left out, such as odd.md: not text" in report.notes) != is_kept


def test_prefix_sets_the_addresses(source: Path, tmp_path: Path) -> None:
    options = CrawlOptions(str(source), prefix="https://docs.example.org/x")
    crawl(options, tmp_path / "work")
    urls = [page.url for page in read_fetched(tmp_path / "work")]
    assert urls[0] == "https://docs.example.org/x/api/a%20b.html"


def test_changed_file_is_read_again(source: Path, tmp_path: Path) -> None:
    crawl(CrawlOptions(str(source)), tmp_path / "work")
    (source / "guide.md").write_text("changed")
    assert crawl(CrawlOptions(str(source)), tmp_path / "work").pages == 3
    assert b"changed" in [page.body for page in read_fetched(tmp_path / "work")]


@pytest.mark.parametrize(
    ("limit", "named"), [({"max_pages": 1}, "--max-pages"), ({"max_bytes": 9}, "22 bytes")]
)
def test_limit_is_reported(source: Path, tmp_path: Path, limit: dict[str, int], named: str) -> None:
    report = crawl(CrawlOptions(str(source), **limit), tmp_path / "work")  # type: ignore[arg-type]
    assert report.pages == 1
    assert f"stopped at 1 of 3 pages ({named})" in report.notes


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("missing", "no such folder"),
        ("empty", "no HTML, markdown or reStructuredText"),
        ("binary", "1 page left out, such as odd.md: not text: use a folder"),
    ],
)
def test_folder_without_pages_is_reported(tmp_path: Path, name: str, problem: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "binary").mkdir()
    (tmp_path / "binary" / "odd.md").write_bytes(b"\0")
    with pytest.raises(ReportedError, match=problem):
        crawl(CrawlOptions(str(tmp_path / name)), tmp_path / "work")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_undecodable_name_is_skipped(source: Path, tmp_path: Path) -> None:
    for name in (b"caf\xe9.html", b"caf\xe9/x.html"):
        path = Path(os.fsdecode(os.fsencode(source) + b"/" + name))
        path.parent.mkdir(exist_ok=True)
        path.write_text("page")
    report = crawl(CrawlOptions(str(source)), tmp_path / "work")
    assert report.pages == 3
    assert "2 pages left out, such as caf\\udce9.html: the name is not UTF-8" in report.notes
