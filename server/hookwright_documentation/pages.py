"""What moves between the steps: fetched pages, pages in markdown, passages."""

from dataclasses import dataclass


@dataclass(frozen=True)
class FetchedPage:
    """A page as its site sent it.

    Args:
        url: Its address after redirects, without a fragment.
        content_type: The media type and charset, as the site gave them, such as text/html.
        body: The bytes, decompressed.

    """

    url: str
    content_type: str
    body: bytes


@dataclass(frozen=True)
class NamedTarget:
    """What a site itself names and links to, such as an entry of objects.inv or of an index.

    Args:
        name: The name, such as re.sub.
        url: The exact address, with the fragment if there is one.

    """

    name: str
    url: str


@dataclass(frozen=True)
class Page:
    """A page in markdown, as it is stored and shared.

    Args:
        url: Its address, without a fragment.
        title: Its title, without the name of the site.
        version: The version of what it documents, or "".
        license: The SPDX identifier of its licence, or "" if not known.
        crawled: The date on which it was fetched, as YYYY-MM-DD.
        text: The markdown. Headings and API definitions keep their anchors, links their targets.

    """

    url: str
    title: str
    version: str
    license: str
    crawled: str
    text: str


@dataclass(frozen=True)
class Passage:
    """A part of a page: what stands below a heading or an API definition.

    Args:
        url: The address of the page, without a fragment.
        anchor: The fragment that leads to the passage, or "".
        headings: The title of the page, and the headings down to the passage.
        text: The markdown, with balanced fences, without the heading.
        targets: The address and text of each link in the passage, fragments included.
        aliases: Other fragments that lead to the passage.

    """

    url: str
    anchor: str
    headings: tuple[str, ...]
    text: str
    targets: tuple[tuple[str, str], ...] = ()
    aliases: tuple[str, ...] = ()
