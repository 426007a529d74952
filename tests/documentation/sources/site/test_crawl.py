"""A crawl collects a site, resumes after interruptions, refreshes it and explains empty results."""

import dataclasses
import time
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path

import pytest

from hookwright_console.errors import ReportedError
from hookwright_documentation.sources.child_process import crawl
from hookwright_documentation.sources.registry import CrawlOptions
from hookwright_documentation.sources.results import read_fetched, read_inventory

from ....support.documentation_site import Answer, Site, build_inventory, page, redirect, serving

PAGES = {f"/{n}.html": page(f"Page {n}", f"/{n + 1}.html") for n in range(30)}


@pytest.fixture
def site() -> Iterator[Site]:
    with serving(Site({"/": page("Home", "/0.html"), **PAGES})) as served:
        yield served


def build_options(site: Site, **changes: object) -> CrawlOptions:
    options = CrawlOptions(site.url, delay=0, max_depth=100)
    return dataclasses.replace(options, **changes)  # type: ignore[arg-type]


def test_refresh_updates_changed_pages_and_keeps_unreached_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A forbidden robots.txt counts as missing; the current folder's settings are ignored."""
    folder = tmp_path / "here"
    folder.mkdir()
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = stolen\n")
    for name in ("stolen", "scrapy", "json", "lxml", "hookwright_documentation"):
        (folder / f"{name}.py").write_text("raise SystemExit('imported')\n")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("SCRAPY_SETTINGS_MODULE", "stolen")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    work = tmp_path / "work"
    answers = {"/": page("Home", "/0.html", "/29.html"), **PAGES}
    with serving(Site({**answers, "/robots.txt": Answer(status=403)})) as site:
        before = crawl(build_options(site), work)
        site.answers["/3.html"] = page("Page 3, revised", "/4.html")
        site.answers["/27.html"] = page("Page 27 without a link")
        site.answers["/29.html"] = Answer(status=500)
        after = crawl(build_options(site), work)
    texts = {page.url: page.body for page in read_fetched(work)}
    assert (before.pages, after.pages) == (31, 30)  # without /28.html
    assert b"revised" in texts[f"{site.url}3.html"]
    note = f"1 page not reached, such as {site.url}29.html: kept from an earlier crawl"
    assert note in after.notes
    with pytest.raises(ReportedError, match="connection refused"):
        crawl(build_options(site), work)
    assert len(list(read_fetched(work))) == 30


@pytest.mark.long
def test_limit_keeps_the_pages_that_are_listed_first(tmp_path: Path) -> None:
    links = [f"/{number:03}.html" for number in range(100)]
    answers = {"/": page("Home", *links), **{link: page(f"Page {link}") for link in links}}
    with serving(Site(answers)) as site:
        crawl(build_options(site, max_pages=30), tmp_path)
    kept = [fetched.url.removeprefix(site.url) for fetched in read_fetched(tmp_path)]
    assert max(kept) < "060.html"  # requests overlap


@pytest.mark.long
def test_sitemap_is_next_to_a_prefix_that_is_not_a_folder(tmp_path: Path) -> None:
    listed = "<urlset><url><loc>/docs/ab-2.html</loc></url></urlset>"
    answers = {"/docs/ab-1.html": page("One"), "/docs/ab-2.html": page("Two")}
    with serving(Site({**answers, "/docs/sitemap.xml": Answer(listed.encode())})) as site:
        options = build_options(site, source=f"{site.url}docs/ab-1.html")
        crawl(dataclasses.replace(options, prefix=f"{site.url}docs/ab-"), tmp_path)
    assert len(list(read_fetched(tmp_path))) == 2


