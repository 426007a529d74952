"""What a spider has taken, and what the user should know about it."""

from urllib.parse import urlsplit

from hookwright_console.addresses import shorten_url
from hookwright_console.errors import ReportedError
from hookwright_console.text import shorten
from hookwright_documentation.crawl.http_cache import read_header
from hookwright_documentation.crawl.options import CrawlReport, UnfinishedError
from hookwright_documentation.crawl.scope import describe_choices, find_version_folder
from hookwright_documentation.crawl.site_files import WHOLE
from hookwright_documentation.crawl.spider import TAKE_LESS, DocumentationSpider
from hookwright_documentation.crawl.verdict import is_proxied, judge
from hookwright_documentation.pages import FetchedPage

SAMPLE = 5  # pages that the judgement of a site reads


def build_report(spider: DocumentationSpider, urls: list[str]) -> CrawlReport:
    """Return what a spider has taken; raises UnfinishedError, ReportedError."""
    if spider.opened is None:
        raise ReportedError(spider.failure or "the site does not answer in time: try again later")
    scope, response = spider.opened.scope, spider.opened.response
    if len(spider.lost) > len(urls):
        first_lost = min(spider.lost)
        example = f"{shorten_url(first_lost)} ({spider.failed[first_lost]})"
        lost = f"{len(spider.lost):,} of {count_pages(len(spider.lost) + len(urls))} not fetched"
        raise UnfinishedError(f"{lost}, such as {example}: run the same command again to go on")
    first = FetchedPage(response.url, read_header(response, "Content-Type"), response.body)
    if not (len(urls) == 1 and urls[0].endswith("/" + WHOLE)):
        sample = [spider.store.get(url) for url in urls[:: max(1, len(urls) // SAMPLE)][:SAMPLE]]
        pages = [one.page for one in sample if one]
        if spider.limit and len(urls) <= 1:
            raise ReportedError(f"{shorten_url(response.url)}: stopped at {spider.limit}")
        if problem := judge(len(urls), pages, first, scope.prefix):
            raise ReportedError(problem)
    folder = scope.version or find_version_folder(scope.prefix)
    version = spider.objects.version or folder
    return CrawlReport(
        scope.prefix,
        scope.language,
        version,
        (*describe_gaps(spider), *describe_proxy(response.url), *describe_intranet(spider)),
        describe_choices(scope, version, folder),
    )


def describe_gaps(spider: DocumentationSpider) -> list[str]:
    notes = []
    if spider.limit:
        notes.append(f"stopped at {spider.limit}: there is more")
    elif spider.is_flooded:
        notes.append(f"over {spider.max_known:,} addresses: the rest left out ({TAKE_LESS})")
    if spider.forbidden:
        notes.append(f"{count_pages(spider.forbidden)} left out, as robots.txt says")
    if spider.old:
        old = f"{count_pages(len(spider.old))} not reached, such as {shorten(min(spider.old))}"
        notes.append(f"{old}: kept as of an earlier crawl")
    if spider.failed:
        url, reason = min(spider.failed.items())
        failed = f"{count_pages(len(spider.failed))} not fetched, such as {shorten_url(url)}"
        notes.append(f"{failed} ({reason})" + (": a refresh tries again" if spider.lost else ""))
    return notes


def count_pages(number: int) -> str:
    return "1 page" if number == 1 else f"{number:,} pages"


def describe_proxy(url: str) -> list[str]:
    if not is_proxied(url):
        return []
    return ["behind a proxy: whether names lead to private addresses was not checked"]


def describe_intranet(spider: DocumentationSpider) -> list[str]:
    if not spider.rules.is_intranet:
        return []
    host = shorten(urlsplit(spider.scope.prefix).hostname or "")
    return [f"{host} is on a private network: taken as you gave its URL"]
