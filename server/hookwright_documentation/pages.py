"""The records passed between steps: fetched pages, markdown pages and passages."""

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True)
class FetchedPage:
    """A page as received from its site."""

    url: str  # address after redirects, without fragment
    content_type: str  # media type and charset as sent by the site, such as text/html
    body: bytes  # decompressed


class NamedTarget(NamedTuple):
    """A name that a site assigns to an address, such as an entry in objects.inv or an index."""

    name: str  # the name, such as re.sub
    url: str  # exact address, including any fragment


@dataclass(frozen=True)
class Page:
    """A page in markdown, as stored and shared."""

    url: str  # address without fragment
    title: str  # title without the site's name
    version: str  # documented version, or ""
    license: str  # SPDX identifier of its licence, or "" if unknown
    crawled: str  # date of the fetch, as YYYY-MM-DD
    text: str  # markdown, including the anchors of headings and definitions, and link targets


@dataclass(frozen=True)
class Draft:
    """A markdown page before it is compared with the site's other pages."""

    page: Page  # may lack a title heading
    titles: tuple[str, ...]  # title candidates, likeliest first, or ""


@dataclass(frozen=True)
class Passage:
    """A part of a page: the text below a heading or an API definition."""

    url: str  # the page's address, without fragment
    anchor: str  # the passage's fragment, or ""
    headings: tuple[str, ...]  # the page's title and the headings down to the passage
    text: str  # markdown without the heading, with balanced fences
    # Address and text of each link in the passage, including links to fragments.
    targets: tuple[tuple[str, str], ...] = ()
    aliases: tuple[str, ...] = ()  # other fragments that lead to the passage
