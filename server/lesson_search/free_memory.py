"""Give free memory back to the system."""

import ctypes
import sys
from contextlib import suppress


def return_free_memory() -> None:
    """Ask the allocator for what it keeps: after large copies that is a tenth of all.

    Only the one of most Linux systems can be asked; others need not or cannot.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
