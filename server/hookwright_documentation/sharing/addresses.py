"""Which addresses are shared, and which of those that were shared are followed."""

import re
from urllib.parse import urlsplit, urlunsplit

from hookwright_documentation.crawl.addresses import is_private_name, is_public, may_be_own
from hookwright_documentation.crawl.urls import normalize

GIT = "git+"  # before the address of a repository
DOMAIN = re.compile(r"[A-Za-z0-9-]+(?:[.][A-Za-z0-9-]+)+")
LINK = re.compile(r"https?://[^\s()<>\[\]\"'`]{1,2000}")


def is_followed(url: str) -> bool:
    """Return whether a stranger's address is of the internet, by its name, and has no user."""
    host = urlsplit(normalize(url.removeprefix(GIT))).hostname or ""
    return bool(host) and not is_private_name(host) and (not may_be_own(host) or is_public(host))


def is_domain(name: str) -> bool:
    """Return whether a stranger's domain is one of the internet, by its name alone."""
    return bool(DOMAIN.fullmatch(name)) and is_followed(f"https://{name}/")


def remove_secrets(url: str) -> str:
    """Return an address without its user and password, and without a query that has a secret."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    parts = parts._replace(netloc=parts.netloc.rpartition("@")[2], fragment="")
    return urlunsplit(parts._replace(query="") if has_secret(urlunsplit(parts)) else parts)


def has_secret(text: str) -> bool:
    """Return whether an address in a text has a user's password or a key in it."""
    if "?" not in text and "@" not in text:
        return False
    from hookwright_secret_scan.credentials import find_secret

    links = (found[0] for found in LINK.finditer(text))
    return any(find_secret(one) for one in links if "?" in one or "@" in one)
