"""How much is tried: a few examples every day, all of them where there is time.

A test names the number of the thorough profile, or takes the default of Hypothesis by naming none:
`@settings(max_examples=examples(300))`. `--hypothesis-profile` chooses the profile.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from _pytest.mark.structures import ParameterSet

DAILY, THOROUGH = "daily", "thorough"
SHARE = 10  # how many times more examples the thorough profile has
MIN_EXAMPLES = 5  # which each property is tried on at least


def register_profiles() -> None:
    number = settings.get_profile("default").max_examples
    checks = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]  # examples share a folder
    for name, examples in ((THOROUGH, number), (DAILY, number // SHARE)):
        settings.register_profile(
            name, max_examples=examples, deadline=None, suppress_health_check=checks
        )
    settings.load_profile(DAILY)


def examples(number: int) -> int:
    """Return how many examples the chosen profile has of those of the thorough one.

    Args:
        number: Of the thorough profile.

    """
    chosen, most = settings().max_examples, settings.get_profile(THOROUGH).max_examples
    return max(MIN_EXAMPLES, number * chosen // most)


def mark_long(values: Iterable[Any]) -> "Iterator[ParameterSet]":
    for value in values:
        yield pytest.param(value, marks=pytest.mark.long)
