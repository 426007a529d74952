"""Errors shown to the user."""


class ReportedError(Exception):
    """An error shown to the user as one line, which also says what to do."""

    exit_code = 1


class RefusedError(ReportedError):
    """An input was refused; nothing has changed."""


class MisusedError(ReportedError):
    """The arguments or options of a command are wrong."""

    exit_code = 2


class UnknownNameError(RefusedError):
    """Nothing has the given name."""


class NoTerminalError(ReportedError):
    """Questions need a terminal; the message names the options to use instead."""

    exit_code = 2

    def __init__(self, *options: str) -> None:
        super().__init__(f"cannot prompt without a terminal: add {' and '.join(options)}")


class DeclinedError(ReportedError):
    """The user declined; nothing has changed."""


class StoppedError(ReportedError):
    """The user pressed Ctrl-C; the message says how to continue."""

    exit_code = 130  # conventional after Ctrl-C
