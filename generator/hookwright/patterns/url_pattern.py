"""Propose the pattern of a route from a URL that it is for."""

import re


def propose_pattern(url: str) -> str:
    """Return a pattern for the URLs that are like one: any number may stand for each of its."""
    address = re.split("[?#]", url.strip())[0]
    return "^" + r"\d+".join(re.escape(part) for part in re.split(r"\d+", address))
