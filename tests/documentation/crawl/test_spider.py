"""The spider asks for pages in an order that does not depend on chance."""

from pathlib import Path

from scrapy.http import HtmlResponse

from hookwright_documentation.crawl import CrawlOptions
from hookwright_documentation.crawl.connection_rules import ConnectionRules
from hookwright_documentation.crawl.markup import Markup
from hookwright_documentation.crawl.markup_memory import MarkupMemory
from hookwright_documentation.crawl.opening import OpenedSource
from hookwright_documentation.crawl.page_store import PageStore
from hookwright_documentation.crawl.scope import Scope
from hookwright_documentation.crawl.spider import DocumentationSpider

SITE = "https://docs.example.org/"


def respond(path: str, link: str) -> HtmlResponse:
    """Return a page with a link."""
    headers = {"Content-Type": "text/html"}
    return HtmlResponse(SITE + path, headers=headers, body=f"<a href={link}>{path}</a>".encode())


def test_nearest_pages_come_first(tmp_path: Path) -> None:
    """A page is asked for before those that are further from the source."""
    store, rules = PageStore(tmp_path), ConnectionRules(("docs.example.org", 443))
    options, memory = CrawlOptions(SITE), MarkupMemory(tmp_path)
    spider = DocumentationSpider(options, store, memory, rules, lambda *_: None)
    spider.opened = OpenedSource(respond("", "a"), Markup(), Scope(SITE))
    (near,) = spider.parse(respond("b", "near"), depth=1)
    (far,) = spider.parse(respond("c", "far"), depth=4)
    assert near.priority > far.priority
