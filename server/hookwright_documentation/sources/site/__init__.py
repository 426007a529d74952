"""Documentation sites: the pages reachable by links from a URL."""

from hookwright_documentation.sources.registry import Source, find_url_fault


def recognise(text: str) -> Source:
    return Source(text, fault=find_url_fault(text))
