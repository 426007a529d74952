"""Find the version of Hookwright, which both command lines have."""

from functools import cache


@cache
def find_version() -> str:
    """Return the version of Hookwright that runs, or "" if it is not installed.

    It is looked up once: whatever is installed meanwhile, a server is what it was at its start.
    """
    from importlib.metadata import PackageNotFoundError, version  # which help need not wait for

    try:
        return version("hookwright")
    except PackageNotFoundError:
        return ""
