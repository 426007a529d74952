"""Read a file of the user's, or fetch one by its URL, and trust neither."""

import re
import stat
import threading
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request

from hookwright.web.openers import build_opener
from hookwright_console.errors import RefusedError
from hookwright_console.peers import is_loopback

MOST = 1_000_000  # bytes
LIMIT = 10.0  # seconds, for all of it
UNFIT = re.compile("[\ud800-\udfff]")  # what bytes that are no UTF-8 are decoded to
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")  # longer than the letter of a drive


def find_source(source: str) -> str:
    """Return a URL as it is, and a path as an absolute one: what a source is known by.

    Raises:
        RefusedError: It is a URL that is not taken.

    """
    if not SCHEME.match(source):
        if UNFIT.search(source):
            raise RefusedError(f"the name of {source} is no UTF-8, and cannot be kept: rename it")
        return str(Path(source).absolute())
    try:
        check_url(urlsplit(source))
    except ValueError as error:
        raise RefusedError(f"{source} is no URL ({error}): mend it") from None
    return source


def check_url(url: SplitResult) -> None:
    """Check that what a URL leads to comes unchanged, and that the URL holds no secret.

    Raises:
        RefusedError: It does not, or it does.

    """
    shown = url._replace(netloc=url.netloc.rpartition("@")[2]).geturl()
    if url.scheme not in {"http", "https"} or not url.hostname:
        raise RefusedError(f"{shown} is no https URL: give one, or the path of a file")
    if "@" in url.netloc:
        raise RefusedError(
            f"{shown} is given with a password, which would be kept in the project: fetch it "
            "yourself, and give the file"
        )
    # Once here it is pinned; but who changes it on its first way decides what agents are told.
    if url.scheme == "http" and not is_loopback(url.hostname):
        raise RefusedError(f"{shown} can be changed on its way here: give its https URL")


def fetch(source: str) -> bytes:
    """Return what a source holds.

    Args:
        source: A path or a URL; it may stand in a file that anybody wrote.

    Raises:
        RefusedError: It is not taken, cannot be had, or is too large.

    """
    source = find_source(source)
    return fetch_url(source) if SCHEME.match(source) else read_file(Path(source))


def read_file(path: Path) -> bytes:
    """Return what a regular file holds; raises as `fetch` does."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise RefusedError(f"{path} is no regular file: name one")
        with path.open("rb") as file:
            return check_size(str(path), file.read(MOST + 1))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise RefusedError(f"{path} cannot be read: {reason}") from None


def check_size(source: str, content: bytes) -> bytes:
    """Return what a source holds; raises as `fetch` does."""
    if len(content) > MOST:
        raise RefusedError(f"{source} holds more than {MOST:,} bytes: no catalogue is so large")
    return content


def fetch_url(url: str) -> bytes:
    """Return what a URL leads to; raises as `fetch` does."""
    came: list[bytes | Exception] = []

    def run() -> None:
        try:
            came.append(request(url))
        except Exception as error:  # noqa: BLE001 - it is told where it can be
            getattr(error, "close", bool)()  # of an answer that is an error
            came.append(error)

    # A socket's time limit is for each piece, and a server may send pieces for ever.
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(LIMIT)
    if not came:
        raise RefusedError(f"{url} took more than {LIMIT:.0f} s: try again later")
    (answer,) = came
    if isinstance(answer, RefusedError):
        raise answer
    if isinstance(answer, Exception):
        reason = getattr(answer, "reason", None) or answer
        reason = getattr(reason, "strerror", None) or reason
        raise RefusedError(f"{url} cannot be had ({reason}): mend it, or try again later")
    return check_size(url, answer)


def request(url: str) -> bytes:
    """Return the beginning of what a URL leads to, enough to tell whether it is too large."""
    # A proxy has another loopback interface.
    proxies = [] if url.casefold().startswith("http:") else [ProxyHandler()]
    opener = build_opener(SameSiteRedirects(url), *proxies)
    with opener.open(Request(url), timeout=LIMIT) as answer:  # noqa: S310 - of https or the loopback interface
        content: bytes = answer.read(MOST + 1)
        return content


class SameSiteRedirects(HTTPRedirectHandler):
    """Follows redirects within the site that the user named, and to no other."""

    def __init__(self, url: str) -> None:
        """Keep the URL that the user gave."""
        self._url = url

    def redirect_request(self, *details: Any) -> Request | None:
        """Return the request to follow; raise RefusedError where it goes to another site."""
        target = urlsplit(str(details[-1]))
        if (target.scheme, target.netloc) != urlsplit(self._url)[:2]:
            details[1].close()
            shown = f"{target.scheme}://{target.hostname}"
            raise RefusedError(f"{self._url} redirects to {shown}: give that URL if you trust it")
        return super().redirect_request(*details)
