"""Give free memory back to the system."""

import ctypes
import sys
from contextlib import suppress


def return_free_memory() -> None:
    """Ask the allocator for what it keeps of large copies, where it is glibc's."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
