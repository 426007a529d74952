"""Free memory is given back where the allocator can be asked."""

import ctypes
import platform
import re
from pathlib import Path

import numpy as np
import pytest

from lesson_search.free_memory import return_free_memory


def read_memory() -> int:
    """Return how many megabytes of memory this process has."""
    found = re.search(r"VmRSS:\s+(\d+)", Path("/proc/self/status").read_text())
    return int(found[1]) // 1000 if found else 0


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another allocator")
def test_free_memory_is_given_back() -> None:
    """What was freed between what is kept does not count as the process's any more."""
    arrays = [np.ones(10_000) for _ in range(1000)]  # 80 MB
    del arrays[::2]
    before = read_memory()
    return_free_memory()
    assert before - read_memory() > 20


@pytest.mark.parametrize("error", [OSError, AttributeError])
def test_allocator_that_cannot_be_asked(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    """Where there is no such function, nothing happens."""

    def refuse(_: object) -> None:
        raise error

    monkeypatch.setattr(ctypes, "CDLL", refuse)
    return_free_memory()