@pytest.mark.long
def test_stopped_crawl_resumes(site: Site, tmp_path: Path) -> None:
    def stop(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        crawl(build_options(site, delay=0.02), tmp_path, stop)
    fetched = set(site.asked)
    site.asked.clear()
    assert crawl(build_options(site), tmp_path).pages == 31
    pages = {path for path in site.asked if path in PAGES}
    assert pages
    assert len(pages & fetched) <= 1  # only the request that was in progress is repeated


@pytest.mark.long
@pytest.mark.parametrize(
    ("changes", "limit"),
    [
        ({"max_pages": 5}, "stopped at 5 pages (--max-pages): there is more"),
        (
            {"max_bytes": 5_000},
            "stopped at 5,000 bytes (narrow it with --prefix): there is more",
        ),
    ],
)
def test_limit_ends_the_crawl(
    site: Site, tmp_path: Path, changes: dict[str, object], limit: str
) -> None:
    report = crawl(build_options(site, **changes), tmp_path)
    assert 2 <= report.pages <= 10
    assert limit in report.notes


BROKEN_OFF = {"Content-Length": "9", "Connection": "close"}
LOGIN = page("Sign in", text='<form><input type="password" name="p"></form>')
SHELL = Answer(b"<html><head><script src=/app.js></script></head><body><div id=root></div></body>")
PROBLEMS = {
    "nothing there": ({}, "HTTP 404: check the URL"),
    "robots forbid": (
        {"/": page("Home"), "/robots.txt": Answer(b"User-agent: *\nDisallow: /", "text/plain")},
        "robots.txt forbids a crawl",
    ),
    "robots fail": (
        {"/": page("Home"), "/robots.txt": Answer(b"", status=503)},
        r"robots.txt cannot be read \(HTTP 503\): try again later",
    ),
    "robots break off": (
        {"/": page("Home"), "/robots.txt": Answer(b"", headers=BROKEN_OFF)},
        r"robots.txt cannot be read \(no answer\): try again later",
    ),
    "robots never end": (
        {"/": page("Home"), "/robots.txt": Answer(lambda: repeat(b"# x\n" * 10_000))},
        r"robots.txt cannot be read \(no answer\): try again later",
    ),
    "no page": ({"/": Answer(b"%PDF", "application/pdf")}, "it is application/pdf, not a page"),
    "not to keep": (
        {"/": page("Home", head="<meta name=robots content=noindex>")},
        "no pages found below",
    ),
    "login elsewhere": ({"/": redirect("/login"), "/login": LOGIN}, "it asks for a login"),
    "JavaScript": ({"/": SHELL}, "empty without JavaScript"),
    "redirects": ({"/": redirect("/a"), "/a": redirect("/")}, "redirected over 10 times"),
    "private": ({"/": redirect("http://127.0.0.2:9/")}, ": 127.0.0.2 is not on the internet"),
    "too large": ({"/": Answer(b"x", headers={"Content-Length": "99000000"})}, "too large"),
}


@pytest.mark.long
@pytest.mark.parametrize("name", PROBLEMS)
def test_site_without_documentation_is_reported(tmp_path: Path, name: str) -> None:
    answers, problem = PROBLEMS[name]
    with serving(Site(answers)) as site, pytest.raises(ReportedError, match=problem) as error:
        crawl(build_options(site), tmp_path)
    assert "\n" not in str(error.value)


@pytest.mark.long
def test_refused_connection_is_reported(tmp_path: Path) -> None:
    with serving(Site({})) as site:
        pass
    with pytest.raises(ReportedError, match="connection refused"):
        crawl(build_options(site), tmp_path)


@pytest.mark.long
def test_single_documentation_file_is_enough(tmp_path: Path) -> None:
    parts = [f"# Page {n}\nSource: {{url}}p{n}\n\n{'word ' * 200}\n\n## More\n" for n in range(4)]
    site = Site({"/": page("Home", "/p1", "/p2")})
    with serving(site):
        text = "".join(parts).format(url=site.url)
        site.answers["/llms-full.txt"] = Answer(text.encode(), "text/plain")
        report = crawl(build_options(site), tmp_path)
        pages = list(read_fetched(tmp_path))
    assert report.pages == 4
    assert [page.url for page in pages] == [f"{site.url}p{n}" for n in range(4)]
    assert pages[1].body.startswith(b"# Page 1\n")


@pytest.mark.long
def test_robots_txt_sets_the_delay(tmp_path: Path) -> None:
    robots = Answer(b"User-agent: *\nCrawl-delay: 0.5\n", "text/plain")
    site = Site({"/robots.txt": robots, "/": page("Home", "/a", "/b"), "/a": page("A")})
    site.answers["/b"] = page("B")
    with serving(site):
        began = time.monotonic()
        assert crawl(CrawlOptions(site.url), tmp_path).pages == 3
    assert time.monotonic() - began > 0.5 * 6  # includes requests for llms.txt and similar files


@pytest.mark.long
def test_inventory_above_the_prefix_is_read(tmp_path: Path) -> None:
    names = b"a py:function 1 lib/a.html#$ -\nb py:function 1 api/b.html#$ -\n"
    answers = {f"/lib/{name}": page(f"Page {name}", "/lib/a.html") for name in ("", "a.html")}
    answers["/objects.inv"] = Answer(build_inventory("3.1", names), "application/octet-stream")
    with serving(Site(answers)) as site:
        report = crawl(CrawlOptions(f"{site.url}lib/", delay=0), tmp_path)
    assert report.version == "3.1"
    assert [target.url for target in read_inventory(tmp_path)] == [f"{site.url}lib/a.html#a"]


@pytest.mark.long
def test_concurrent_requests_are_limited(tmp_path: Path) -> None:
    now: set[str] = set()
    most: list[int] = []

    def answer(path: str) -> Answer:
        text = page(path, "/index.html").body

        def send() -> Iterator[bytes]:
            now.add(path)
            most.append(len(now))
            time.sleep(0.01)
            yield text if isinstance(text, bytes) else b""
            now.remove(path)

        return Answer(send)

    paths = [f"/{number}.html" for number in range(40)]
    answers = {"/": page("Start", *paths)} | {path: answer(path) for path in paths}
    with serving(Site(answers)) as site:
        assert crawl(CrawlOptions(site.url), tmp_path).pages == 41
    assert max(most) <= 4
