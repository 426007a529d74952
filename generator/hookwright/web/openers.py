"""Ask by HTTP and nothing else: no files, no FTP, no proxies and no redirects unless wanted."""

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from urllib.request import BaseHandler, OpenerDirector

PORTS = {"http": 80, "https": 443}


def build_opener(*handlers: "BaseHandler") -> "OpenerDirector":
    """Return what opens HTTP and HTTPS addresses.

    Args:
        handlers: What it has besides, such as one that follows some redirects, or instead of a
            plain one that it is a kind of; without, a redirect is an error.

    """
    # A tenth of a second, which only who asks waits for.
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
    """Return the scheme, host and port of an HTTP address; None for any other text."""
    try:
        parts = urlsplit(url)
        port = PORTS.get(parts.scheme) if parts.port is None else parts.port
    except ValueError:
        return None
    if parts.scheme not in PORTS or not parts.hostname or "@" in parts.netloc or not port:
        return None
    return parts.scheme, parts.hostname, port
