"""Find the version of Hookwright, for both command lines."""

from functools import cache


@cache
def find_version() -> str:
    """Return Hookwright's version when first asked, or "" if it is not installed."""
    from importlib.metadata import PackageNotFoundError, version  # help does not need it

    try:
        return version("hookwright")
    except PackageNotFoundError:
        return ""
