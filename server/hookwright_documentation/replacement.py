"""Say what a rebuilt database replaces."""

from hookwright_console.terminal import count
from hookwright_documentation.databases import Manifest

KEPT = 0.7  # the share of the old pages and passages that a refresh keeps without asking


def describe_change(old: Manifest, new: Manifest) -> tuple[str, ...]:
    """Return what another source, or less text, replaced, in lines."""
    lines = []
    before, after = count(old.pages, "page"), f"{new.pages:,}"
    if old.source != new.source:
        lines.append(f"replaced {before} of {old.source} by {after} of {new.source}")
    elif new.pages < KEPT * old.pages:
        lines.append(f"replaced {before} by {after}")
    if old.license not in {"", new.license}:
        lines.append(f"the licence was {old.license}, and is {new.license or 'unknown'} now")
    return tuple(lines)
