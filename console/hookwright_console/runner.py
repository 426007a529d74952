"""Run a command line: report errors as one line and an exit code, never as a traceback.

With JSON output, errors are also printed to standard output as `{"error": LINE}`.
"""

import errno
import os
import re
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hookwright_console.errors import ReportedError
from hookwright_console.text import make_printable, suggest

# Prefixes of typer errors that do not say what to do.
BARE = ("Missing argument", "Option ", "Got unexpected extra argument")
CHOICE = re.compile(r"'([^']*)' is not one of (.*)")
INTERRUPTED = 130  # conventional exit code after Ctrl-C


def run_to_end(app: Callable[..., Any], program: str) -> int:
    """Run a typer application; return 0 for success, 1 for "no" or a refusal, 2 for misuse.

    A ReportedError is printed unchanged, followed by the lines of its `details`.
    """
    prepare_streams()
    mask = os.umask(0o022)
    os.umask(mask if mask & 0o002 else 0o022)  # not everybody may change what is installed
    try:
        try:
            code = int(app(prog_name=program, standalone_mode=False) or 0)
            sys.stdout.flush()
        except BrokenPipeError:
            raise
        except (KeyboardInterrupt, Exception) as error:  # noqa: BLE001 - users see no traceback
            return report(program, error)
    except BrokenPipeError:
        # The process that read the output has exited; keep Python from reporting that at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    if code == INTERRUPTED:
        print_error(program, "stopped")
    return code


def is_interrupted(error: BaseException | None) -> bool:
    """Return whether Ctrl-C caused an error; compiled packages raise exceptions of their own."""
    if isinstance(error, ReportedError):  # the message already says how to fix it
        return False
    while error:
        if isinstance(error, KeyboardInterrupt) or "KeyboardInterrupt" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def report(program: str, error: BaseException) -> int:
    import typer  # help appears twice as fast without this import

    if not isinstance(error, typer.TyperException):
        if is_interrupted(error):
            print_error(program, "stopped")
            return INTERRUPTED
        print_error(program, format_error(error))
        for line in getattr(error, "details", ()):
            print(make_printable(line), file=sys.stderr)
        return error.exit_code if isinstance(error, ReportedError) else 1
    message, command = error.format_message(), getattr(error, "ctx", None)
    where = command.command_path if command else program
    if hasattr(error, "possibilities"):  # an unknown option
        option = getattr(error, "option_name", "")
        near = suggest(option, error.possibilities or ())
        message = f"unknown option {option}: {near or f'see {where} --help'}"
    elif wrong := CHOICE.search(message):
        near = suggest(wrong[1], re.findall("'([^']*)'", wrong[2]))
        message = f"{message.rstrip('.')}: {near}" if near else message
    elif message.startswith(BARE):
        message = f"{message.rstrip('.')}: see {where} --help"
    if message.startswith("Usage: "):  # no arguments were given, so this is the help text
        print(message, file=sys.stderr)
    else:
        line = message.removeprefix("Invalid value: ").replace(" Value error, ", " ", 1)
        print_error(program, " ".join(line.split()))
    return error.exit_code


def print_error(program: str, line: str) -> None:
    """Print an error line, and the same error as JSON if requested."""
    from hookwright_console.terminal import dump, print_message

    print_message(program, line)
    if wants_json(sys.argv[1:]):
        print(dump({"error": line}, indent=2), flush=True)


def wants_json(words: list[str]) -> bool:
    return "--json" in (words[: words.index("--")] if "--" in words else words)


def prepare_streams() -> None:
    """Ensure that the standard streams exist and can encode any text."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:  # the stream was closed before this process started
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere != number:  # keep other files from reusing the stream's number
                os.dup2(nowhere, number)
                os.close(nowhere)
            setattr(sys, name, open(number, "w" if number else "r", encoding="utf-8"))  # noqa: PTH123, SIM115
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def format_error(error: BaseException) -> str:
    if isinstance(error, ReportedError):
        return str(error)
    if isinstance(error, FileNotFoundError) and not error.filename:
        return "the current folder no longer exists: change to another"
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        where = f"for {error.filename}" if error.filename else "on the disk"
        return f"no space left {where}: make room, then run the same command again"
    if isinstance(error, PermissionError) and error.filename:
        return f"no permission for {error.filename}: change its permissions, or ask its owner"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'system error'}: {error.strerror}"
    [last] = traceback.extract_tb(error.__traceback__, limit=-1)
    place = f"{Path(last.filename).name}:{last.lineno}"
    return f"unexpected {type(error).__name__} at {place}: {error} (please report this)"
