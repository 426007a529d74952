"""Remember what pages say about themselves, so that those unchanged need not be parsed again."""

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hookwright_console.atomic_files import replacing
from hookwright_console.regular_files import read_regular
from hookwright_documentation.crawl.markup import Markup, read_markup

REMEMBERED = "markup.json"
MAX_LINKS = 500_000  # that are remembered of all pages together
FORMAT = 1  # another number when the reading of pages changes


class MarkupMemory:
    """The markup of the pages of the crawl before, and of this one."""

    def __init__(self, folder: Path) -> None:
        """Read what the crawl before remembered; nothing where it cannot be read."""
        self._path = folder / REMEMBERED
        self._links = 0
        self._now: dict[str, dict[str, Any]] = {}
        self._before: dict[str, dict[str, Any]] = {}
        try:
            saved = json.loads(read_regular(self._path))
            if saved["format"] == FORMAT:
                self._before = saved["pages"]
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return

    def read(self, url: str, body: bytes, robots: str) -> Markup:
        """Return what a page says about itself; arguments as of `read_markup`."""
        key = f"{hashlib.sha256(body).hexdigest()} {url} {robots}"
        if known := self._before.get(key):
            self._links += len(known["links"])
            self._now[key] = known
            return Markup(**{**known, "links": tuple(known["links"])})
        markup = read_markup(url, body, robots)
        self._links += len(markup.links)
        if self._links <= MAX_LINKS:
            self._now[key] = asdict(markup)
        return markup

    def save(self) -> None:
        """Write what the next crawl can use; raises OSError."""
        with replacing(self._path) as file:
            json.dump({"format": FORMAT, "pages": self._now}, file)
