"""Set the number of examples: few in daily runs, all in thorough ones.

A test passes the number for the thorough profile, `@settings(max_examples=examples(300))`, or omits
it to use Hypothesis' default. `--hypothesis-profile` chooses the profile.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from _pytest.mark.structures import ParameterSet

DAILY, THOROUGH = "daily", "thorough"
SHARE = 25  # ratio of examples in thorough runs to those in daily runs
MIN_EXAMPLES = 3  # minimum per property


def register_profiles() -> None:
    number = settings.get_profile("default").max_examples
    checks = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]  # in a shared folder
    for name, examples in ((THOROUGH, number), (DAILY, number // SHARE)):
        settings.register_profile(
            name, max_examples=examples, deadline=None, suppress_health_check=checks
        )
    settings.load_profile(DAILY)


def examples(number: int) -> int:
    """Return the number of examples for the chosen profile.

    Args:
        number: The number of examples in the thorough profile.

    """
    chosen, most = settings().max_examples, settings.get_profile(THOROUGH).max_examples
    return max(MIN_EXAMPLES, number * chosen // most)


def mark_long(values: Iterable[Any]) -> "Iterator[ParameterSet]":
    for value in values:
        yield pytest.param(value, marks=pytest.mark.long)
