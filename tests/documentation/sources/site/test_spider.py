"""The spider requests pages in a deterministic order."""

import asyncio
from pathlib import Path

import pytest
from scrapy.http import HtmlResponse

from hookwright_documentation.pages import FetchedPage
from hookwright_documentation.sources.registry import CrawlOptions
from hookwright_documentation.sources.results import PageStore
from hookwright_documentation.sources.site.addresses import ConnectionRules
from hookwright_documentation.sources.site.scope import Scope
from hookwright_documentation.sources.site.spider import DocumentationSpider, describe_gaps

SITE = "https://docs.example.org/"


def respond(path: str, link: str) -> HtmlResponse:
    headers = {"Content-Type": "text/html"}
    return HtmlResponse(SITE + path, headers=headers, body=f"<a href={link}>{path}</a>".encode())


@pytest.fixture
def spider(tmp_path: Path) -> DocumentationSpider:
    store, rules = PageStore(tmp_path), ConnectionRules(("docs.example.org", 443))
    options = CrawlOptions(SITE, max_pages=10)
    spider = DocumentationSpider(store, rules, options, lambda *_: None)
    spider.scope = Scope(SITE)
    return spider


def test_nearest_pages_are_crawled_first(spider: DocumentationSpider) -> None:
    (near,) = spider.parse(respond("b", "near"), depth=1)
    (far,) = spider.parse(respond("c", "far"), depth=4)
    assert near.priority > far.priority


def test_sitemap_is_fetched_once(
    spider: DocumentationSpider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hookwright_documentation.sources.site.spider.MAX_LISTED", 2)
    index = "".join(f"<loc>{name}.xml</loc>" for name in ("a", "index", "a", "b") * 60)
    bodies = {
        "index.xml": f"<sitemapindex>{index}",
        "a.xml": "<loc>/1</loc><loc>/2</loc><loc>/3</loc>",
        "b.xml": "<loc>/4</loc>",
    }
    requested = []

    async def fetch(url: str) -> FetchedPage:
        requested.append(url)
        return FetchedPage(url, "", bodies[url.removeprefix(SITE)].encode())

    monkeypatch.setattr(spider, "_fetch", fetch)
    urls = asyncio.run(spider.read_sitemaps([f"{SITE}index.xml"]))
    assert sorted(requested) == [f"{SITE}{name}" for name in sorted(bodies)]
    assert urls == [f"{SITE}1", f"{SITE}2"]


def test_known_addresses_are_limited(
    spider: DocumentationSpider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hookwright_documentation.sources.site.spider.MIN_KNOWN", 0)
    links = "".join(f"<a href=/p{n}>" for n in range(150))
    page = HtmlResponse(f"{SITE}b", headers={"Content-Type": "text/html"}, body=links.encode())
    assert len(list(spider.parse(page))) == 100  # ten times the page limit is allowed
    assert describe_gaps(spider) == [
        "over 100 addresses: the rest left out (narrow it with --prefix)"
    ]
