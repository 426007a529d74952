"""Extend Scrapy: robots.txt, Retry-After, throttling, private hosts and the cache.

Pages that this crawl has already fetched are fresh, so that a killed crawl can resume. All other
pages are requested again with the site's validators.
"""

import asyncio
import time
from contextlib import suppress
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from scrapy import Spider
from scrapy.downloadermiddlewares.httpcache import HttpCacheMiddleware
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.downloadermiddlewares.retry import RetryMiddleware
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadTimeoutError,
    IgnoreRequest,
)
from scrapy.extensions.httpcache import RFC2616Policy
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
    from scrapy.settings import BaseSettings
    from typing_extensions import Self


RETRIED = (429, 503)
# Errors after which nothing can be fetched from a host; the first page reports the reason.
OUT_OF_REACH = (CannotResolveHostError, DownloadConnectionRefusedError, IgnoreRequest)
MAX_WAIT = 120.0  # maximum seconds that a site may ask the crawler to wait
FORBID_ALL = b"User-agent: *\nDisallow: /\n"
NOT_MODIFIED = 304
OK, CLIENT_ERROR, BUSY, SERVER_ERROR = 200, 400, 429, 500
RETRIES = 2
OLD = "old"  # flag for a stored page that is used because the site does not respond
OPENS = "opens"  # in a request's meta: the response shows whether the site exists


async def download(spider: Spider, request: Request) -> Response | BaseException:
    """Return the response to a request, or the failure that prevented it."""
    if spider.crawler.engine is None:
        return RuntimeError("the crawl has ended")
    (result,) = await asyncio.gather(
        spider.crawler.engine.download_async(request), return_exceptions=True
    )
    return result


class RobotsRules(RobotsTxtMiddleware):
    """Obeys robots.txt; by RFC 9309, a missing file allows everything, a failing server nothing."""

    async def _parse_robots(self, response: Response, netloc: str, request: Request) -> None:
        cast("Any", self.crawler.spider).robots_status = response.status
        if response.status >= SERVER_ERROR:
            response = response.replace(body=FORBID_ALL)
        elif response.status >= CLIENT_ERROR:
            response = response.replace(body=b"")
        else:
            response = response.replace(body=response.body[:MAX_ROBOTS])
        await super()._parse_robots(response, netloc, request)


class PatientRetries(RetryMiddleware):
    """Retries after the delay that a busy server requests, unless the delay is too long."""

    async def process_response(  # type: ignore[override]
        self, request: Request, response: Response
    ) -> Request | Response:
        if response.status in RETRIED:
            await asyncio.sleep(min(read_wait(read_header(response, "Retry-After")), MAX_WAIT))
        return super().process_response(request, response)

    def process_exception(  # type: ignore[override]
        self, request: Request, exception: Exception
    ) -> Request | Response | None:
        """Return the request to retry, or None; an unreachable robots.txt forbids all pages."""
        again = None
        if not isinstance(exception, DownloadTimeoutError):
            again = super().process_exception(request, exception)
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


class SpiderCheck:
    """Checks requests against data that the spider has collected."""

    def __init__(self, spider: Any) -> None:
        self._spider = spider

    @classmethod
    def from_crawler(cls, crawler: "Crawler") -> "Self":
        return cls(cast("Any", crawler.spider))


class ScopeCheck(SpiderCheck):
    """Drops requests for pages that turned out to be in another language or version."""

    def process_request(self, request: Request) -> None:
        spider = self._spider
        if request.meta.get("is_page") and (spider.limit or not spider.scope.takes(request.url)):
            raise IgnoreRequest("not wanted any more")


class HostCheck(SpiderCheck):
    """Refuses private hosts by name if a proxy would connect to them."""

    def process_request(self, request: Request) -> None:
        if not request.meta.get("proxy"):
            return  # without a proxy, the resolver checks the address
        host, rules = urlsplit(request.url).hostname or "", self._spider.rules
        if is_private_name(host) and not rules.is_users(*find_origin(request.url)):
            rules.refused[host] = host
            raise IgnoreRequest(f"{host} is not on the internet")


class Throttle(AutoThrottle):
    """Adapts the delay to the site's speed; sites on this computer are not throttled."""

    def _adjust_delay(self, slot: "Slot", latency: float, response: "Response") -> None:
        if is_loopback(find_origin(response.url)[0]):
            slot.delay = self.mindelay
            return
        # Scrapy lowers the delay only for status 200, because failing sites respond quickly.
        if response.status == NOT_MODIFIED:
            response = response.replace(status=OK)
        super()._adjust_delay(slot, latency, response)


def is_server_failure(status: int) -> bool:
    """Return whether a server is failing or busy, so that a retry may succeed."""
    return status == BUSY or status >= SERVER_ERROR


class ConditionalPolicy(RFC2616Policy):
    """Stores every page, and requests it conditionally in the next crawl."""

    def __init__(self, settings: "BaseSettings") -> None:
        super().__init__(settings)
        self._started = settings.getfloat("CRAWL_STARTED")

    def should_cache_response(self, response: Response, request: Request) -> bool:
        """Return whether a response is a page; Cache-Control is ignored, as users want a copy."""
        del request
        return response.status == OK

    def is_cached_response_fresh(self, cachedresponse: Response, request: Request) -> bool:
        if float(request.meta["cache_timestamp"]) >= self._started:
            return True
        self._set_conditional_validators(request, cachedresponse)
        return False

    def is_cached_response_valid(
        self, cachedresponse: Response, response: Response, request: Request
    ) -> bool:
        fails = is_server_failure(response.status)
        if fails and request.meta.get(OPENS):
            return False
        if response.status == BUSY:
            stays = int(request.meta.get("retry_times", 0)) >= RETRIES
        else:
            stays = bool(super().is_cached_response_valid(cachedresponse, response, request))
        if fails and stays:
            cachedresponse.flags.append(OLD)
        return stays


class HonestCache(HttpCacheMiddleware):
    """Flags stored pages that are used because the site is unreachable."""

    def process_exception(  # type: ignore[override]
        self, request: Request, exception: Exception
    ) -> Request | Response | None:
        """Return the flagged stored page, or None if only the site's own response is acceptable."""
        if request.meta.get(OPENS):
            request.meta.pop("cached_response", None)
            return None
        kept = super().process_exception(request, exception)
        if isinstance(kept, Response):
            kept.flags.append(OLD)
        return kept


class StoreOfPages:
    """Stores the cache's responses as pages."""

    def __init__(self, settings: "BaseSettings") -> None: ...

    def open_spider(self, spider: Any) -> None:
        self._store = spider.store

    def close_spider(self, spider: "Spider") -> None: ...

    def retrieve_response(self, spider: "Spider", request: Request) -> Response | None:
        del spider
        if (stored := self._store.get(request.url)) is None:
            return None
        request.meta["cache_timestamp"] = stored.checked
        headers = Headers(stored.headers)
        kind = responsetypes.from_args(headers=headers, url=request.url)
        return kind(request.url, status=OK, headers=headers, body=stored.body)

    def store_response(self, spider: "Spider", request: Request, response: Response) -> None:
        del spider
        if "cached" in response.flags:
            self._store.confirm(request.url, time.time())
            return
        headers = {name: read_header(response, name) for name in KEPT_HEADERS}
        kept = {name: value for name, value in headers.items() if value}
        self._store.put(request.url, kept, response.body, time.time())


def read_header(response: Response, name: str) -> str:
    return (response.headers.get(name) or b"").decode("latin-1")
