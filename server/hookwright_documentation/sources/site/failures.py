"""Explain why a site yielded no documentation."""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from hookwright_console.network.addresses import shorten_url
from hookwright_console.text import shorten
from hookwright_documentation.pages import FetchedPage
from hookwright_documentation.sources.site.markup import read_words

SHELL = 400  # characters; a page with less text is assumed to need JavaScript
TEXT = re.compile(r"(?:text/(?:html|plain|markdown|x-markdown|x-rst)|application/xhtml\+xml)\b")
LOGIN = re.compile(rb"type=([\"']?)password\1")
WHOLE = 20_000  # characters; a single page with less text is not a complete documentation
SERVER_ERROR = 500
NO_ANSWER = 599  # status recorded if the site does not respond
CERTIFICATES = "SSL_CERT_FILE"  # environment variable for a company's certificates, from OpenSSL
# Reasons for failed fetches, each with the part of the error's name that identifies it.
NOT_FOUND, REFUSED, TIMEOUT = "host not found", "connection refused", "no response in time"
FAILURES = {"Resolve": NOT_FOUND, "DNS": NOT_FOUND, "Refused": REFUSED, "Timeout": TIMEOUT}
FIXES = {
    401: "it needs a login: use a URL that is public, or a folder",
    403: "it blocks crawlers, or needs a login: use a URL that is public, or a folder",
    404: "check the URL",
    410: "check the URL",
    429: "it is busy: try again later",
}


def explain_status(url: str, status: int) -> str:
    default = "try again later" if status >= SERVER_ERROR else "open the URL in a browser"
    return f"{shorten_url(url)}: HTTP {status}: {FIXES.get(status, default)}"


def explain_error(
    url: str, error: BaseException, refused: dict[str, str], robots_status: int
) -> str:
    host = urlsplit(url).hostname or ""
    name, words = type(error).__name__, f"{error!r} {error.__cause__!r}"
    failure = name_failure(error)
    if host in refused:
        reason = explain_refused(host, refused[host])
    elif "robots.txt" in words and robots_status >= SERVER_ERROR:
        status = "no answer" if robots_status == NO_ANSWER else f"HTTP {robots_status}"
        reason = f"its robots.txt cannot be read ({status}): try again later"
    elif "robots.txt" in words:
        reason = "its robots.txt forbids a crawl: ask its owners, or crawl a downloaded copy"
    elif is_untrusted(words):
        reason = explain_untrusted(words)
    elif "SSL" in words:
        reason = "its TLS handshake failed: try http:// if the site has no https"
    elif failure == NOT_FOUND:
        reason = f"cannot find {host}: check the URL and the network"
    elif failure == REFUSED:
        variables = "HTTP_PROXY, HTTPS_PROXY and NO_PROXY"
        reason = f"{REFUSED}: check {variables if is_proxied(url) else 'the URL'}"
    elif failure == TIMEOUT:
        reason = f"{TIMEOUT}: try again later"
    elif "maxsize" in words.lower() or "Cancelled" in name:
        reason = "the page is too large: use the URL of another one"
    else:
        reason = f"cannot be fetched ({name}): check the URL and the network"
    return f"{shorten_url(url)}: {reason}"


def name_failure(error: BaseException | None) -> str:
    name = type(error).__name__
    return next((words for part, words in FAILURES.items() if part in name), "connection failed")


def is_untrusted(words: str) -> bool:
    return "certificate" in words.lower() or "VerificationError" in words


def explain_untrusted(words: str) -> str:
    lower = words.lower()
    if "mismatch" in lower or "match" in lower:
        return "its certificate is for another host: check the URL"
    if "expired" in lower or "not yet valid" in lower:
        return "its certificate is out of date: check this computer's clock, or ask its owners"
    path = os.environ.get(CERTIFICATES, "")
    way_out = f"set {CERTIFICATES} to your company's certificate file"
    if path and not Path(path).is_file():
        way_out = f"{CERTIFICATES} names {shorten(path)}, which is not a file"
    return f"its certificate is not trusted: {way_out}"


def is_proxied(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in getproxies() and not proxy_bypass(parts.hostname or "")


def explain_refused(host: str, address: str) -> str:
    found = "" if host == address else f"{address}, which is "
    return f"{host} is {found}not on the internet: if you trust it, use a URL with it"


def judge(count: int, sample: Sequence[FetchedPage], first: FetchedPage, prefix: str) -> str:
    """Return the reason why a site's response is not documentation, or ""."""
    where, below = shorten_url(first.url), shorten_url(prefix)
    if any(page.content_type and "html" not in page.content_type for page in sample):
        return ""  # a page that is not HTML shows all its content
    pages = sample or [first]
    if not any(page.body.strip() for page in pages):
        return f"{where}: it is empty: use another URL"
    if not count and first.content_type and not TEXT.match(first.content_type.lower()):
        return f"{where}: it is {shorten(first.content_type)}, not a page: use another URL"
    words = [read_words(page.body) for page in pages]
    bodies = [page.body.lower() for page in pages]
    if all(map(LOGIN.search, bodies)):
        return f"{where}: it asks for a login: use a URL that is public, or a folder"
    if all(len(word) < SHELL for word in words) and all(b"<script" in body for body in bodies):
        return (
            f"{where}: its pages are empty without JavaScript: look for an llms.txt, "
            "a download, or the sources of the documentation"
        )
    is_short = count == 1 and len(words[0]) < WHOLE
    found = "only one page" if is_short else "" if count else "no pages"
    return found and f"{where}: {found} found below {below}: use another URL or --prefix"
