"""What a crawl is asked for, what it took, and that it broke off."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hookwright_console.errors import ReportedError


@dataclass(frozen=True)
class CrawlOptions:
    """What to crawl, and when to stop."""

    source: str  # a URL, the path of a folder, or anything else that a kind of source recognises
    name: str = ""  # that of the database
    prefix: str = ""  # the address that all pages begin with; "" for the folder of the source
    max_pages: int = 2_000  # how many pages to take
    max_bytes: int = 500_000_000  # how many bytes to download
    max_depth: int = 20  # how many links to follow from the source to a page
    time_limit: float = 3_600  # how many seconds to take
    # Seconds between two requests; None to adapt to how fast the site answers.
    delay: float | None = None
    language: str = ""  # the language to take, such as fr; "" for that of the source
    version: str = ""  # the version to take, such as 3.12; "" for the stable or newest one
    # What the addresses of pages to leave out begin with, below the prefix.
    exclusions: Sequence[str] = ()
    python: str = ""  # the environment of installed packages; "" for the active one
    # Whether the addresses are of an archive: none leads to a private network.
    is_strangers: bool = False


@dataclass(frozen=True)
class CrawlReport:
    """What a crawl took."""

    prefix: str  # the address that all pages begin with
    language: str = ""  # the language of the pages, such as en, or "" if not known
    version: str = ""  # the version that is documented, or "" if not known
    notes: tuple[str, ...] = ()  # lines for the user
    choices: tuple[str, ...] = ()  # lines: which language and version, and how to choose others
    license: str = ""  # the SPDX identifier of the licence that the source names, or ""
    site: str = ""  # the URL of the site that the source is documented on, or ""
    copyright: str = ""  # the copyright notice that the source gives, or ""
    pages: int = 0
    unchanged: int = 0  # how many of them are as the crawl before found them
    date: str = ""  # of the crawl, as YYYY-MM-DD


def read_report(saved: dict[str, Any]) -> CrawlReport:
    values: dict[str, Any] = {
        name: tuple(one) if isinstance(one, list) else one for name, one in saved.items()
    }
    return CrawlReport(**values)


class UnfinishedError(ReportedError):
    """A crawl broke off, and the same one goes on where it stopped."""
