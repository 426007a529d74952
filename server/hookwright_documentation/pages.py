"""The records passed between the steps: fetched pages, pages in markdown, passages."""

from dataclasses import dataclass


@dataclass(frozen=True)
class FetchedPage:
    """A page as its site sent it."""

    url: str  # address after redirects, without a fragment
    content_type: str  # media type and charset as the site sent them, such as text/html
    body: bytes  # decompressed


@dataclass(frozen=True)
class NamedTarget:
    """A name that a site gives an address, such as an entry of objects.inv or of an index."""

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
    text: str  # markdown; headings and definitions keep their anchors, links their targets


@dataclass(frozen=True)
class Draft:
    """A page in markdown before it is compared with the others of its site."""

    page: Page  # may lack a heading with the title
    titles: tuple[str, ...]  # candidates for the title, the likeliest first, or ""
    lines: dict[str, str]  # short texts at the top, by the kind of their elements


@dataclass(frozen=True)
class Passage:
    """A part of a page: the text below a heading or an API definition."""

    url: str  # address of the page, without a fragment
    anchor: str  # fragment of the passage, or ""
    headings: tuple[str, ...]  # title of the page and the headings down to the passage
    text: str  # markdown without the heading, with balanced fences
    # Address and text of each link in the passage, including links to fragments.
    targets: tuple[tuple[str, str], ...] = ()
    aliases: tuple[str, ...] = ()  # other fragments of the passage
