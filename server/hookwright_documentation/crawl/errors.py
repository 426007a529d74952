"""What ends a crawl before it is done."""

from hookwright_console.errors import ReportedError


class UnfinishedError(ReportedError):
    """A crawl broke off, and the same one goes on where it stopped."""
