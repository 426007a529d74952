"""Open HTTP addresses only: no files, no FTP, and no proxies or redirects unless asked for."""

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from urllib.request import BaseHandler, OpenerDirector

PORTS = {"http": 80, "https": 443}


def build_opener(*handlers: "BaseHandler") -> "OpenerDirector":
    """Return an opener of HTTP and HTTPS addresses.

    Args:
        handlers: Added to the plain ones, such as one that follows redirects; a subclass of a
            plain one replaces it. Otherwise a redirect is an error.

    """
    # It takes longer to import than most commands take, and few of them open anything.
    from urllib.request import (
        HTTPDefaultErrorHandler,
        HTTPErrorProcessor,
        HTTPHandler,
        HTTPSHandler,
        OpenerDirector,
        UnknownHandler,
    )

    opener = OpenerDirector()
    own = (HTTPHandler, HTTPSHandler, HTTPErrorProcessor, HTTPDefaultErrorHandler, UnknownHandler)
    plain = [kind() for kind in own if not any(isinstance(one, kind) for one in handlers)]
    for handler in (*plain, *handlers):
        opener.add_handler(handler)
    return opener


def find_origin(url: str) -> tuple[str, str, int] | None:
    """Return the scheme, host and port of an HTTP address; None for other texts."""
    try:
        parts = urlsplit(url)
        port = PORTS.get(parts.scheme) if parts.port is None else parts.port
    except ValueError:
        return None
    if parts.scheme not in PORTS or not parts.hostname or "@" in parts.netloc or not port:
        return None
    return parts.scheme, parts.hostname, port
