"""Find the user's proxy for each URL scheme."""

import os


def use_proxy_of_all() -> None:
    """Use ALL_PROXY as the http and https proxy if these are unset.

    git and httpx read ALL_PROXY; urllib and Scrapy do not, and would bypass the proxy. They support
    only HTTP proxies, not SOCKS.
    """
    proxy = find_proxy("all")
    if not proxy.startswith("http://"):
        return
    for scheme in ("http", "https"):
        if not find_proxy(scheme):
            os.environ[f"{scheme}_proxy"] = proxy


def find_proxy(scheme: str) -> str:
    """Return the proxy set for a scheme, or ""; lower-case variables take precedence."""
    name = f"{scheme}_proxy"
    return os.environ.get(name) or os.environ.get(name.upper()) or ""
