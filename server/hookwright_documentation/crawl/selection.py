"""Choose among the pages of a site: each content once, and none that says a page is missing."""

import hashlib

from hookwright_documentation.crawl.markup import Markup
from hookwright_documentation.crawl.urls import find_twins
from hookwright_documentation.pages import FetchedPage

SHORT = 3  # characters of a name that can stand in any text


class Selection:
    """The pages that a crawl takes."""

    def __init__(self) -> None:
        self._pages: dict[str, str] = {}  # the address of each content
        self._canonical: dict[str, str] = {}  # the page that another one is a form of
        self._missing = ""

    def __len__(self) -> int:
        return len(self._pages)

    def note_missing(self, page: FetchedPage | None) -> None:
        self._missing = identify(page.url, page.body) if page else ""

    def add(self, url: str, body: bytes, markup: Markup) -> None:
        """Take a page, under the shortest of the addresses that it was found at."""
        if self._missing and identify(url, body) == self._missing:
            return
        content = hashlib.sha256(body).hexdigest()
        other = self._pages.get(content, url)
        self._pages[content] = min(url, other, key=lambda one: (len(one), one))
        if markup.canonical and "?" in url:
            self._canonical[url] = markup.canonical

    def list_urls(self) -> list[str]:
        urls = set(self._pages.values())
        covered = {twin for url in urls for twin in find_twins(url)}
        forms = {url for url, canonical in self._canonical.items() if canonical in urls - {url}}
        return sorted(urls - covered - forms)


def identify(url: str, body: bytes) -> str:
    name = url.rstrip("/").rpartition("/")[2].encode()
    return hashlib.sha256(body.replace(name, b"") if len(name) > SHORT else body).hexdigest()
