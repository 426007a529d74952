"""Say which language and version were taken, and how to choose others."""

from collections.abc import Iterable

from hookwright_console.text import name_some, shorten
from hookwright_documentation.crawl.scope import Scope, is_language

MAX_SHOWN = 5  # names in a note


def describe_choices(scope: Scope, version: str, folder: str) -> tuple[str, ...]:
    """Return which language and version were taken, and how to choose others.

    A language that the user named is left out.
    """
    notes = []
    if scope.language and not scope.is_language_named:
        others = name_others(one for one in scope.mirrors if is_language(one))
        there = f" (also there: {others})" if others else ""
        notes.append(f"language {shorten(scope.language)}{there}: choose another with --language")
    if version or scope.versions:
        named = version if folder in ("", version) else f"{version} ({folder})".lstrip()
        others = name_others(scope.versions - {folder})
        there = f" (also there: {others})" if others else ""
        taken = f"version {shorten(named)}" if named.strip() else "pages of no version"
        notes.append(f"{taken}{there}: choose another with --version")
    return tuple(notes)


def name_others(names: Iterable[str]) -> str:
    return name_some([shorten(name) for name in sorted(names)], MAX_SHOWN)
