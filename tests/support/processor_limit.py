"""Stop code that takes far too long, such as a regular expression that backtracks endlessly."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def limit_processor(seconds: int = 60) -> Iterator[None]:
    """Raise an error once the block has used a number of seconds of processor time.

    Inputs must be large enough to take either milliseconds or minutes.
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
