"""Say why a site gave no documentation."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from hookwright_console.addresses import shorten_url
from hookwright_documentation.crawl.markup import read_words
from hookwright_documentation.pages import FetchedPage

SHELL = 400  # characters of text that a page which needs JavaScript may show
WHOLE = 20_000  # characters of a page that is a documentation by itself
SERVER_ERROR = 500
WAYS_OUT = {
    401: "it needs a login, which a crawl has not",
    403: "it refuses programs, or needs a login",
    404: "check the URL",
    410: "check the URL",
    429: "it is busy: try again later",
}


def explain_status(url: str, status: int) -> str:
    """Return that a site answers with a status, and what to do."""
    default = "try again later" if status >= SERVER_ERROR else "open the URL in a browser"
    return f"{shorten_url(url)}: HTTP {status}: {WAYS_OUT.get(status, default)}"


def explain_error(
    url: str, error: BaseException, refused: dict[str, str], robots_status: int
) -> str:
    """Return why a site cannot be reached, and what to do.

    Args:
        url: The address.
        error: What was raised.
        refused: The hosts that were refused, with their addresses.
        robots_status: The status with which the site gave its robots.txt.

    """
    host = urlsplit(url).hostname or ""
    name, words = type(error).__name__, f"{error!r} {error.__cause__!r}"
    if host in refused:
        reason = f"{host} is {refused[host]}, which is not on the internet: if you mean it, give it"
    elif "robots.txt" in words and robots_status >= SERVER_ERROR:
        reason = f"its robots.txt cannot be read (HTTP {robots_status}): try again later"
    elif "robots.txt" in words:
        reason = "its robots.txt forbids a crawl: ask its owners, or crawl a downloaded copy"
    elif "certificate" in words.lower():
        reason = "its certificate is not trusted: name the company's in SSL_CERT_FILE"
    elif "SSL" in words:
        reason = "it does not speak TLS as it should: try http:// if the site has no https"
    elif "Resolve" in name or "DNS" in name:
        reason = f"cannot find {host}: check the URL and the network"
    elif "Refused" in name:
        reason = "connection refused: check the URL"
    elif "Timeout" in name:
        reason = "no answer in time: try again later"
    elif "maxsize" in words.lower() or "Cancelled" in name:
        reason = "the page is too large: give the URL of another one"
    else:
        reason = f"cannot be fetched ({name}): check the URL and the network"
    return f"{shorten_url(url)}: {reason}"


def judge(count: int, sample: Sequence[FetchedPage], first: FetchedPage, prefix: str) -> str:
    """Return why what a site gave is not its documentation; "" where it is.

    Args:
        count: How many pages the site gave.
        sample: Some of them.
        first: The page that the crawl began with.
        prefix: What all addresses begin with.

    """
    where, below = shorten_url(first.url), shorten_url(prefix)
    if any(page.content_type and "html" not in page.content_type for page in sample):
        return ""  # text shows all that it has
    pages = sample or [first]
    words = [read_words(page.body) for page in pages]
    if all(needs_login(page) for page in pages):
        return f"{where}: it asks for a login: give a URL that is public, or a folder"
    if all(is_shell(page, text) for page, text in zip(pages, words, strict=True)):
        return (
            f"{where}: its pages are empty without JavaScript: look for an llms.txt, "
            "a download, or the sources of the documentation"
        )
    if not count:
        return f"{where}: no pages found below {below}: give another URL or --prefix"
    if count == 1 and len(words[0]) < WHOLE:
        return f"{where}: only one page found below {below}: give another URL or --prefix"
    return ""


def is_shell(page: FetchedPage, words: str) -> bool:
    """Return whether a page shows hardly any text until its scripts run."""
    return len(words) < SHELL and b"<script" in page.body.lower()


def needs_login(page: FetchedPage) -> bool:
    """Return whether a page asks for a password."""
    body = page.body.lower()
    return b'type="password"' in body or b"type='password'" in body or b"type=password" in body
