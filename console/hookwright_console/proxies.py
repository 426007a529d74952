"""Find the proxy that the user names for all schemes."""

import os


def use_proxy_of_all() -> None:
    """Name the proxy in ALL_PROXY for http and https as well, where they have none of their own.

    git and httpx know that variable; urllib and Scrapy do not, and would go around the proxy. What
    is not HTTP, such as SOCKS, they do not speak.
    """
    proxy = os.environ.get("all_proxy") or os.environ.get("ALL_PROXY") or ""
    if not proxy.startswith("http://"):
        return
    for scheme in ("http", "https"):
        name = f"{scheme}_proxy"
        if not (os.environ.get(name) or os.environ.get(name.upper())):
            os.environ[name] = proxy
