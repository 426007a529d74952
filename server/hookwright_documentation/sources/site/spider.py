"""The spider: the requests it sends, the pages it selects, and the messages it reports."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urljoin, urlsplit

from scrapy import Request, Spider
from scrapy.exceptions import DownloadCancelledError, IgnoreRequest
from scrapy.http import Response

from hookwright_console.errors import ReportedError
from hookwright_console.network.addresses import shorten_url
from hookwright_console.terminal import count
from hookwright_console.text import shorten
from hookwright_documentation.pages import FetchedPage, NamedTarget
from hookwright_documentation.sources.registry import CrawlOptions, CrawlReport, UnfinishedError
from hookwright_documentation.sources.results import MAX_PAGE, PageStore
from hookwright_documentation.sources.site.addresses import ConnectionRules
from hookwright_documentation.sources.site.failures import (
    TEXT,
    explain_error,
    is_proxied,
    judge,
    name_failure,
)
from hookwright_documentation.sources.site.markup import Markup, read_markup
from hookwright_documentation.sources.site.middlewares import (
    CACHED,
    OK,
    OLD,
    OPENS,
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
    find_redirect,
    is_downgrade,
    open_source,
)
from hookwright_documentation.sources.site_files import (
    MAX_LISTED,
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

MAX_SITEMAPS, AT_ONCE = 50, 4
INVENTORY = "objects.inv"
TAKE_LESS = "narrow it with --prefix"
MISSING = "hookwright-no-such-page"  # its response is never a page, regardless of the status
QUERIES = 20  # maximum number of pages that differ only in their query string
KNOWN_PER_PAGE, MIN_KNOWN = 10, 1_000
GONE = (404, 410)
OWN_REDIRECTS = {"dont_redirect": True, "handle_httpstatus_all": True}  # meta: the spider follows
FIRST, LISTED, LINKED = 100, 10, 0  # request priorities
SAMPLE = 5  # number of pages examined to judge a site


class StoringSpider(Spider):
    """A spider whose responses are stored."""

    def __init__(self, store: PageStore, rules: ConnectionRules) -> None:
        super().__init__()
        self.store = store
        self.rules = rules
        self.robots_status = OK

    async def download(self, url: str, **meta: Any) -> Response | BaseException:
        """Return the response to a request, or the failure that prevented it."""
        engine = self.crawler.engine
        downloading = engine.download_async(Request(url, meta=meta))
        (result,) = await asyncio.gather(downloading, return_exceptions=True)
        return result

    def explain(self, url: str, error: BaseException) -> str:
        return explain_error(url, error, self.rules.refused, self.robots_status)


class DocumentationSpider(StoringSpider):
    """Fetches a documentation's pages."""

    name = "documentation"

    def __init__(
        self,
        store: PageStore,
        rules: ConnectionRules,
        options: CrawlOptions,
        progress: Callable[[int, int], None],
    ) -> None:
        super().__init__(store, rules)
        self.selection = Selection()
        self.start_page: Response | None = None
        self.scope = Scope("")  # until the start page is known
        self.version = ""
        self.targets: list[NamedTarget] = []
        self.failure = ""
        self.failed: dict[str, str] = {}
        self.lost: set[str] = set()  # pages that a later crawl may be able to fetch
        self.old: list[str] = []
        self.forbidden = 0
        self.limit = ""
        self._options = options
        self._progress = progress
        self.known: set[str] = set()
        self._queries = Counter[str]()
        self._bytes = 0

    @property
    def max_known(self) -> int:
        """Maximum number of addresses to remember and request; sites may have any number."""
        return KNOWN_PER_PAGE * self._options.max_pages + MIN_KNOWN

    async def start(self) -> AsyncIterator[Any]:
        """Open the source, read its page lists, and yield requests for the pages."""
        try:
            self.start_page, self.scope = await open_source(self._options, self._open)
        except ReportedError as error:
            self.failure = str(error)
            return
        whole = await self._fetch(urljoin(self.scope.prefix, WHOLE))
        if whole and is_whole(whole):
            self.selection.add(whole.url, whole.body, Markup())
            return
        listed = await self._list_pages(self.scope.prefix)
        linked = self.parse(self.start_page)
        for request in chain(linked, self._request_all(listed, 1, LISTED)):
            yield request

    def parse(self, response: Response, depth: int = 0) -> Iterator[Request]:
        if self.limit:
            return
        url = response.url
        if CACHED not in response.flags:
            self._count(len(response.body))
        target, links = find_redirect(response), Markup().links
        if not target and (markup := self._read(response)):
            target = markup.refresh if markup.refresh != url else ""
            links = markup.links if markup.follow else links
            if markup.index and not target and self.scope.takes(url):
                self.old += [url] if OLD in response.flags else []
                self.selection.add(url, response.body, markup)
                self._progress(len(self.selection), len(self.known))
                self._check_limits()
        if depth < self._options.max_depth:
            if not is_downgrade(url, target):
                yield from self._request_all([target], depth + 1, FIRST)
            # Request the nearest pages first, so that the depth limit does not exclude them.
            yield from self._request_all(links, depth + 1, LINKED - depth)

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
        self.scope.note_markup(markup)
        return markup if self.scope.note_language(response.url, markup.language) else None

    def note_failure(self, failure: "Failure") -> None:
        request = cast("Request", failure.request)  # type: ignore[attr-defined]
        reason = str(failure.value)
        if "robots.txt" in reason:
            self.forbidden += 1
        elif "MAXSIZE" in reason or isinstance(failure.value, DownloadCancelledError):
            self.failed[request.url] = "too large"
            if not reason.startswith("Expected"):  # Content-Length alone exceeded the limit
                self._count(MAX_PAGE)
        elif not isinstance(failure.value, IgnoreRequest):
            self.failed[request.url] = name_failure(failure.value)
            self.lost.add(request.url)

    def closed(self, reason: str) -> None:
        if reason == "closespider_timeout":
            self.limit = f"{self._options.time_limit:g} s ({TAKE_LESS})"

    def _request_all(self, urls: Iterable[str], depth: int, priority: int) -> Iterator[Request]:
        for found in urls:
            if len(self.known) >= self.max_known:
                return
            url = normalize(found)
            if not url or url in self.known or not self.scope.takes(url):
                continue
            path, mark, _ = url.partition("?")
            if mark:
                self._queries[path] += 1
                if self._queries[path] > QUERIES:
                    continue
            self.known.add(url)
            yield Request(
                url,
                cb_kwargs={"depth": depth},
                dont_filter=True,
                errback=self.note_failure,
                meta={**OWN_REDIRECTS, "is_page": True},
                priority=priority,
            )

    async def _open(self, url: str) -> Response:
        self.known.add(url)
        response = await self.download(url, **OWN_REDIRECTS, **{OPENS: True})
        if isinstance(response, BaseException):
            raise ReportedError(self.explain(url, response))
        return response

    async def _fetch(self, url: str) -> FetchedPage | None:
        response = await self.download(url, max_retry_times=1)
        if isinstance(response, BaseException) or response.status != OK:
            return None
        if find_origin(response.url) != find_origin(url):
            return None
        return FetchedPage(url, read_header(response, "Content-Type"), response.body)

    async def _fetch_all(self, urls: Iterable[str]) -> list[FetchedPage]:
        return [page for page in await asyncio.gather(*map(self._fetch, urls)) if page]

    async def _list_pages(self, prefix: str) -> list[str]:
        root = urljoin(prefix, "/")
        folders = list(dict.fromkeys((prefix, root)))
        robots = self.store.get(urljoin(root, "robots.txt"))
        named = filter(None, map(normalize, read_robots(robots.page))) if robots else ()
        maps = [urljoin(folder, "sitemap.xml") for folder in folders]
        missing, llms, inventories, sitemaps = await asyncio.gather(
            self._fetch(urljoin(prefix, MISSING)),
            self._fetch_all(urljoin(folder, "llms.txt") for folder in folders),
            self._fetch_all(urljoin(folder, INVENTORY) for folder in list_folders(prefix)),
            self.read_sitemaps([*filter(self._is_near, named), *maps]),
        )
        self.selection.note_missing(missing)
        listed = [url for page in llms for url in read_llms(page)]
        for page in inventories:
            version, targets = read_objects(page)
            urls = dict.fromkeys(target.url.partition("#")[0] for target in targets)
            if any(url.startswith(prefix) for url in urls):
                self.version, self.targets = version, targets
                listed += urls
                break
        self.scope.note_links([url for url in sitemaps if url.startswith(prefix)])
        return [*listed, *sitemaps]

    async def read_sitemaps(self, urls: list[str]) -> list[str]:
        pages: dict[str, None] = {}
        waiting, done = dict.fromkeys(urls), set[str]()
        while waiting and len(done) < MAX_SITEMAPS and len(pages) < MAX_LISTED:
            batch = list(islice(waiting, min(AT_ONCE, MAX_SITEMAPS - len(done))))
            done.update(batch)
            for page in await self._fetch_all(batch):
                found, further = read_sitemap(page)
                pages.update(dict.fromkeys(islice(found, MAX_LISTED - len(pages))))
                waiting.update(dict.fromkeys(filter(self._is_near, further[:MAX_SITEMAPS])))
            waiting = dict.fromkeys(url for url in waiting if url not in done)
        return list(pages)

    def _is_near(self, url: str) -> bool:
        return find_origin(url) == find_origin(self.scope.prefix)

    def _count(self, size: int) -> None:
        self._bytes += size
        self._check_limits()

    def _check_limits(self) -> None:
        if self._bytes >= self._options.max_bytes:
            self.limit = f"{self._options.max_bytes:,} bytes ({TAKE_LESS})"
        elif len(self.selection) >= self._options.max_pages:
            self.limit = f"{self._options.max_pages:,} pages (--max-pages)"


def build_report(spider: DocumentationSpider, urls: list[str]) -> CrawlReport:
    scope, response = spider.scope, spider.start_page
    if response is None:
        raise ReportedError(spider.failure or "the site did not respond in time: try again later")
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
    version = spider.version or folder
    choices = describe_choices(scope, version, folder)
    return CrawlReport(scope.prefix, scope.language, version, tuple(notes), choices)


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
