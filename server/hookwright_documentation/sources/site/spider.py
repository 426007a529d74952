"""The spider: the requests it sends, the pages it selects, and the messages it reports."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urljoin, urlsplit

from protego import Protego
from scrapy import Request, Spider
from scrapy.exceptions import DownloadCancelledError, IgnoreRequest
from scrapy.http import Response

from hookwright_console.errors import ReportedError
from hookwright_console.network.addresses import shorten_url
from hookwright_console.terminal import count
from hookwright_console.text import shorten
from hookwright_documentation.pages import FetchedPage
from hookwright_documentation.sources.registry import CrawlOptions, CrawlReport, UnfinishedError
from hookwright_documentation.sources.results import MAX_PAGE, PageStore
from hookwright_documentation.sources.site.addresses import ConnectionRules
from hookwright_documentation.sources.site.failures import (
    explain_error,
    is_proxied,
    judge,
    name_failure,
)
from hookwright_documentation.sources.site.markup import Markup, read_markup
from hookwright_documentation.sources.site.middlewares import (
    OK,
    OLD,
    OPENS,
    Throttle,
    download,
    is_server_failure,
    read_header,
)
from hookwright_documentation.sources.site.scope import (
    Scope,
    Selection,
    describe_choices,
    find_version_folder,
)
from hookwright_documentation.sources.site.start_page import (
    REDIRECTS,
    OpenedSource,
    find_redirect,
    is_downgrade,
    open_source,
)
from hookwright_documentation.sources.site_files import (
    MAX_LISTED,
    MAX_ROBOTS,
    NO_OBJECTS,
    WHOLE,
    is_whole,
    read_llms,
    read_objects,
    read_robots,
    read_sitemap,
)
from hookwright_documentation.sources.urls import find_origin, list_folders, normalize

if TYPE_CHECKING:
    from twisted.python.failure import Failure

USER_AGENT = "Hookwright (documentation search; obeys robots.txt)"
TEXT = re.compile(r"(?:text/(?:html|plain|markdown|x-markdown|x-rst)|application/xhtml\+xml)\b")
MAX_SITEMAPS, AT_ONCE = 50, 4
INVENTORY = "objects.inv"
TAKE_LESS = "narrow it with --prefix"
MISSING = "hookwright-no-such-page"  # its response is never a page, regardless of the status
MAX_DELAY = 30.0  # seconds that robots.txt may require between requests
QUERIES = 20  # maximum number of pages that differ only in their query string
KNOWN_PER_PAGE, MIN_KNOWN = 10, 1_000
GONE = (404, 410)
FIRST, LISTED, LINKED = 100, 10, 0  # request priorities
SAMPLE = 5  # number of pages examined to judge a site


class DocumentationSpider(Spider):
    """Fetches a documentation's pages."""

    name = "documentation"

    def __init__(
        self,
        options: CrawlOptions,
        store: PageStore,
        rules: ConnectionRules,
        progress: Callable[[int, int], None],
    ) -> None:
        super().__init__()
        self.store = store
        self.rules = rules
        self.selection = Selection()
        self.opened: OpenedSource | None = None
        self.objects = NO_OBJECTS
        self.inventory = ""
        self.failure = ""
        self.failed: dict[str, str] = {}
        self.lost: set[str] = set()  # pages that a later crawl may be able to fetch
        self.old: list[str] = []
        self.forbidden = 0
        self.robots_status = OK
        self.limit = ""
        self._options = options
        self._progress = progress
        self.known: set[str] = set()
        self._queries: dict[str, int] = {}
        self._bytes = 0

    @property
    def max_known(self) -> int:
        """Maximum number of addresses to remember and request; sites may have any number."""
        return KNOWN_PER_PAGE * self._options.max_pages + MIN_KNOWN

    @property
    def scope(self) -> Scope:
        return cast("OpenedSource", self.opened).scope

    async def start(self) -> AsyncIterator[Any]:
        """Open the source, read its page lists, and yield requests for the pages."""
        try:
            self.opened = await open_source(self._options, self._open)
        except ReportedError as error:
            self.failure = str(error)
            return
        self._slow_down()
        prefix = self.scope.prefix
        whole = await self._fetch(urljoin(prefix, WHOLE))
        if whole and is_whole(whole):
            self.selection.add(whole.url, whole.body, Markup())
            return
        listed = await self._list_pages(prefix)
        linked = self.parse(self.opened.response, depth=0)
        for request in chain(linked, self._request_all(listed, 1, LISTED)):
            yield request

    def parse(self, response: Response, depth: int = 0, hops: int = 0) -> Iterator[Request]:
        if self.limit:
            return
        url = response.url
        if "cached" not in response.flags:
            self._bytes += len(response.body)
            self._check_limits()
        if target := find_redirect(response):
            if hops < REDIRECTS and not is_downgrade(url, target):
                yield from self._request_all([target], depth, FIRST, hops + 1)
            return
        if (markup := self._read(response)) is None:
            return
        if markup.refresh and markup.refresh != url:
            yield from self._request_all([markup.refresh], depth, FIRST, hops + 1)
        elif markup.index and self.scope.takes(url):
            self.old += [url] if OLD in response.flags else []
            self.selection.add(url, response.body, markup)
            self._progress(len(self.selection), len(self.known))
            self._check_limits()
        if markup.follow and depth < self._options.max_depth:
            # Request the nearest pages first, so that the depth limit does not exclude them.
            yield from self._request_all(markup.links, depth + 1, LINKED - depth)

    def _read(self, response: Response) -> Markup | None:
        """Return a page's metadata, or None if it is not a page in the selected language."""
        kind = read_header(response, "Content-Type").lower()
        if response.status not in (OK, *GONE):
            self.failed[response.url] = f"HTTP {response.status}"
            if is_server_failure(response.status):
                self.lost.add(response.url)
        if response.status != OK or not (TEXT.match(kind) or not kind):
            return None
        markup = Markup()
        if "html" in kind or not kind:
            robots = read_header(response, "X-Robots-Tag")
            markup = read_markup(response.url, response.body, robots)
        self.scope.note_links(markup.links)
        self.scope.note_translations(markup.alternates.values())
        return markup if self.scope.note_language(response.url, markup.language) else None

    def note_failure(self, failure: "Failure") -> None:
        request = cast("Request", failure.request)  # type: ignore[attr-defined]
        reason = str(failure.value)
        if "robots.txt" in reason:
            self.forbidden += 1
        elif "MAXSIZE" in reason or isinstance(failure.value, DownloadCancelledError):
            self.failed[request.url] = "too large"
            if not reason.startswith("Expected"):  # Content-Length alone exceeded the limit
                self._bytes += MAX_PAGE
                self._check_limits()
        elif not isinstance(failure.value, IgnoreRequest):
            self.failed[request.url] = name_failure(failure.value)
            self.lost.add(request.url)

    def closed(self, reason: str) -> None:
        if reason == "closespider_timeout":
            self.limit = f"{self._options.time_limit:g} s ({TAKE_LESS})"

    def _request_all(
        self, urls: Iterable[str], depth: int, priority: int, hops: int = 0
    ) -> Iterator[Request]:
        for found in urls:
            if len(self.known) >= self.max_known:
                return
            url = normalize(found)
            if not url or url in self.known or not self.scope.takes(url):
                continue
            path, mark, _ = url.partition("?")
            if mark:
                self._queries[path] = self._queries.get(path, 0) + 1
                if self._queries[path] > QUERIES:
                    continue
            self.known.add(url)
            yield Request(
                url,
                cb_kwargs={"depth": depth, "hops": hops},
                dont_filter=True,
                errback=self.note_failure,
                meta={"handle_httpstatus_all": True, "dont_redirect": True, "is_page": True},
                priority=priority,
            )

    async def _open(self, url: str) -> Response:
        self.known.add(url)
        meta = {"dont_redirect": True, "handle_httpstatus_all": True, OPENS: True}
        request = Request(url, meta=meta)
        response = await download(self, request)
        if isinstance(response, BaseException):
            reason = explain_error(url, response, self.rules.refused, self.robots_status)
            raise ReportedError(reason)
        return response

    async def _fetch(self, url: str) -> FetchedPage | None:
        response = await download(self, Request(url, meta={"max_retry_times": 1}))
        if isinstance(response, BaseException) or response.status != OK:
            return None
        if find_origin(response.url) != find_origin(url):
            return None
        return FetchedPage(url, read_header(response, "Content-Type"), response.body)

    async def _list_pages(self, prefix: str) -> list[str]:
        root = urljoin(prefix, "/")
        folders = list(dict.fromkeys((prefix, root)))
        llms = [self._fetch(urljoin(folder, "llms.txt")) for folder in folders]
        maps = [urljoin(folder, "sitemap.xml") for folder in folders]
        robots = self.store.get(urljoin(root, "robots.txt"))
        named = filter(None, map(normalize, read_robots(robots.page))) if robots else ()
        above = list_folders(prefix)
        sitemaps, files = await asyncio.gather(
            self.read_sitemaps([*filter(self._is_near, named), *maps]),
            asyncio.gather(
                self._fetch(urljoin(prefix, MISSING)),
                *llms,
                *(self._fetch(urljoin(folder, INVENTORY)) for folder in above),
            ),
        )
        missing, found, inventories = files[0], files[1 : -len(above)], files[-len(above) :]
        self.selection.note_missing(missing)
        for page in filter(None, inventories):
            objects = NO_OBJECTS if self.inventory else read_objects(page)
            if any(url.startswith(prefix) for url in objects.pages):
                self.inventory, self.objects = page.url, objects
        listed = [url for page in found if page for url in read_llms(page)]
        self.scope.note_links(tuple(url for url in sitemaps if url.startswith(prefix)))
        return [*listed, *self.objects.pages, *sitemaps]

    async def read_sitemaps(self, urls: list[str]) -> list[str]:
        pages: dict[str, None] = {}
        waiting, done = dict.fromkeys(urls), set[str]()
        while waiting and len(done) < MAX_SITEMAPS and len(pages) < MAX_LISTED:
            batch = list(islice(waiting, min(AT_ONCE, MAX_SITEMAPS - len(done))))
            done.update(batch)
            fetched = await asyncio.gather(*(self._fetch(url) for url in batch))
            for page in filter(None, fetched):
                found, further = read_sitemap(page)
                pages.update(dict.fromkeys(islice(found, MAX_LISTED - len(pages))))
                near = (url for url in further[:MAX_SITEMAPS] if self._is_near(url))
                waiting.update(dict.fromkeys(near))
            waiting = dict.fromkeys(url for url in waiting if url not in done)
        return list(pages)

    def _is_near(self, url: str) -> bool:
        return find_origin(url) == find_origin(self.scope.prefix)

    def _slow_down(self) -> None:
        """Set the delay that robots.txt requires, unless the user specified one."""
        robots = self.store.get(urljoin(self.scope.prefix, "/robots.txt"))
        throttle = self.crawler.get_extension(Throttle)
        if robots and throttle:
            rules = Protego.parse(robots.body[:MAX_ROBOTS].decode("utf-8", "replace"))
            throttle.mindelay = min(rules.crawl_delay(USER_AGENT) or 0.0, MAX_DELAY)

    def _check_limits(self) -> None:
        if self._bytes >= self._options.max_bytes:
            self.limit = f"{self._options.max_bytes:,} bytes ({TAKE_LESS})"
        elif len(self.selection) >= self._options.max_pages:
            self.limit = f"{self._options.max_pages:,} pages (--max-pages)"


