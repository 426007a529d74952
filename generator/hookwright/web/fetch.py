"""Read a file, or fetch one by its URL, without trusting either."""

import os
import re
import stat
import threading
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request

from hookwright.web.openers import build_opener, word_failure
from hookwright_console.addresses import shorten_url
from hookwright_console.errors import RefusedError
from hookwright_console.peers import is_loopback

MAX_SIZE = 1_000_000  # bytes
LIMIT = 10.0  # seconds for the whole download
UNFIT = re.compile("[\ud800-\udfff]")  # bytes that are not UTF-8, as Python decodes them
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")  # longer than the letter of a drive


class UnreadableError(RefusedError):
    """A file is not there, or cannot be read."""


def find_source(source: str) -> str:
    """Return the name that a source is stored by: the URL, or the absolute path.

    Raises:
        RefusedError: The URL is not allowed.

    """
    if not SCHEME.match(source):
        if UNFIT.search(source):
            raise RefusedError(f"the name of {source} is not UTF-8: rename the file")
        return os.path.abspath(source)  # noqa: PTH100 - without .., and by the links that it names
    try:
        check_url(urlsplit(source))
    except ValueError as error:
        raise RefusedError(f"{source} is not a URL ({error}): correct it") from None
    return source


def check_url(url: SplitResult) -> None:
    """Check that a URL is encrypted or local, and contains no password.

    Raises:
        RefusedError: It is not, or it does.

    """
    shown = url._replace(netloc=url.netloc.rpartition("@")[2]).geturl()
    if url.scheme not in {"http", "https"} or not url.hostname:
        raise RefusedError(f"{shown} is not an https URL: use one, or the path of a file")
    if "@" in url.netloc:
        raise RefusedError(
            f"{shown} comes with a password, which the project would store: download the file and "
            "use its path"
        )
    # Whoever can change the first download decides what agents read; later ones are compared.
    if url.scheme == "http" and not is_loopback(url.hostname):
        raise RefusedError(f"{shown} is not encrypted: use its https URL")


def fetch(source: str) -> bytes:
    """Return the content of a source.

    Args:
        source: A path or a URL, which may come from anybody's file.

    Raises:
        RefusedError: It is not allowed, cannot be fetched, or is too large.

    """
    source = find_source(source)
    return fetch_url(source) if SCHEME.match(source) else read_file(Path(source))


def read_file(path: Path) -> bytes:
    """Return the content of a regular file; raises as `fetch` does."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise RefusedError(f"{path} is not a regular file: choose another")
        with path.open("rb") as file:
            return check_size(str(path), file.read(MAX_SIZE + 1))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UnreadableError(f"{path} cannot be read: {reason}: check the path") from None


def check_size(source: str, content: bytes) -> bytes:
    """Return the content of a source if it is small enough; raises as `fetch` does."""
    if len(content) > MAX_SIZE:
        raise RefusedError(f"{source} is too large: a catalogue has at most {MAX_SIZE:,} bytes")
    return content


def fetch_url(url: str) -> bytes:
    """Return the content of a URL; raises as `fetch` does."""
    came: list[bytes | Exception] = []

    def run() -> None:
        try:
            came.append(request(url))
        except Exception as error:  # noqa: BLE001 - the other thread raises it
            getattr(error, "close", bool)()  # an HTTP error is an open response
            came.append(error)

    # The time limit of a socket is per read, and a server may send bytes for ever.
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(LIMIT)
    if not came:
        raise RefusedError(f"{url} took more than {LIMIT:.0f} s: try again later")
    (answer,) = came
    if isinstance(answer, RefusedError):
        raise answer
    if isinstance(answer, Exception):
        reason = word_failure(answer)
        raise RefusedError(f"{url} cannot be fetched ({reason}): check it, or try again later")
    return check_size(url, answer)


def request(url: str) -> bytes:
    # A plain http URL is local, and a proxy has another loopback interface.
    proxies = [] if url.casefold().startswith("http:") else [ProxyHandler()]
    opener = build_opener(SameSiteRedirects(url), *proxies)
    with opener.open(Request(url), timeout=LIMIT) as answer:  # noqa: S310 - of https or the loopback interface
        content: bytes = answer.read(MAX_SIZE + 1)
        return content


class SameSiteRedirects(HTTPRedirectHandler):
    """Follows redirects within the site that the user named, and to no other."""

    def __init__(self, url: str) -> None:
        self._url = url

    def redirect_request(self, *details: Any) -> Request | None:
        """Return the request to follow; raise RefusedError where it goes to another site."""
        target = urlsplit(str(details[-1]))
        if (target.scheme, target.netloc) != urlsplit(self._url)[:2]:
            details[1].close()
            shown = shorten_url(target.geturl())
            raise RefusedError(f"{self._url} redirects to {shown}: give that URL if you trust it")
        return super().redirect_request(*details)
