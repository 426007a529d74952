"""Errors shown to the user."""


class ReportedError(Exception):
    """An error that the user sees as one line, which also says what to do."""


class RefusedError(ReportedError):
    """An input that was refused; nothing has changed."""
