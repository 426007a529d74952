"""Find pages that only repeat others, such as a whole documentation on one page."""

import re
from collections import Counter
from collections.abc import Iterable

from hookwright_documentation.pages import Page

LENGTH = 25  # characters of a line that tells something
SHARE = 0.95  # of a page's lines
MIN_LINES = 5  # lines of a page that can repeat others
MAX_PAGES = 50  # pages: a line on more of them tells nothing
MARKUP = re.compile(r"\]\([^()\s<>]*\)|[\[\]]|\{#[^{}]*\}|^#+ ")


def find_repeats(pages: Iterable[Page]) -> set[str]:
    """Return the URLs of pages that consist of other pages as a whole.

    Of pages that are the same, one stays. A page stays that is part of a longer one, or shares
    only sections with others.
    """
    lines = {page.url: read_lines(page) for page in pages}
    count = Counter(line for own in lines.values() for line in own)
    owners: dict[int, list[str]] = {}
    for url, own in lines.items():
        own -= {line for line in own if count[line] > MAX_PAGES}
        for line in own:
            owners.setdefault(line, []).append(url)
    repeats: set[str] = set()
    for url in sorted(lines, key=lambda url: (-len(lines[url]), -len(url), url)):
        own = lines[url]
        shared = Counter(other for line in own for other in owners[line] if other not in repeats)
        del shared[url]
        whole = {other for other in shared if shared[other] >= SHARE * len(lines[other])}
        repeated = sum(not whole.isdisjoint(owners[line]) for line in own)
        if len(own) >= MIN_LINES and repeated >= SHARE * len(own):
            repeats.add(url)
    return repeats


def read_lines(page: Page) -> set[int]:
    plain = (MARKUP.sub("", line).strip() for line in page.text.split("\n"))
    return {hash(line) for line in plain if len(line) >= LENGTH}
