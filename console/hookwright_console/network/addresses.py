"""Show addresses without what is secret in them."""

import re

from hookwright_console.text import shorten

# To the last @ before the path, also of what is not quite an address.
LOGIN = re.compile(r"(?<=//)[^/?#\s]*@|\A(?!\w+://)[^/?#\s]*:[^/?#\s]*@")
SECRET = re.compile(
    r"(?<=[?&;])([^=&;#\s]*(?:token|key|secret|passw|pwd|auth|sig|credential|session|code)"
    r"[^=&;#\s]*=)[^&;#\s]+",
    re.IGNORECASE,
)


def hide_login(url: str) -> str:
    """Return an address without its user and password, and without values named as secrets."""
    return SECRET.sub(r"\1...", LOGIN.sub("", url))


def shorten_url(url: str) -> str:
    """Return an address in one printable line of up to 60 characters, without secrets."""
    return shorten(hide_login(url).removesuffix("?"))
