"""Find Hookwright's version for both command lines."""

from functools import cache


@cache
def find_version() -> str:
    """Return Hookwright's version, or "" if it is not installed; the result is cached."""
    from importlib.metadata import PackageNotFoundError, version  # not needed for help

    try:
        return version("hookwright")
    except PackageNotFoundError:
        return ""
