"""Extend Scrapy: robots.txt, Retry-After, throttling, private hosts and stored pages.

Pages that this crawl has already fetched are fresh, so that a killed crawl can resume. All other
pages are requested again with the site's validators.
"""

import asyncio
import time
from contextlib import suppress
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from scrapy import signals
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.downloadermiddlewares.retry import RetryMiddleware
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadTimeoutError,
    IgnoreRequest,
)
from scrapy.extensions.throttle import AutoThrottle
from scrapy.http import Headers, Request, Response
from scrapy.responsetypes import responsetypes

from hookwright_documentation.sources.results import KEPT_HEADERS
from hookwright_documentation.sources.site.addresses import is_loopback, is_private_name
from hookwright_documentation.sources.site.failures import NO_ANSWER, is_untrusted
from hookwright_documentation.sources.site_files import MAX_ROBOTS
from hookwright_documentation.sources.urls import find_origin

if TYPE_CHECKING:
    from scrapy.core.downloader import Slot
    from scrapy.crawler import Crawler
    from scrapy.robotstxt import RobotParser
    from typing_extensions import Self


RETRIED = (429, 503)
# Errors after which nothing can be fetched from a host; the first page reports the reason.
OUT_OF_REACH = (CannotResolveHostError, DownloadConnectionRefusedError, IgnoreRequest)
MAX_WAIT = 120.0  # maximum seconds that a site may ask the crawler to wait
MAX_DELAY = 30.0  # seconds that robots.txt may require between requests
FORBID_ALL = b"User-agent: *\nDisallow: /\n"
NOT_MODIFIED = 304
OK, CLIENT_ERROR, BUSY, SERVER_ERROR = 200, 400, 429, 500
RETRIES = 2
CONDITIONS = {"etag": "If-None-Match", "last-modified": "If-Modified-Since"}
CACHED = "cached"  # flag for a stored page; in a request's meta: the page until the site responds
OLD = "old"  # flag for a stored page that is used because the site does not respond
OPENS = "opens"  # in a request's meta: the response shows whether the site exists


class PatientRetries(RetryMiddleware):
    """Retries after the delay that a busy server requests, unless the delay is too long.

    By RFC 9309, a missing robots.txt allows everything, and a failing server nothing.
    """

    async def process_response(  # type: ignore[override]
        self, request: Request, response: Response
    ) -> Request | Response:
        if response.status in RETRIED:
            await asyncio.sleep(min(read_wait(read_header(response, "Retry-After")), MAX_WAIT))
        result = super().process_response(request, response)
        if isinstance(result, Request) or not request.meta.get("dont_obey_robotstxt"):
            return result
        cast("Any", self.crawler.spider).robots_status = result.status
        rules = b"" if result.status >= CLIENT_ERROR else result.body[:MAX_ROBOTS]
        return result.replace(body=FORBID_ALL if result.status >= SERVER_ERROR else rules)

    def process_exception(  # type: ignore[override]
        self, request: Request, exception: Exception
    ) -> Request | Response | None:
        """Return the request to retry, or None; an unreachable robots.txt forbids all pages."""
        is_slow = isinstance(exception, DownloadTimeoutError)
        again = None if is_slow else super().process_exception(request, exception)
        words = f"{exception!r} {exception.__cause__!r}"
        if (
            again is not None
            or not request.meta.get("dont_obey_robotstxt")
            or isinstance(exception, OUT_OF_REACH)
            or is_untrusted(words)
            or "SSL" in words
        ):
            return again
        return Response(request.url, status=NO_ANSWER)


def read_wait(header: str) -> float:
    """Return the seconds from a Retry-After header, a number or a date; 0 if there is none."""
    with suppress(ValueError):
        return max(float(header), 0.0)
    with suppress(ValueError, TypeError):
        return max(parsedate_to_datetime(header).timestamp() - time.time(), 0.0)
    return 0.0


class LeanCompression(HttpCompressionMiddleware):
    """Refuses content that decompresses to too many bytes, and frees those bytes immediately."""

    def process_response(  # type: ignore[override]
        self, request: Request, response: Response
    ) -> Request | Response:
        try:
            return super().process_response(request, response)
        except IgnoreRequest as error:
            reason = str(error)
        # Raised outside the block, because the original error's traceback keeps the decompressed
        # bytes alive.
        raise IgnoreRequest(reason)


