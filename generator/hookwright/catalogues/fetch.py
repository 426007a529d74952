"""Read a file, or fetch one by its URL, without trusting either."""

import os
import re
import stat
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from hookwright_console.errors import RefusedError, ReportedError
from hookwright_console.network.addresses import shorten_url
from hookwright_console.network.http_client import TookTooLongError, ask, run_within
from hookwright_console.network.peers import is_loopback

MAX_SIZE = 1_000_000  # bytes
REDIRECTS = 5
OK = 200
LIMIT = 10.0  # seconds for the whole download
UNFIT = re.compile("[\ud800-\udfff]")  # bytes that are not UTF-8, as Python decodes them
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")  # longer than the letter of a drive


class UnreadableError(RefusedError):
    """A file is not there, or cannot be read."""


def find_source(source: str) -> str:
    """Return the name that a source is stored by, its URL or absolute path; raises RefusedError."""
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
    """Check that a URL is encrypted or local, and contains no password."""
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
    """Return the content of a path or URL, which anybody may have written; raises RefusedError."""
    source = find_source(source)
    return fetch_url(source) if SCHEME.match(source) else read_file(Path(source))


def read_file(path: Path) -> bytes:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise RefusedError(f"{path} is not a regular file: choose another")
        with path.open("rb") as file:
            return check_size(str(path), file.read(MAX_SIZE + 1))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UnreadableError(f"{path} cannot be read: {reason}: check the path") from None


def check_size(source: str, content: bytes) -> bytes:
    if len(content) > MAX_SIZE:
        raise RefusedError(f"{source} is too large: a catalogue has at most {MAX_SIZE:,} bytes")
    return content


def fetch_url(url: str) -> bytes:
    try:
        return check_size(url, run_within(LIMIT, lambda: request(url)))
    except RefusedError:
        raise
    except TookTooLongError:
        raise RefusedError(f"{url} took more than {LIMIT:.0f} s: try again later") from None
    except Exception as error:  # noqa: BLE001 - whatever a stranger's server does
        raise RefusedError(
            f"{url} cannot be fetched ({error}): check it, or try again later"
        ) from None


def request(url: str) -> bytes:
    """Return the content of a URL; redirects within the site that the user named are followed."""
    target = url
    for _ in range(REDIRECTS):
        # A plain http URL is local, and a proxy has another loopback interface.
        is_plain = target.casefold().startswith("http:")
        answer = ask(target, timeout=LIMIT, proxies=not is_plain, most=MAX_SIZE + 1)
        if not answer.location:
            break
        target = answer.location
        if urlsplit(target)[:2] != urlsplit(url)[:2]:
            shown = shorten_url(target)
            raise RefusedError(f"{url} redirects to {shown}: give that URL if you trust it")
    if answer.status != OK:
        raise ReportedError(f"status {answer.status}")
    return answer.content
