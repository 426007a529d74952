"""Errors shown to the user."""


class ReportedError(Exception):
    """An error that the user sees as one line, which also says what to do."""

    exit_code = 1


class RefusedError(ReportedError):
    """An input that was refused; nothing has changed."""


class MisusedError(ReportedError):
    """The words or options of a command are wrong."""

    exit_code = 2


class UnknownNameError(RefusedError):
    """Nothing has a name that was given."""


class NoTerminalError(ReportedError):
    """Questions cannot be asked without a terminal; the options say what to give instead."""

    exit_code = 2

    def __init__(self, *options: str) -> None:
        super().__init__(f"there is no terminal to ask at: give {' and '.join(options)}")


class DeclinedError(ReportedError):
    """The user said no when asked whether to go on; nothing has changed."""


class StoppedError(ReportedError):
    """The user pressed Ctrl-C; the line says how to go on."""

    exit_code = 130  # the usual one after Ctrl-C
