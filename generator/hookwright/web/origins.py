"""Tell which server an HTTP address belongs to."""

from urllib.parse import urlsplit

PORTS = {"http": 80, "https": 443}


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
