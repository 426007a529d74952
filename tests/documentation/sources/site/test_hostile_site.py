"""A site with every known crawler trap is crawled once, and only its documentation is collected."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from hookwright_documentation.sources.child_process import crawl
from hookwright_documentation.sources.registry import CrawlOptions, CrawlReport
from hookwright_documentation.sources.results import read_fetched, read_inventory

from ....support.documentation_site import Answer, Site, build_inventory, page, redirect, serving

BOMB = gzip.compress(bytes(30_000_000))
INVENTORY = build_inventory(
    "4.2", b"make.it py:function 1 api.html#$ -\nhidden std:label -1 listed.html#top -\n"
)
DEEP = b"<html lang=en><body>" + b"<div>" * 10_000
TAKEN = {
    "",
    "api.html",
    "changes.html",
    "deep.html",
    "from-llms.html",
    "from-refresh.html",
    "from-sitemap.html",
    "latin.html",
    "listed.html",
    "moved-here.html",
    "sub/",
    "topics/search.html",
    "wrong-charset.html",
}


def huge() -> Iterator[bytes]:
    for _ in range(1_000):
        yield b"x" * 1_000_000


def build_site() -> Site:
    months = {
        f"/docs/calendar?month={n}": page(f"Month {n}", f"/docs/calendar?month={n + 1}")
        for n in range(1, 100)
    }
    french = {f"/docs/fr/{n}": page(f"Page {n}", f"/docs/fr/{n + 1}", lang="fr") for n in range(9)}
    older = {f"/docs/{old}/guide.html": page(f"Guide {old}") for old in ("3.1", "3.2", "latest")}
    traps = [
        *("api.html#make.it", "api.html", "./sub/index.html", "sub/", "sub/?utm_source=mail"),
        *("sub/;jsessionid=77", "calendar?month=1", "fr/0", "de/0", "es/0", "3.1/guide.html"),
        *("3.2/guide.html", "latest/guide.html", "stable/guide.html", "changes.html"),
        *("genindex.html", "search.html", "topics/search.html", "_sources/api.html", "bomb.html"),
        *("huge.html", "endless.html", "deep.html", "latin.html", "wrong-charset.html"),
        *("moved.html", "loop-a", "off.html", "to-private.html", "to-port.html", "noindex.html"),
        *("tagged.html", "secret/x.html", "soft.html", "busy.html", "broken.html", "refresh.html"),
        *("/other/x.html", "http://[", "mailto:a@b", "javascript:void(0)", "data:text/html,x"),
        *(
            "manual.pdf",
            "picture",
            "nothing.html",
            "//evil.invalid/docs/x.html",
            "file:///etc/hosts",
        ),
    ]
    answers = {
        "/robots.txt": Answer(b"User-agent: *\nDisallow: /docs/secret/\n", "text/plain"),
        "/docs/": page("Home", *traps, text="welcome. " * 30),
        "/docs/objects.inv": Answer(INVENTORY, "application/octet-stream"),
        "/docs/llms.txt": Answer(
            b"# Docs\n- [A](from-llms.html)\n- [B](gone.md)\n- [C](http://10.0.0.1/docs/)\n",
            "text/plain",
        ),
        "/sitemap.xml": Answer(
            b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
            b"<urlset><url><loc>/docs/from-sitemap.html</loc></url><url><loc>&e;</loc></url>"
            b"<url><loc>http://127.0.0.2/docs/y</loc></url></urlset>",
            "application/xml",
        ),
        "/docs/api.html": page("API", "/docs/", head='<base href="/docs/api.html">'),
        "/docs/sub/": page("Sub", "../api.html"),
        "/docs/listed.html": page("Listed by objects.inv alone"),
        "/docs/from-llms.html": page("Listed by llms.txt alone"),
        "/docs/from-sitemap.html": page("Listed by the sitemap alone"),
        "/docs/changes.html": page("Changes"),
        "/docs/genindex.html": page("Index"),
        "/docs/search.html": page("Search"),
        "/docs/topics/search.html": page("How to search"),
        "/docs/_sources/api.html": page("Source of the API"),
        "/docs/bomb.html": Answer(BOMB, headers={"Content-Encoding": "gzip"}),
        "/docs/huge.html": Answer(b"x", headers={"Content-Length": "1000000000"}),
        "/docs/endless.html": Answer(huge),
        "/docs/deep.html": Answer(DEEP),
        "/docs/latin.html": Answer("<html lang=en>Grüße an alle".encode("latin-1"), "text/html"),
        "/docs/wrong-charset.html": Answer(b"<html lang=en>text", "text/html; charset=utf-99"),
        "/docs/moved.html": redirect("moved-here.html", 301),
        "/docs/moved-here.html": page("Moved"),
        "/docs/loop-a": redirect("loop-b"),
        "/docs/loop-b": redirect("loop-a"),
        "/docs/off.html": redirect("/other/x.html"),
        "/docs/to-private.html": redirect("http://127.0.0.2:1/docs/x.html"),
        "/docs/to-port.html": redirect("http://127.0.0.1:1/docs/x.html"),
        "/other/x.html": page("Below another prefix"),
        "/docs/noindex.html": page("Not to keep", head='<meta name="ROBOTS" content="noindex">'),
        "/docs/tagged.html": Answer(
            page("Not to keep").body, headers={"X-Robots-Tag": "noindex, nofollow"}
        ),
        "/docs/secret/x.html": page("Forbidden"),
        "/docs/busy.html": Answer(b"later", status=429, headers={"Retry-After": "0"}),
        "/docs/broken.html": Answer(b"broken", status=500),
        "/docs/refresh.html": page(
            "Moved", head='<meta http-equiv="refresh" content="0; url=from-refresh.html">'
        ),
        "/docs/from-refresh.html": page("Reached by a refresh"),
        "/docs/picture": Answer(b"\x89PNG", "image/png"),
        "/docs/manual.pdf": Answer(b"%PDF", "application/pdf"),
        "/docs/stable/guide.html": page("Guide"),
        **{f"/docs/{code}/0": page("Seite", lang=code) for code in ("de", "es")},
        **(months | french | older),
    }
    return Site(answers, missing=page("This page could not be found"))


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with serving(build_site()) as served:
        yield served


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("work")


@pytest.fixture(scope="module")
def report(site: Site, folder: Path) -> CrawlReport:
    return crawl(CrawlOptions(f"{site.url}docs/", delay=0, max_depth=5), folder)


def list_paths(site: Site, folder: Path) -> set[str]:
    return {page.url.removeprefix(f"{site.url}docs/") for page in read_fetched(folder)}


def test_only_documentation_is_collected(site: Site, folder: Path, report: CrawlReport) -> None:
    paths = list_paths(site, folder)
    assert {path for path in paths if not path.startswith("calendar")} == TAKEN
    assert report.pages == len(paths)
    assert report.prefix == f"{site.url}docs/"


def test_endless_calendar_stops(site: Site, folder: Path, report: CrawlReport) -> None:
    calendar = {path for path in list_paths(site, folder) if path.startswith("calendar")}
    assert report.pages > len(calendar) == 5


def test_mirrors_are_rarely_requested(site: Site, report: CrawlReport) -> None:
    requested = [
        path for path in site.asked if path.startswith(("/docs/fr/", "/docs/3.", "/docs/la"))
    ]
    assert report.language == "en"
    assert len(requested) <= 1


def test_report_lists_the_choices(report: CrawlReport) -> None:
    notes = "\n".join(report.choices)
    assert report.version == "4.2"
    assert "language en (also there: de, es, fr): choose another with --language" in notes
    assert "version 4.2 (also there: 3.1, 3.2, latest, stable): choose another" in notes


def test_report_counts_missing_pages(report: CrawlReport) -> None:
    notes = "\n".join(report.notes)
    assert "1 page skipped because of robots.txt" in notes
    assert "5 pages not fetched, such as" in notes


def test_busy_server_is_retried(site: Site, report: CrawlReport) -> None:
    assert report.pages
    assert site.asked.count("/docs/busy.html") == site.asked.count("/docs/broken.html") == 3


def test_forbidden_pages_are_not_requested(site: Site, report: CrawlReport) -> None:
    assert report.pages
    assert not {"/docs/secret/x.html", "/docs/manual.pdf", "/docs/genindex.html"} & set(site.asked)


def test_inventory_contains_exact_addresses(site: Site, folder: Path, report: CrawlReport) -> None:
    assert report.pages
    named = {target.name: target.url for target in read_inventory(folder)}
    assert named["make.it"] == f"{site.url}docs/api.html#make.it"


def test_pages_are_decompressed_and_ordered(folder: Path, report: CrawlReport) -> None:
    pages = list(read_fetched(folder))
    assert [page.url for page in pages] == sorted(page.url for page in pages)
    assert len(pages) == report.pages
    latin = next(page for page in pages if page.url.endswith("latin.html"))
    assert latin.body.decode("latin-1") == "<html lang=en>Grüße an alle"
    assert latin.content_type == "text/html"
