"""The records passed between steps: fetched pages, pages in markdown, passages."""

from dataclasses import dataclass


@dataclass(frozen=True)
class FetchedPage:
    """A page as received from its site."""

    url: str  # address after redirects, without a fragment
    content_type: str  # media type and charset as sent by the site, such as text/html
    body: bytes  # decompressed


@dataclass(frozen=True)
class NamedTarget:
    """A name that a site assigns to an address, such as an entry of objects.inv or of an index."""

    name: str  # the name, such as re.sub
    url: str  # exact address, with the fragment if it has one


@dataclass(frozen=True)
class Page:
    """A page in markdown, as stored and shared."""

    url: str  # address without a fragment
    title: str  # title without the name of the site
    version: str  # documented version, or ""
    license: str  # SPDX identifier of its licence, or "" if unknown
    crawled: str  # date it was fetched, as YYYY-MM-DD
    text: str  # markdown; headings and definitions include their anchors, links their targets


@dataclass(frozen=True)
class Draft:
    """A page in markdown before the comparison with other pages of its site."""

    page: Page  # may lack a title heading
    titles: tuple[str, ...]  # title candidates, likeliest first; or ""
    lines: dict[str, str]  # short texts at the top, by kind of element


@dataclass(frozen=True)
class Passage:
    """A part of a page: the text below a heading or an API definition."""

    url: str  # address of the page, without a fragment
    anchor: str  # fragment of the passage, or ""
    headings: tuple[str, ...]  # the page's title and the headings down to the passage
    text: str  # markdown without the heading, with balanced fences
    # Address and text of each link in the passage, including links to fragments.
    targets: tuple[tuple[str, str], ...] = ()
    aliases: tuple[str, ...] = ()  # other fragments of the passage
