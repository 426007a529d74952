"""What a spider has taken, and what the user should know about it."""

from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from hookwright_console.errors import ReportedError
from hookwright_console.text import shorten
from hookwright_documentation.crawl.http_cache import read_header
from hookwright_documentation.crawl.results import CrawlResult
from hookwright_documentation.crawl.scope import Scope, find_version_folder, is_language
from hookwright_documentation.crawl.site_files import WHOLE
from hookwright_documentation.crawl.spider import DocumentationSpider
from hookwright_documentation.crawl.verdict import judge
from hookwright_documentation.pages import FetchedPage

SHOWN = 5  # names in a note
SAMPLE = 5  # pages that the judgement of a site reads


def build_result(spider: DocumentationSpider) -> CrawlResult:
    """Return what a spider has taken.

    Raises:
        ReportedError: It is not a documentation.

    """
    if spider.opened is None:
        raise ReportedError(spider.failure or "the site does not answer in time: try again later")
    scope, response = spider.opened.scope, spider.opened.response
    urls = spider.selection.list_urls()
    first = FetchedPage(response.url, read_header(response, "Content-Type"), response.body)
    if not (len(urls) == 1 and urls[0].endswith("/" + WHOLE)):
        sample = [spider.store.get(url) for url in urls[:: max(1, len(urls) // SAMPLE)][:SAMPLE]]
        pages = [one.page for one in sample if one]
        if problem := judge(len(urls), pages, first, scope.prefix):
            raise ReportedError(problem)
    folder = scope.version or find_version_folder(scope.prefix)
    version = spider.objects.version or folder
    inventory = scope.prefix + "objects.inv" if spider.objects.targets else ""
    notes = (
        *describe_choices(scope, version, folder),
        *describe_gaps(spider),
        *describe_proxy(response.url),
    )
    return CrawlResult(scope.prefix, scope.language, version, tuple(urls), inventory, notes)


def describe_choices(scope: Scope, version: str, folder: str) -> list[str]:
    """Return which language and version were taken, and how to choose others."""
    notes = []
    if scope.language:
        others = name_some({one for one in scope.mirrors if is_language(one)})
        there = f" (also there: {others})" if others else ""
        notes.append(f"language {shorten(scope.language)}{there}: choose another with --language")
    if version or scope.versions:
        named = version if folder in ("", version) else f"{version} ({folder})".lstrip()
        others = name_some(scope.versions - {folder})
        there = f" (also there: {others})" if others else ""
        taken = f"version {shorten(named)}" if named.strip() else "pages of no version"
        notes.append(f"{taken}{there}: choose another with --version")
    return notes


def describe_gaps(spider: DocumentationSpider) -> list[str]:
    """Return what is missing: beyond a limit, forbidden, or failed."""
    notes = []
    if spider.limit:
        notes.append(f"stopped at {spider.limit}: there is more")
    if spider.forbidden:
        notes.append(f"{spider.forbidden:,} pages left out: robots.txt forbids them")
    if spider.failed:
        url, reason = min(spider.failed.items())
        notes.append(
            f"{len(spider.failed):,} pages could not be fetched, such as {shorten(url)} ({reason})"
        )
    return notes


def describe_proxy(url: str) -> list[str]:
    """Return that a proxy hides what is connected to, where one is used."""
    parts = urlsplit(url)
    if parts.scheme not in getproxies() or proxy_bypass(parts.hostname or ""):
        return []
    return ["behind a proxy: whether names lead to private addresses was not checked"]


def name_some(names: set[str]) -> str:
    """Return some of several names in a line."""
    shown = sorted(names)[:SHOWN]
    return ", ".join(map(shorten, shown)) + (", …" if len(names) > SHOWN else "")
