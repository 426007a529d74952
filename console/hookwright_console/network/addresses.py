"""Show addresses without secrets, and distinguish this user's server from those of other users."""

import re
from urllib.parse import urlsplit

from hookwright_console.text import shorten

# The login extends to the last @ before the path, even in invalid addresses.
LOGIN = re.compile(r"(?<=//)[^/?#\s]*@|\A(?!\w+://)[^/?#\s]*:[^/?#\s]*@")
SECRET = re.compile(
    r"(?<=[?&;])([^=&;#\s]*(?:token|key|secret|passw|pwd|auth|sig|credential|session|code)"
    r"[^=&;#\s]*=)[^&;#\s]+",
    re.IGNORECASE,
)
PORTS = {"http": 80, "https": 443}


def hide_login(url: str) -> str:
    """Return an address without user, password and the values of secret-looking parameters."""
    return SECRET.sub(r"\1...", LOGIN.sub("", url))


def shorten_url(url: str) -> str:
    """Return an address as a printable line of up to 60 characters, without secrets."""
    return shorten(hide_login(url).removesuffix("?"))


def find_origin(url: str) -> tuple[str, str, int] | None:
    """Return an HTTP address's scheme, host and port, or None for any other text."""
    try:
        parts = urlsplit(url)
        port = PORTS.get(parts.scheme) if parts.port is None else parts.port
    except ValueError:
        return None
    if parts.scheme not in PORTS or not parts.hostname or "@" in parts.netloc or not port:
        return None
    return parts.scheme, parts.hostname, port
