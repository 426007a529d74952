"""Find pages that only repeat others, such as a whole documentation on one page."""

import re
from collections.abc import Iterable

from hookwright_documentation.pages import Page

LEAST = 25  # characters of a line that tells something
SHARE = 0.95  # of the lines, which others have too
LINK = re.compile(r"\]\([^()\s<>]*\)|[\[\]]|\{#[^{}]*\}|^#+ ")


def find_repeats(pages: Iterable[Page]) -> set[str]:
    """Return the URLs of pages all but 5 % of whose lines stand on other pages, too.

    Of pages that are the same, one stays. A page stays that is only part of a longer one.
    """
    lines = {page.url: read_lines(page) for page in pages}
    owners: dict[int, list[str]] = {}
    for url, own in lines.items():
        for line in own:
            owners.setdefault(line, []).append(url)
    repeats: set[str] = set()
    for url in sorted(lines, key=lambda url: (-len(lines[url]), -len(url), url)):
        own = lines[url]
        known = sum(
            any(
                other != url and other not in repeats and len(lines[other]) <= 2 * len(own)
                for other in owners[line]
            )
            for line in own
        )
        if own and known >= SHARE * len(own):
            repeats.add(url)
    return repeats


def read_lines(page: Page) -> set[int]:
    """Return the lines of a page as numbers, without what links and anchors add."""
    plain = (LINK.sub("", line).strip() for line in page.text.split("\n"))
    return {hash(line) for line in plain if len(line) >= LEAST}
