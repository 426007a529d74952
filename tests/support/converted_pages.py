"""Convert pages as a build does, but in this process."""

from collections.abc import Sequence

from hookwright_documentation.cutting.conversion import draft_page
from hookwright_documentation.cutting.site import compare_pages, finish_pages
from hookwright_documentation.pages import FetchedPage, Page


def convert_page(
    fetched: FetchedPage, crawled: str, version: str = "", known_license: str = ""
) -> Page | None:
    """Return a page in markdown, or None if it has no content; `crawled` is YYYY-MM-DD."""
    return next(iter(convert_pages([fetched], crawled, version, known_license)), None)


def convert_pages(
    pages: Sequence[FetchedPage], crawled: str, version: str = "", known_license: str = ""
) -> list[Page]:
    site, kept = compare_pages(pages)
    drafts = (
        draft_page(page, site.list_fragments(page.url), crawled, version, known_license)
        for page in kept
    )
    return finish_pages([draft for draft in drafts if draft], site)
