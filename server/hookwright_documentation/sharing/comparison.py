"""Say what an archive changes in a database that there is."""

from collections.abc import Sequence
from dataclasses import dataclass

from hookwright_console.terminal import count
from hookwright_documentation.cutting import list_pages, read_page
from hookwright_documentation.databases import Database
from hookwright_documentation.pages import Page

NAMED = 3  # pages of each kind


@dataclass(frozen=True)
class Comparison:
    """The addresses of the pages that an archive adds, changes and removes, in order."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed)

    def list_lines(self) -> list[str]:
        kinds = {"added": self.added, "changed": self.changed, "removed": self.removed}
        return [
            f"{count(len(urls), 'page')} {kind}: {', '.join(urls[:NAMED])}"
            + (", ..." if len(urls) > NAMED else "")
            for kind, urls in kinds.items()
            if urls
        ]


def compare(database: Database, pages: Sequence[Page]) -> Comparison:
    """Return what differs between the pages of a database and others; raises RefusedError."""
    before = {page.url: page for page in map(read_page, list_pages(database.pages))}
    after = {page.url: page for page in pages}
    changed = [
        url
        for url, page in after.items()
        if url in before and (page.title, page.text) != (before[url].title, before[url].text)
    ]
    return Comparison(
        tuple(sorted(after.keys() - before.keys())),
        tuple(sorted(changed)),
        tuple(sorted(before.keys() - after.keys())),
    )
