"""Find the version of Hookwright, which both command lines have."""

from functools import cache


@cache
def find_version() -> str:
    """Return the version of Hookwright when it was first asked for; "" if it is not installed."""
    from importlib.metadata import PackageNotFoundError, version  # which help need not wait for

    try:
        return version("hookwright")
    except PackageNotFoundError:
        return ""
