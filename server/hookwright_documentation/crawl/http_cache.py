"""Scrapy's HTTP cache over the store of pages.

What this crawl has fetched is fresh, so that it can go on after a kill; all else is asked for
again, with the validators that the site gave.
"""

import time
from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.httpcache import HttpCacheMiddleware
from scrapy.extensions.httpcache import RFC2616Policy
from scrapy.http import Headers, Request, Response
from scrapy.responsetypes import responsetypes

from hookwright_documentation.crawl.page_store import KEPT_HEADERS

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.settings import BaseSettings

    from hookwright_documentation.crawl.spider import DocumentationSpider

OK, BUSY, SERVER_ERROR = 200, 429, 500
RETRIES = 2
OLD = "old"  # the flag of a page that is kept as the site gives no answer
OPENS = "opens"  # in the meta of a request whose answer tells whether the site is there


def is_server_failure(status: int) -> bool:
    """Return whether a server fails or is busy, so that another try may give the page."""
    return status == BUSY or status >= SERVER_ERROR


class ConditionalPolicy(RFC2616Policy):
    """Keep each page, and ask for it again in the next crawl, on condition that it changed."""

    def __init__(self, settings: "BaseSettings") -> None:
        super().__init__(settings)
        self._started = settings.getfloat("CRAWL_STARTED")

    def should_cache_response(self, response: Response, request: Request) -> bool:
        """Return whether it is a page; the user asked for a copy, whatever Cache-Control says."""
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
    """Flag what comes from the store because the site is not reached."""

    def process_exception(  # type: ignore[override]
        self, request: Request, exception: Exception
    ) -> Request | Response | None:
        """Return the page that is kept, flagged; None where the site itself has to answer."""
        if request.meta.get(OPENS):
            request.meta.pop("cached_response", None)
            return None
        kept = super().process_exception(request, exception)
        if isinstance(kept, Response):
            kept.flags.append(OLD)
        return kept


class StoreOfPages:
    """The storage of the cache."""

    def __init__(self, settings: "BaseSettings") -> None:
        """Wait for the spider, which has the store."""

    def open_spider(self, spider: "DocumentationSpider") -> None:
        self._store = spider.store

    def close_spider(self, spider: "Spider") -> None:
        """Do nothing, as each page is kept at once."""

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
    """Return a header of an answer, or ""."""
    return (response.headers.get(name) or b"").decode("latin-1")
