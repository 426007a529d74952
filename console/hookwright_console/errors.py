"""Errors shown to the user."""


class ReportedError(Exception):
    """An error shown to the user as one line, which also says how to fix it."""

    exit_code = 1


class RefusedError(ReportedError):
    """The input was refused and nothing has changed."""


class MisusedError(RefusedError):
    """A command's arguments or options are invalid."""

    exit_code = 2


class UnknownNameError(RefusedError):
    """No item has the given name."""


class NoTerminalError(ReportedError):
    """A question requires a terminal; the message names the options to use instead."""

    exit_code = 2

    def __init__(self, *options: str) -> None:
        super().__init__(f"cannot prompt without a terminal: add {' and '.join(options)}")


class DeclinedError(ReportedError):
    """The user declined and nothing has changed."""


class StoppedError(ReportedError):
    """The user pressed Ctrl-C; the message says how to resume."""

    exit_code = 130  # conventional exit code after Ctrl-C