def build_report(spider: DocumentationSpider, urls: list[str]) -> CrawlReport:
    if spider.opened is None:
        raise ReportedError(spider.failure or "the site did not respond in time: try again later")
    scope, response = spider.opened.scope, spider.opened.response
    if len(spider.lost) > len(urls):
        first_lost = min(spider.lost)
        example = f"{shorten_url(first_lost)} ({spider.failed[first_lost]})"
        lost = f"{len(spider.lost):,} of {count(len(spider.lost) + len(urls), 'page')} not fetched"
        raise UnfinishedError(f"{lost}, such as {example}: run the same command again to continue")
    first = FetchedPage(response.url, read_header(response, "Content-Type"), response.body)
    if not (len(urls) == 1 and urls[0].endswith("/" + WHOLE)):
        sample = [spider.store.get(url) for url in urls[:: max(1, len(urls) // SAMPLE)][:SAMPLE]]
        pages = [fetched.page for fetched in sample if fetched]
        if spider.limit and len(urls) <= 1:
            raise ReportedError(f"{shorten_url(response.url)}: stopped at {spider.limit}")
        if problem := judge(len(urls), pages, first, scope.prefix):
            raise ReportedError(problem)
    notes = describe_gaps(spider)
    if is_proxied(response.url):
        notes.append("behind a proxy: could not check whether names lead to private addresses")
    if spider.rules.is_intranet:
        host = shorten(urlsplit(scope.prefix).hostname or "")
        notes.append(f"{host} is on a private network: crawled because you gave its URL")
    folder = scope.version or find_version_folder(scope.prefix)
    version = spider.objects.version or folder
    return CrawlReport(
        scope.prefix,
        scope.language,
        version,
        tuple(notes),
        describe_choices(scope, version, folder),
    )


def describe_gaps(spider: DocumentationSpider) -> list[str]:
    notes = []
    if spider.limit:
        notes.append(f"stopped at {spider.limit}: there is more")
    elif len(spider.known) >= spider.max_known:
        notes.append(f"over {spider.max_known:,} addresses: the rest left out ({TAKE_LESS})")
    if spider.forbidden:
        notes.append(f"{count(spider.forbidden, 'page')} skipped because of robots.txt")
    if spider.old:
        old = f"{count(len(spider.old), 'page')} not reached, such as {shorten(min(spider.old))}"
        notes.append(f"{old}: kept from an earlier crawl")
    if spider.failed:
        url, reason = min(spider.failed.items())
        failed = f"{count(len(spider.failed), 'page')} not fetched, such as {shorten_url(url)}"
        notes.append(f"{failed} ({reason})" + (": a refresh tries again" if spider.lost else ""))
    return notes
