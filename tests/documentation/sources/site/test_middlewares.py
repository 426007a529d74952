"""Page requests are conditional, and pages are kept if the site fails only temporarily."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest
from scrapy import signals
from scrapy.http import Request, Response
from scrapy.settings import Settings

from hookwright_documentation.sources.registry import CrawlOptions
from hookwright_documentation.sources.site.middlewares import (
    OLD,
    OPENS,
    ConditionalPolicy,
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
def policy() -> ConditionalPolicy:
    return ConditionalPolicy(Settings({"CRAWL_STARTED": STARTED}))


def test_page_from_this_crawl_is_fresh(policy: ConditionalPolicy) -> None:
    request = Request(URL, meta={"cache_timestamp": STARTED + 1})
    assert policy.is_cached_response_fresh(Response(URL), request)


def test_older_page_is_requested_conditionally(policy: ConditionalPolicy) -> None:
    request = Request(URL, meta={"cache_timestamp": STARTED - 1})
    cached = Response(URL, headers={"ETag": '"1"', "Cache-Control": "max-age=99999999"})
    assert not policy.is_cached_response_fresh(cached, request)
    assert request.headers["If-None-Match"] == b'"1"'


@pytest.mark.parametrize(
    ("status", "retries", "kept"),
    [(304, 0, True), (503, 0, True), (429, 0, False), (429, 2, True), (404, 2, False)],
)
def test_page_is_kept_while_the_site_fails(
    policy: ConditionalPolicy, status: int, retries: int, *, kept: bool
) -> None:
    request = Request(URL, meta={"retry_times": retries})
    answer = Response(URL, status=status)
    assert policy.is_cached_response_valid(Response(URL), answer, request) == kept


@pytest.mark.parametrize(("status", "flags"), [(304, []), (503, [OLD])])
def test_page_kept_after_an_error_is_flagged(
    policy: ConditionalPolicy, status: int, flags: list[str]
) -> None:
    cached = Response(URL)
    policy.is_cached_response_valid(cached, Response(URL, status=status), Request(URL))
    assert cached.flags == flags


@pytest.mark.parametrize("status", [429, 503])
def test_failing_start_page_is_not_served_from_the_cache(
    policy: ConditionalPolicy, status: int
) -> None:
    request = Request(URL, meta={OPENS: True, "retry_times": 2})
    assert not policy.is_cached_response_valid(Response(URL), Response(URL, status=status), request)


def test_cache_control_is_ignored(policy: ConditionalPolicy) -> None:
    no_store = Response(URL, headers={"Cache-Control": "no-store"})
    assert policy.should_cache_response(no_store, Request(URL))
    assert not policy.should_cache_response(Response(URL, status=500), Request(URL))


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
    crawler, _ = begin(0.3)
    assert crawler.answer(SITE, status, 0.2) == pytest.approx(after)


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost", "docs.localhost", "[::1]:81"])
def test_localhost_is_not_throttled(host: str) -> None:
    crawler, _ = begin(0.25)
    assert crawler.answer(f"http://{host}/", 404, 2) == 0


@pytest.mark.parametrize("host", ["192.168.0.1", "localhost.example.org", "docs.local"])
def test_other_hosts_are_throttled(host: str) -> None:
    crawler, _ = begin(0.25)
    assert crawler.answer(f"http://{host}/", 200, 2) == 1


def test_site_can_request_a_delay() -> None:
    crawler, throttle = begin(0)
    throttle.mindelay = 0.5
    assert crawler.answer("http://127.0.0.1/", 200, 0.1) == 0.5
