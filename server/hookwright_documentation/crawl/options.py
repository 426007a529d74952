"""What a crawl is asked for, and what it took."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class CrawlOptions:
    """What to crawl, and when to stop.

    Args:
        source: A URL, the path of a folder of pages, or another kind that `recognition` knows.
        prefix: The address that all pages begin with; "" for the folder of the source.
        max_pages: How many pages to take.
        max_bytes: How many bytes to download.
        max_depth: How many links to follow from the source to a page.
        time_limit: How many seconds to take.
        delay: Seconds between two requests; None to adapt to how fast the site answers.
        language: The language to take, such as fr; "" for that of the source.
        version: The version to take, such as 3.12; "" for the stable or newest one.
        exclusions: What the addresses of pages to leave out begin with, below the prefix.
        python: The environment of installed packages; "" for the active one.
        is_strangers: Whether the addresses are of an archive: none leads to a private network.

    """

    source: str
    prefix: str = ""
    max_pages: int = 2_000
    max_bytes: int = 500_000_000
    max_depth: int = 20
    time_limit: float = 3_600
    delay: float | None = None
    language: str = ""
    version: str = ""
    exclusions: Sequence[str] = ()
    python: str = ""
    is_strangers: bool = False


@dataclass(frozen=True)
class CrawlReport:
    """What a crawl took.

    Args:
        prefix: The address that all pages begin with.
        language: The language of the pages, such as en, or "" if not known.
        version: The version that is documented, or "" if not known.
        pages: How many pages there are.
        unchanged: How many of them are as the crawl before found them.
        notes: Lines for the user.
        choices: Which language and version were taken, and how to choose others, in lines.
        license: The SPDX identifier of the licence that the source names, or "".
        site: The URL of the site that the source is documented on, or "".
        copyright: The copyright notice that the source gives, or "".

    """

    prefix: str
    language: str
    version: str
    pages: int
    unchanged: int
    notes: tuple[str, ...]
    choices: tuple[str, ...]
    license: str = ""
    site: str = ""
    copyright: str = ""