class Throttle(AutoThrottle):
    """Adapts the delay to robots.txt and the site's speed, but not to this computer's speed."""

    def __init__(self, crawler: "Crawler") -> None:
        super().__init__(crawler)
        crawler.signals.connect(self.note_robots, signal=signals.robots_parsed)

    def note_robots(self, robotparser: "RobotParser") -> None:
        delay = robotparser.crawl_delay(self.crawler.settings["ROBOTSTXT_USER_AGENT"])
        self.mindelay = max(self.mindelay, min(delay or 0.0, MAX_DELAY))

    def _adjust_delay(self, slot: "Slot", latency: float, response: "Response") -> None:
        if is_loopback(find_origin(response.url)[0]):
            slot.delay = self.mindelay
            return
        # Scrapy lowers the delay only for status 200, because failing sites respond quickly.
        if response.status == NOT_MODIFIED:
            response = response.replace(status=OK)
        super()._adjust_delay(slot, latency, response)


class StoredPages:
    """Drops unwanted requests, answers those for stored pages, and stores what the site sends."""

    def __init__(self, spider: Any) -> None:
        self._spider = spider
        self._store = spider.store

    @classmethod
    def from_crawler(cls, crawler: "Crawler") -> "Self":
        return cls(crawler.spider)

    def process_request(self, request: Request) -> Response | None:
        """Return a page of this crawl, or make the request conditional if there is an older one."""
        self._check(request)
        if (stored := self._store.get(request.url)) is None:
            return None
        headers = Headers(stored.headers)
        kind = responsetypes.from_args(headers=headers, url=request.url)
        page = kind(request.url, headers=headers, body=stored.body, flags=[CACHED])
        if stored.checked >= self._store.started:
            return page
        request.meta[CACHED] = page
        for name, condition in CONDITIONS.items():
            if name in stored.headers:
                request.headers[condition] = stored.headers[name]
        return None

    def process_response(self, request: Request, response: Response) -> Response:
        """Return the stored page if it has not changed or the site fails, else the response."""
        page = request.meta.pop(CACHED, None)
        if page and response.status == NOT_MODIFIED:
            self._store.confirm(request.url, time.time())
            return cast("Response", page)
        is_retried = response.status == BUSY and request.meta.get("retry_times", 0) < RETRIES
        if page and is_server_failure(response.status) and not is_retried:
            return use_old(page, request) or response
        if response.status == OK and CACHED not in response.flags:
            headers = {name: read_header(response, name) for name in KEPT_HEADERS}
            kept = {name: value for name, value in headers.items() if value}
            self._store.put(request.url, kept, response.body, time.time())
        return response

    def process_exception(self, request: Request, exception: Exception) -> Response | None:
        """Return the stored page if the site is unreachable."""
        page = request.meta.pop(CACHED, None)
        is_refused = isinstance(exception, IgnoreRequest | DownloadCancelledError)
        return None if is_refused or not page else use_old(page, request)

    def _check(self, request: Request) -> None:
        """Check that a page is still in the scope, and its host public; raises IgnoreRequest."""
        spider = self._spider
        if request.meta.get("is_page") and (spider.limit or not spider.scope.takes(request.url)):
            raise IgnoreRequest("not wanted any more")
        if not request.meta.get("proxy"):
            return  # without a proxy, the resolver checks the address
        host, rules = urlsplit(request.url).hostname or "", spider.rules
        if is_private_name(host) and not rules.is_users(*find_origin(request.url)):
            rules.refused[host] = host
            raise IgnoreRequest(f"{host} is not on the internet")


def use_old(page: Response, request: Request) -> Response | None:
    """Return a stored page with a flag, or None if only the site's own response is acceptable."""
    if request.meta.get(OPENS):
        return None
    page.flags.append(OLD)
    return page


def is_server_failure(status: int) -> bool:
    """Return whether a server is failing or busy, so that a retry may succeed."""
    return status == BUSY or status >= SERVER_ERROR


def read_header(response: Response, name: str) -> str:
    return (response.headers.get(name) or b"").decode("latin-1")
