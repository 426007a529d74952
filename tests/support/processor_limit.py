"""Stop what takes far too long, such as a regular expression that backtracks without end."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def limit_processor(seconds: int = 60) -> Iterator[None]:
    """Raise an error in the block once this process has computed for so long, however busy.

    What is measured has to be large enough to take milliseconds or else minutes.
    """

    def stop(*_: object) -> None:
        raise AssertionError(f"stopped after {seconds} seconds")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
