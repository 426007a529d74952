"""The search for garbage is paused, and goes on whatever happens."""

import gc
from collections.abc import Iterator

import pytest

from lesson_search.garbage_collection import pausing_garbage_collection


@pytest.fixture(autouse=True)
def _everything_is_looked_through_again() -> Iterator[None]:
    yield
    gc.unfreeze()


def test_pause_ends_early_or_with_the_block() -> None:
    """Garbage is looked for again once that is asked for, or else at the end, also by an error."""
    with pausing_garbage_collection() as resume:
        assert not gc.isenabled()
        resume()
        assert gc.isenabled()
    with pytest.raises(KeyError), pausing_garbage_collection():
        raise KeyError
    assert gc.isenabled()


def test_pause_within_a_pause_does_not_end_it() -> None:
    """Who pauses it within another pause leaves that one as it was."""
    with pausing_garbage_collection():
        with pausing_garbage_collection() as resume:
            resume()
        assert not gc.isenabled()
    assert gc.isenabled()
