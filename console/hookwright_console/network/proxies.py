"""Find the user's proxy for each scheme."""

import os


def use_proxy_of_all() -> None:
    """Copy ALL_PROXY to the http and https proxies if they are unset.

    git and httpx read that variable; urllib and Scrapy do not, and would bypass the proxy. They
    support only HTTP proxies, not SOCKS.
    """
    proxy = find_proxy("all")
    if not proxy.startswith("http://"):
        return
    for scheme in ("http", "https"):
        if not find_proxy(scheme):
            os.environ[f"{scheme}_proxy"] = proxy


def find_proxy(scheme: str) -> str:
    """Return the environment's proxy for a scheme, or ""; lower-case variables take precedence."""
    name = f"{scheme}_proxy"
    return os.environ.get(name) or os.environ.get(name.upper()) or ""
