"""Open HTTP addresses only: no files, no FTP, and no proxies or redirects unless asked for."""

from urllib.error import HTTPError
from urllib.request import (
    BaseHandler,
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    UnknownHandler,
)

REDIRECTS = range(300, 400)  # statuses


def build_opener(*handlers: BaseHandler) -> OpenerDirector:
    """Return an opener of HTTP and HTTPS addresses.

    Args:
        handlers: Added to the plain ones, such as one that follows redirects; a subclass of a
            plain one replaces it. Otherwise a redirect is an error.

    """
    opener = OpenerDirector()
    own = (HTTPHandler, HTTPSHandler, HTTPErrorProcessor, HTTPDefaultErrorHandler, UnknownHandler)
    plain = [kind() for kind in own if not any(isinstance(one, kind) for one in handlers)]
    for handler in (*plain, *handlers):
        opener.add_handler(handler)
    return opener


def word_failure(error: Exception) -> str:
    """Return why an address cannot be opened, such as "Connection refused"."""
    if isinstance(error, HTTPError) and error.code in REDIRECTS:
        return "a redirect that is not followed"
    reason = getattr(error, "reason", None) or error
    return str(getattr(reason, "strerror", None) or reason)
