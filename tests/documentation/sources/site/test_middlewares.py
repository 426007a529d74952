"""Page requests are conditional, and pages are kept if the site fails only temporarily."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest
from scrapy import signals
from scrapy.exceptions import DownloadCancelledError, DownloadTimeoutError, IgnoreRequest
from scrapy.http import Request, Response
from scrapy.robotstxt import PythonRobotParser
from scrapy.settings import Settings

from hookwright_documentation.sources.registry import CrawlOptions
from hookwright_documentation.sources.results import PageStore
from hookwright_documentation.sources.site.middlewares import (
    CACHED,
    OLD,
    OPENS,
    StoredPages,
    Throttle,
    read_wait,
)
from hookwright_documentation.sources.site.reactor import build_settings

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

URL = "https://docs.example.org/a"
STARTED = 1_000.0
SITE = "https://docs.example.org/"


@pytest.fixture
def store(tmp_path: Path) -> PageStore:
    return PageStore(tmp_path, STARTED)


@pytest.fixture
def pages(store: PageStore) -> StoredPages:
    store.put(URL, {"etag": '"1"'}, b"old", STARTED - 1)
    return StoredPages(SimpleNamespace(store=store))


def test_page_from_this_crawl_is_fresh(store: PageStore, pages: StoredPages) -> None:
    store.put(URL, {}, b"new", STARTED + 1)
    page = pages.process_request(Request(URL))
    assert page is not None
    assert (page.body, page.flags) == (b"new", [CACHED])


def test_older_page_is_requested_conditionally(store: PageStore, pages: StoredPages) -> None:
    request = Request(URL)
    assert pages.process_request(request) is None
    assert request.headers["If-None-Match"] == b'"1"'
    page = pages.process_response(request, Response(URL, status=304))
    assert (page.body, page.flags) == (b"old", [CACHED])
    stored = store.get(URL)
    assert stored is not None
    assert stored.checked > STARTED


@pytest.mark.parametrize(
    ("status", "meta", "kept"),
    [
        (503, {}, True),
        (429, {}, False),
        (429, {"retry_times": 2}, True),
        (404, {"retry_times": 2}, False),
        (429, {OPENS: True, "retry_times": 2}, False),
        (503, {OPENS: True}, False),
    ],
)
def test_page_is_kept_while_the_site_fails(
    pages: StoredPages, status: int, meta: dict[str, object], *, kept: bool
) -> None:
    request = Request(URL, meta=meta)
    pages.process_request(request)
    page = pages.process_response(request, Response(URL, status=status))
    assert page.flags == ([CACHED, OLD] if kept else [])


@pytest.mark.parametrize(
    ("error", "meta", "kept"),
    [
        (DownloadTimeoutError(), {}, True),
        (DownloadTimeoutError(), {OPENS: True}, False),
        (IgnoreRequest("forbidden"), {}, False),
        (DownloadCancelledError("too large"), {}, False),
    ],
)
def test_page_is_kept_while_the_site_is_unreachable(
    pages: StoredPages, error: Exception, meta: dict[str, object], *, kept: bool
) -> None:
    request = Request(URL, meta=meta)
    pages.process_request(request)
    page = pages.process_exception(request, error)
    assert (page is not None and page.flags == [CACHED, OLD]) == kept


def test_only_pages_are_stored_and_cache_control_is_ignored(
    store: PageStore, pages: StoredPages
) -> None:
    for status, body in [(500, b"broken"), (404, b"gone"), (200, b"new")]:
        answer = Response(
            URL, status=status, body=body, headers={"Cache-Control": "no-store", "ETag": "2"}
        )
        pages.process_response(Request(URL), answer)
        stored = store.get(URL)
        assert stored is not None
        assert stored.body == (body if status == 200 else b"old")
        assert stored.headers == {"etag": "2" if status == 200 else '"1"'}


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("3", 3.0), ("-1", 0.0), ("", 0.0), ("soon", 0.0), ("Mon, 01 Jan 2001 00:00:00 GMT", 0.0)],
)
def test_retry_after_is_respected(header: str, seconds: float) -> None:
    assert read_wait(header) == seconds


def test_retry_after_may_be_a_date() -> None:
    assert read_wait("Fri, 01 Jan 2100 00:00:00 GMT") > 1_000_000


class FakeCrawler:
    """The parts of a crawler that the throttle uses, with one delayed slot."""

    def __init__(self, delay: float = 0.0) -> None:
        self.slot = SimpleNamespace(delay=delay)
        self.engine = SimpleNamespace(downloader=SimpleNamespace(slots={"": self.slot}))
        self.settings = Settings(build_settings(CrawlOptions(SITE)))
        self.signals = self
        self.receivers: dict[object, Callable[..., None]] = {}

    def connect(self, receiver: Callable[..., None], signal: object) -> None:
        self.receivers[signal] = receiver

    def answer(self, url: str, status: int, latency: float) -> float:
        request = Request(url, meta={"download_latency": latency, "download_slot": ""})
        response = Response(url, status=status)
        self.receivers[signals.response_downloaded](response, request, None)
        return float(self.slot.delay)


def begin(delay: float) -> FakeCrawler:
    crawler = FakeCrawler(delay)
    Throttle(cast("Crawler", crawler))
    crawler.receivers[signals.spider_opened](None)
    return crawler


@pytest.mark.parametrize(("status", "after"), [(200, 0.2), (304, 0.2), (404, 0.3), (503, 0.3)])
def test_unchanged_page_lowers_the_delay(status: int, after: float) -> None:
    crawler = begin(0.3)
    assert crawler.answer(SITE, status, 0.2) == pytest.approx(after)


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost", "docs.localhost", "[::1]:81"])
def test_localhost_is_not_throttled(host: str) -> None:
    crawler = begin(0.25)
    assert crawler.answer(f"http://{host}/", 404, 2) == 0


@pytest.mark.parametrize("host", ["192.168.0.1", "localhost.example.org", "docs.local"])
def test_other_hosts_are_throttled(host: str) -> None:
    crawler = begin(0.25)
    assert crawler.answer(f"http://{host}/", 200, 2) == 1


def test_site_can_request_a_delay() -> None:
    crawler = begin(0)
    robots = PythonRobotParser(b"User-agent: *\nCrawl-delay: 2\n", None)
    crawler.receivers[signals.robots_parsed](robots)
    assert crawler.answer("http://127.0.0.1/", 200, 0.1) == 2
