"""Fetch from hosts specified by the user, which may redirect only to the internet.

Names are resolved before connecting. If a name then resolves to a different address, no request
reaches it: plain HTTP stays on this computer, and a host without a certificate for the name
receives nothing.
"""

import hashlib
import os
import re
import socket
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import IO, Any, TypeVar
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from urllib3 import HTTPResponse
from urllib3.exceptions import HTTPError

from hookwright_console.errors import RefusedError, ReportedError
from hookwright_console.network.addresses import shorten_url
from hookwright_console.network.http_client import TookTooLongError, run_within
from hookwright_console.terminal import show_progress
from hookwright_console.text import shorten
from hookwright_documentation.sharing.manifest import MAX_ARCHIVE
from hookwright_documentation.sources.site.addresses import (
    ConnectionRules,
    Lookup,
    is_loopback,
    is_private_name,
)
from hookwright_documentation.sources.site.failures import CERTIFICATES, explain_untrusted
from hookwright_documentation.sources.urls import find_origin

Result = TypeVar("Result")

PLAIN = {"Accept-Encoding": "identity"}  # archives are already compressed; this keeps sizes exact
TIMEOUT = 30  # seconds that a host may send nothing
PATIENCE = 60  # seconds to wait for a response
LONG = 1_800  # seconds to transfer an archive
REDIRECTS = 5
MAX_ANSWER = 4_000_000  # bytes of any response except an archive
CHUNK = 65_536  # bytes
OK = 200


class GuardedAdapter(HTTPAdapter):
    """Sends requests to the user's host and, over HTTPS, to the internet."""

    def __init__(self, origin: tuple[str, int], lookup: Lookup = socket.getaddrinfo) -> None:
        super().__init__()
        self._origin = origin
        self._rules = ConnectionRules(origin, lookup=lookup)

    def send(self, request: requests.PreparedRequest, *args: Any, **words: Any) -> Any:
        proxies = words.get("proxies") or {}
        url = str(request.url)
        host = urlsplit(url).hostname or ""
        if is_loopback(host):
            proxies = {}
        check_target(url, self._origin)
        if "Authorization" in request.headers and not is_same_site(host, self._origin[0]):
            raise RefusedError(
                f"{self._origin[0]} asks to send your login to {shorten(host)}, which is another "
                "site: nothing is sent there"
            )
        if not proxies.get(urlsplit(url).scheme):
            self._check_addresses(*find_origin(url))
        is_streamed = bool(words.get("stream"))
        options = {**words, "stream": True, "timeout": TIMEOUT, "proxies": proxies}
        if options.get("verify") is True:
            options["verify"] = find_certificates()
        response = super().send(request, *args, **options)
        if response.headers.get("Content-Encoding", "identity") != "identity":
            response.close()
            raise RefusedError(
                f"{host} sent a compressed response although asked not to: try again"
            )
        if not is_streamed or response.status_code != OK:
            body = BytesIO()
            copy(response, body, MAX_ANSWER, host)
            body.seek(0)
            response.raw = HTTPResponse(body, preload_content=False)
        return response

    def _check_addresses(self, host: str, port: int) -> None:
        try:
            found = self._rules.find_addresses(host, port, 0, socket.SOCK_STREAM)
        except OSError as error:
            raise ReportedError(
                f"cannot find {shorten(host)}: {error.strerror or error}: check the name"
            ) from None
        if not found:
            raise RefusedError(f"{shorten(host)} is on a private network: no request was sent")


def find_certificates() -> str | bool:
    """Return the user's certificate file or folder, or True if unset; raises RefusedError."""
    for variable in (CERTIFICATES, "SSL_CERT_DIR"):
        if path := os.environ.get(variable):
            if not Path(path).exists():
                raise RefusedError(f"{variable}: no file or folder {shorten(path)}: correct it")
            return path
    return True


def check_target(url: str, origin: tuple[str, int]) -> None:
    target, scheme = find_origin(url), urlsplit(url).scheme
    if target == origin and (scheme == "https" or is_loopback(origin[0])):
        return
    if scheme != "https" or is_private_name(target[0]):
        raise RefusedError(
            f"{origin[0]} redirects to {scheme}://{shorten(target[0])}, which was not followed: "
            "only HTTPS on the internet is allowed"
        )


