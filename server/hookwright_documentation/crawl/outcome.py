"""What a spider has taken, and what the user should know about it."""

from urllib.parse import urlsplit

from hookwright_console.addresses import shorten_url
from hookwright_console.errors import ReportedError
from hookwright_console.terminal import count
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
        lost = f"{len(spider.lost):,} of {count(len(spider.lost) + len(urls), 'page')} not fetched"
        raise UnfinishedError(f"{lost}, such as {example}: run the same command again to go on")
    first = FetchedPage(response.url, read_header(response, "Content-Type"), response.body)
    if not (len(urls) == 1 and urls[0].endswith("/" + WHOLE)):
        sample = [spider.store.get(url) for url in urls[:: max(1, len(urls) // SAMPLE)][:SAMPLE]]
        pages = [one.page for one in sample if one]
        if spider.limit and len(urls) <= 1:
            raise ReportedError(f"{shorten_url(response.url)}: stopped at {spider.limit}")
        if problem := judge(len(urls), pages, first, scope.prefix):
            raise ReportedError(problem)
    notes = describe_gaps(spider)
    if is_proxied(response.url):
        notes.append("behind a proxy: whether names lead to private addresses was not checked")
    if spider.rules.is_intranet:
        host = shorten(urlsplit(scope.prefix).hostname or "")
        notes.append(f"{host} is on a private network: taken as you gave its URL")
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
    elif spider.is_flooded:
        notes.append(f"over {spider.max_known:,} addresses: the rest left out ({TAKE_LESS})")
    if spider.forbidden:
        notes.append(f"{count(spider.forbidden, 'page')} left out, as robots.txt says")
    if spider.old:
        old = f"{count(len(spider.old), 'page')} not reached, such as {shorten(min(spider.old))}"
        notes.append(f"{old}: kept as of an earlier crawl")
    if spider.failed:
        url, reason = min(spider.failed.items())
        failed = f"{count(len(spider.failed), 'page')} not fetched, such as {shorten_url(url)}"
        notes.append(f"{failed} ({reason})" + (": a refresh tries again" if spider.lost else ""))
    return notes
