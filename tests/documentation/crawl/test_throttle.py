"""A crawl goes as fast as its site answers, and does not spare this computer."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest
from scrapy import Request, signals
from scrapy.http import Response
from scrapy.settings import Settings

from hookwright_documentation.crawl.middlewares import Throttle
from hookwright_documentation.crawl.options import CrawlOptions
from hookwright_documentation.crawl.reactor import build_settings

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

SITE = "https://docs.example.org/"


class FakeCrawler:
    """What the throttle sees of a crawler, whose one slot has a delay."""

    def __init__(self, delay: float = 0.0) -> None:
        self.slot = SimpleNamespace(delay=delay)
        self.engine = SimpleNamespace(downloader=SimpleNamespace(slots={"": self.slot}))
        self.settings = Settings(build_settings(CrawlOptions(SITE), 0))
        self.signals = self
        self.receivers: dict[object, Callable[..., None]] = {}

    def connect(self, receiver: Callable[..., None], signal: object) -> None:
        self.receivers[signal] = receiver

    def answer(self, url: str, status: int, latency: float) -> float:
        request = Request(url, meta={"download_latency": latency, "download_slot": ""})
        response = Response(url, status=status)
        self.receivers[signals.response_downloaded](response, request, None)
        return float(self.slot.delay)


def begin(delay: float) -> tuple[FakeCrawler, Throttle]:
    crawler = FakeCrawler(delay)
    throttle = Throttle(cast("Crawler", crawler))
    crawler.receivers[signals.spider_opened](None)
    return crawler, throttle


@pytest.mark.parametrize(("status", "after"), [(200, 0.2), (304, 0.2), (404, 0.3), (503, 0.3)])
def test_unchanged_page_lowers_the_delay(status: int, after: float) -> None:
    """Not Modified counts like a page; an error does not make the crawl faster."""
    crawler, _ = begin(0.3)
    assert crawler.answer(SITE, status, 0.2) == pytest.approx(after)


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost", "docs.localhost", "[::1]:81"])
def test_this_computer_is_not_waited_for(host: str) -> None:
    crawler, _ = begin(0.25)
    assert crawler.answer(f"http://{host}/", 404, 2) == 0


@pytest.mark.parametrize("host", ["192.168.0.1", "localhost.example.org", "docs.local"])
def test_other_hosts_are_waited_for(host: str) -> None:
    crawler, _ = begin(0.25)
    assert crawler.answer(f"http://{host}/", 200, 2) == 1


def test_site_asks_for_a_delay() -> None:
    crawler, throttle = begin(0)
    throttle.mindelay = 0.5
    assert crawler.answer("http://127.0.0.1/", 200, 0.1) == 0.5
