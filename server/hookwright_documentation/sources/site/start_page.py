"""Open a crawl's source: follow redirects, select language and version, determine the prefix."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from urllib.parse import urljoin, urlsplit

from scrapy.http import Response

from hookwright_console.errors import ReportedError
from hookwright_console.network.addresses import shorten_url
from hookwright_console.text import shorten
from hookwright_documentation.sources.registry import CrawlOptions
from hookwright_documentation.sources.site.failures import explain_status
from hookwright_documentation.sources.site.markup import Markup, read_markup
from hookwright_documentation.sources.site.middlewares import OK, read_header
from hookwright_documentation.sources.site.scope import (
    Scope,
    build_scope,
    find_language_folder,
    find_version_folder,
    read_language,
    replace_folder,
)
from hookwright_documentation.sources.urls import find_url_folder, normalize, resolve

REDIRECTS = 10
REDIRECT_STATUS = (301, 302, 303, 307, 308)
Fetch = Callable[[str], Awaitable[Response]]  # fetches a URL; raises ReportedError


async def open_source(options: CrawlOptions, fetch: Fetch) -> tuple[Response, Scope]:
    """Return a crawl's first page, and which pages belong to the crawl."""
    source = normalize(options.source)
    if not source and "@" in options.source.partition("://")[2].partition("/")[0]:
        raise ReportedError(
            "the URL contains a user or password, which are never sent: remove them"
        )
    if not source:
        raise ReportedError(
            f"not a documentation address: '{shorten_url(options.source)}': "
            "use one that begins with https://, or a folder"
        )
    response, markup = await follow_redirects(source, fetch)
    if options.version:
        folder = find_version_folder(response.url)
        other = replace_folder(response.url, folder, options.version)
        below = urljoin(find_url_folder(response.url), f"{options.version}/")
        candidates = [other if folder else below]
        response, markup = await choose_existing(response, markup, candidates, "version", fetch)
    if options.language and read_language(markup.language) != read_language(options.language):
        candidates = list_languages(response.url, markup, options.language)
        response, markup = await choose_existing(response, markup, candidates, "language", fetch)
    prefix = normalize(options.prefix) or find_url_folder(response.url)
    language = options.language or markup.language or find_language_folder(response.url)
    scope = build_scope(options, prefix, language.lower().replace("_", "-"))
    scope.note_markup(markup)
    return response, scope


async def follow_redirects(url: str, fetch: Fetch) -> tuple[Response, Markup]:
    for _ in range(REDIRECTS):
        response = await fetch(url)
        target = find_redirect(response)
        markup = Markup()
        if not target:
            if response.status != OK:
                raise ReportedError(explain_status(url, response.status))
            markup = read_markup(url, response.body, read_header(response, "X-Robots-Tag"))
            target = markup.refresh if markup.refresh != url else ""
        if not target:
            return response, markup
        if is_downgrade(url, target):
            raise ReportedError(
                f"{shorten_url(url)} redirects from https to {shorten_url(target)}: use that URL"
            )
        url = target
    raise ReportedError(
        f"{shorten_url(url)}: redirected over {REDIRECTS} times: use the address of a page"
    )


async def choose_existing(
    response: Response, markup: Markup, candidates: list[str], kind: str, fetch: Fetch
) -> tuple[Response, Markup]:
    """Return the first existing page in a language or version; raises ReportedError."""
    for url in candidates:
        if url == response.url:
            return response, markup
        with suppress(ReportedError):
            return await follow_redirects(url, fetch)
    raise ReportedError(
        f"{kind} not found: looked for {shorten(candidates[-1])}: leave out --{kind}, "
        f"or use its URL"
    )


def list_languages(url: str, markup: Markup, wanted: str) -> list[str]:
    found = [
        target
        for language, target in markup.alternates.items()
        if language.replace("_", "-") == wanted.lower().replace("_", "-")
    ]
    if folder := find_language_folder(url):
        found.append(replace_folder(url, folder, wanted))
    return [*found, urljoin(find_url_folder(url), f"{wanted}/")]


def find_redirect(response: Response) -> str:
    """Return the target of a redirect, or "" if the page is not a redirect."""
    is_redirect = response.status in REDIRECT_STATUS
    return resolve(response.url, read_header(response, "Location")) if is_redirect else ""


def is_downgrade(url: str, target: str) -> bool:
    return urlsplit(url).scheme == "https" and urlsplit(target).scheme == "http"
