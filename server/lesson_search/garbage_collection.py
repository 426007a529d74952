"""Pause the search for garbage while there is none."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

YOUNG = 10_000  # new objects before it looks for garbage: requests leave little, and it takes time


@contextmanager
def pausing_garbage_collection() -> Iterator[Callable[[], None]]:
    """Yield what ends the pause, at the latest the end of the `with` block.

    While modules and records are loaded, nothing becomes garbage, and looking for it takes up to a
    third longer. What was loaded by then stays, and is not looked through again.
    """
    before = gc.isenabled()

    def resume() -> None:
        if before:
            gc.freeze()
            gc.set_threshold(YOUNG)
            gc.enable()

    gc.disable()
    try:
        yield resume
    finally:
        resume()
