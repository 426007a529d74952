"""Cut pages into markdown and passages."""

from collections.abc import Sequence

from hookwright_documentation.cutting.page_files import (
    find_repeats,
    list_pages,
    read_page,
    write_page,
)
from hookwright_documentation.cutting.passages import split
from hookwright_documentation.pages import FetchedPage, Page

__all__ = [
    "convert",
    "convert_all",
    "find_repeats",
    "list_pages",
    "read_page",
    "split",
    "write_page",
]


def convert(
    fetched: FetchedPage,
    crawled: str,
    version: str = "",
    license: str = "",  # noqa: A002
) -> Page | None:
    """Return a page in markdown, or None where it has no content.

    `crawled` is the date on which it was fetched, as YYYY-MM-DD; `version` that of what it
    documents, or ""; `license` an SPDX identifier, or "" for the licence that it names.
    """
    from hookwright_documentation.cutting.conversion import convert_page

    return convert_page(fetched, crawled, version, license)


def convert_all(
    pages: Sequence[FetchedPage],
    crawled: str,
    version: str = "",
    license: str = "",  # noqa: A002
) -> list[Page]:
    """Return the pages of a documentation in markdown; arguments as of `convert`."""
    from hookwright_documentation.cutting.conversion import convert_pages

    return convert_pages(pages, crawled, version, license)
