"""Find the version of Hookwright, which both command lines have."""

from importlib.metadata import PackageNotFoundError, version


def find_version() -> str:
    """Return the version of Hookwright, or "" if it is not installed."""
    try:
        return version("hookwright")
    except PackageNotFoundError:
        return ""
