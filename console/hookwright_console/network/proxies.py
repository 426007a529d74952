"""Find the proxy that the user names for all schemes."""

import os


def use_proxy_of_all() -> None:
    """Name the proxy in ALL_PROXY for http and https as well, where they have none of their own.

    git and httpx know that variable; urllib and Scrapy do not, and would go around the proxy. What
    is not HTTP, such as SOCKS, they do not speak.
    """
    proxy = find_proxy("all")
    if not proxy.startswith("http://"):
        return
    for scheme in ("http", "https"):
        if not find_proxy(scheme):
            os.environ[f"{scheme}_proxy"] = proxy


def find_proxy(scheme: str) -> str:
    """Return the proxy that the environment names for a scheme, or "": in small letters first."""
    name = f"{scheme}_proxy"
    return os.environ.get(name) or os.environ.get(name.upper()) or ""
