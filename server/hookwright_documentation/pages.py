"""What moves between the steps: fetched pages, pages in markdown, passages."""

from dataclasses import dataclass


@dataclass(frozen=True)
class FetchedPage:
    """A page as its site sent it."""

    url: str  # its address after redirects, without a fragment
    content_type: str  # the media type and charset, as the site gave them, such as text/html
    body: bytes  # the bytes, decompressed


@dataclass(frozen=True)
class NamedTarget:
    """What a site itself names and links to, such as an entry of objects.inv or of an index."""

    name: str  # the name, such as re.sub
    url: str  # the exact address, with the fragment if there is one


@dataclass(frozen=True)
class Page:
    """A page in markdown, as it is stored and shared."""

    url: str  # its address, without a fragment
    title: str  # its title, without the name of the site
    version: str  # the version of what it documents, or ""
    license: str  # the SPDX identifier of its licence, or "" if not known
    crawled: str  # the date on which it was fetched, as YYYY-MM-DD
    text: str  # the markdown. Headings and API definitions keep their anchors, links their targets


@dataclass(frozen=True)
class Draft:
    """A page in markdown before it is compared with the others of its site."""

    page: Page  # its text may lack a heading with its title
    titles: tuple[str, ...]  # what may be its title, or "": the likeliest, then each kind
    lines: dict[str, str]  # the short texts at its top, by the kind of their elements


@dataclass(frozen=True)
class Passage:
    """A part of a page: what stands below a heading or an API definition."""

    url: str  # the address of the page, without a fragment
    anchor: str  # the fragment that leads to the passage, or ""
    headings: tuple[str, ...]  # the title of the page, and the headings down to the passage
    text: str  # the markdown, with balanced fences, without the heading
    # The address and text of each link in the passage, fragments included.
    targets: tuple[tuple[str, str], ...] = ()
    aliases: tuple[str, ...] = ()  # other fragments that lead to the passage