def is_same_site(host: str, other: str) -> bool:
    """Return whether two hosts are equal or share a registrable domain.

    Examples are auth.docker.io and registry-1.docker.io. Registrable domains are determined by the
    public suffix list, which includes suffixes such as co.uk and github.io under which anyone can
    register names.
    """
    from tldextract import TLDExtract

    find = TLDExtract(cache_dir=None, suffix_list_urls=(), include_psl_private_domains=True)
    domains = [find(name).top_domain_under_public_suffix for name in (host, other)]
    return host == other or domains[0] == domains[1] != ""


def guard(session: requests.Session, origin: tuple[str, int]) -> requests.Session:
    """Limit a session to one host and the internet, without passwords from .netrc."""
    for prefix in ("http://", "https://", ""):
        session.mount(prefix, GuardedAdapter(origin))
    session.max_redirects = REDIRECTS
    session.auth = lambda request: request  # prevents requests from reading .netrc
    return session


def copy(
    response: requests.Response,
    file: IO[bytes],
    most: int,
    shown: str,
    progress: Callable[[int, int], object] | None = None,
) -> tuple[int, str]:
    """Copy a response's body to a file; return its size and hexadecimal SHA-256.

    Raises RefusedError, HTTPError.
    """
    size, checksum = 0, hashlib.sha256()
    length = response.headers.get("Content-Length", "")
    total = int(length) if re.fullmatch(r"[0-9]{1,12}", length) else 0
    with response:
        for chunk in response.raw.stream(CHUNK, decode_content=False):
            size += len(chunk)
            if size > most:
                raise RefusedError(f"{shown}: sent over {most:,} bytes: not downloaded")
            file.write(chunk)
            checksum.update(chunk)
            if progress and total:
                progress(min(size, total), total)
    return size, checksum.hexdigest()


def download(url: str, file: IO[bytes]) -> None:
    try:
        parts, origin = urlsplit(url), find_origin(url)
    except ValueError:
        parts, origin = urlsplit(""), ("", 0)
    if "@" in parts.netloc:
        raise RefusedError("the URL contains a user or password, which are never sent: remove them")
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise RefusedError(f"{shorten_url(url)} is not a file or an https URL: use one of these")
    if parts.scheme == "http" and not is_loopback(parts.hostname):
        raise RefusedError(f"{shorten_url(url)} is not encrypted: use its https URL")

    def run() -> None:
        with guard(requests.Session(), origin) as session, show_progress("Fetching") as progress:
            response = session.get(url, headers=PLAIN, stream=True)
            if response.status_code != OK:
                response.close()
                raise ReportedError(
                    f"{shorten_url(url)} answers {response.status_code}: check the address"
                )
            copy(response, file, MAX_ARCHIVE, shorten_url(url), progress)

    ask_host(parts.hostname, run, LONG)


def ask_host(host: str, run: Callable[[], Result], patience: float = PATIENCE) -> Result:
    shown = shorten(host)
    try:
        return run_within(patience, run)
    except ReportedError:
        raise
    except TookTooLongError:
        reason = f"{shown} took more than {patience:.0f} s: try again later"
    except requests.TooManyRedirects:
        reason = f"{shown} redirects over {REDIRECTS} times: check the address"
    except requests.exceptions.SSLError as error:
        reason = f"{shown}: its TLS handshake failed: check the address"
        if "certificate" in str(error):
            reason = f"{shown}: {explain_untrusted(str(error))}"
    except requests.ConnectionError:
        reason = f"cannot reach {shown}: check the address, or try again later"
    except (requests.Timeout, HTTPError):
        reason = f"{shown} closed the connection, or sent nothing for {TIMEOUT} s: try again later"
    except Exception as error:
        raise ReportedError(
            f"{shown} sent an invalid response ({type(error).__name__}): check the address"
        ) from error
    raise ReportedError(reason)
