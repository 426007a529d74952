"""An llms-full.txt source is split into pages."""

from dataclasses import replace
from pathlib import Path

import pytest

from hookwright_console.errors import ReportedError
from hookwright_documentation.sources.child_process import crawl
from hookwright_documentation.sources.registry import CrawlOptions
from hookwright_documentation.sources.results import read_fetched

from ...support.crawling import crawl_here
from ...support.documentation_site import Answer, Site, serving

WORDS = "How to configure, extend, test and deploy it is told here at some length. " * 9


def write_text(address: str = "", titles: int = 4) -> str:
    return "".join(
        f"# Page {number}\n{address and f'Source: {address}p{number}'}\n\n{WORDS}\n\n"
        f"```\n# no title\n```\n\n## More\n\n{WORDS}\n\n"
        for number in range(titles)
    )


def test_titles_separate_pages(tmp_path: Path) -> None:
    path = tmp_path / "acme.txt"
    path.write_text(write_text() + "# Page 0\n\nAgain.\n")
    report = crawl_here(CrawlOptions(str(path)), tmp_path / "work")
    pages = {page.url: page.body.decode() for page in read_fetched(tmp_path / "work")}
    base = f"{tmp_path.as_uri()}/llms-full.txt?page="
    names = ("page-0", "page-0-2", "page-1", "page-2", "page-3")
    assert list(pages) == [base + name for name in names]
    assert pages[f"{base}page-1"].startswith("# Page 1\n")
    assert "# no title" in pages[f"{base}page-1"]
    assert " into 5 pages of file:///" in report.choices[0]


def test_urls_listed_in_a_file_become_pages(tmp_path: Path) -> None:
    path = tmp_path / "llms-full.txt"
    text = write_text("https://docs.acme.example/guide/").replace(WORDS, "Set opt_1.")
    path.write_text(text)  # shorter than a site's would be
    report = crawl(CrawlOptions(str(path)), tmp_path / "work")
    urls = [page.url for page in read_fetched(tmp_path / "work")]
    assert urls == [f"https://docs.acme.example/guide/p{number}" for number in range(4)]
    assert report.prefix == "https://docs.acme.example/guide/"


@pytest.mark.long
def test_site_may_name_only_its_own_pages(tmp_path: Path) -> None:
    text = write_text("https://docs.python.org/3/")
    answers = {"/x/llms-full.txt": Answer(text.encode(), "text/plain")}
    with serving(Site(answers)) as site:
        report = crawl(CrawlOptions(f"{site.url}x/llms-full.txt", delay=0), tmp_path)
        assert report.prefix == f"{site.url}x/"
        urls = [page.url for page in read_fetched(tmp_path)]
        assert urls[0] == f"{site.url}x/llms-full.txt?page=page-0"
        own = write_text(f"{site.url}docs/").encode()
        site.answers["/x/llms-full.txt"] = Answer(own, "text/plain")
        options = CrawlOptions(f"{site.url}x/llms-full.txt", delay=0)
        assert crawl(options, tmp_path).prefix == f"{site.url}docs/"
        assert {path for path in site.asked if path != "/robots.txt"} == {"/x/llms-full.txt"}


@pytest.mark.parametrize("text", ["", "<html>" + "x" * 5_000, "word " * 5_000, "# A\n" * 2])
def test_other_file_is_rejected(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.txt"
    path.write_text(text)
    with pytest.raises(ReportedError, match="no documentation in markdown, with several headings"):
        crawl_here(CrawlOptions(str(path)), tmp_path / "work")


def test_limit_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text(write_text())
    report = crawl_here(replace(CrawlOptions(str(path)), max_pages=2), tmp_path / "work")
    assert (report.pages, report.notes) == (2, ("stopped at 2 of 4 pages (--max-pages)",))
