"""No regular expression of the server takes more than its share for a longer text."""

import pytest

from ..support.hypothesis_profiles import mark_long
from ..support.project import ROOT
from ..support.regex_growth import find_growth, list_patterns

PACKAGE = "lesson_search"


@pytest.mark.long
@pytest.mark.parametrize("texts", [40, *mark_long([1_000])])
def test_patterns_grow_with_the_text(texts: int) -> None:
    patterns = list_patterns(PACKAGE, ROOT / "server" / PACKAGE)
    assert len(patterns) > 30
    grown = {used.place: find_growth(used, texts) for used in patterns}
    assert {place: how for place, how in grown.items() if how} == {}
