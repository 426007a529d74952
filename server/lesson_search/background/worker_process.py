"""Run functions in child processes so that they do not slow down hooks."""

from collections.abc import Callable
from typing import Any, TypeVar

from anyio import BrokenWorkerProcess, CapacityLimiter, fail_after, to_process

from hookwright_console.errors import ReportedError, UnknownNameError
from hookwright_console.runner import format_error

Result = TypeVar("Result")

VIEWS = "lesson_search.hooks"  # entry point group for the page
TIMEOUT = 100.0  # seconds; hooks' own limits are shorter
PROCESSES = CapacityLimiter(2)


async def run_aside(function: Callable[..., Result], *arguments: object) -> Result:
    """Run a function in a child process and return its result; both are pickled.

    Raises ReportedError if it fails or times out.
    """
    try:
        with fail_after(TIMEOUT):
            return await to_process.run_sync(
                call, function, arguments, cancellable=True, limiter=PROCESSES
            )
    except TimeoutError:
        raise ReportedError("this takes too long: try again later") from None
    except BrokenWorkerProcess:
        raise ReportedError("the worker process ended early: try again") from None


def call_view(name: str, *arguments: object) -> Any:
    """Call another package's entry point in a child process."""
    from importlib.metadata import entry_points

    found = entry_points(group=VIEWS, name=name)
    if not found:
        raise ReportedError(f"nothing here can {name.replace('_', ' ')}: install hookwright")
    return next(iter(found)).load()(*arguments)


def call(function: Callable[..., Result], arguments: tuple[object, ...]) -> Result:
    """Call a function, converting its error to one that can be pickled."""
    try:
        return function(*arguments)
    except UnknownNameError as error:  # its class may be defined in any package
        raise UnknownNameError(str(error)) from None
    except ReportedError:
        raise
    except Exception as error:  # noqa: BLE001 - it may be of any package
        raise ReportedError(format_error(error)) from None
