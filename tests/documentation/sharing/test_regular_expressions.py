"""No regular expression that reads archives takes more than its share for a longer text."""

import pytest

from hookwright_documentation import sharing

from ...support.hypothesis_profiles import mark_long
from ...support.project import ROOT
from ...support.regex_growth import find_growth, list_patterns

FOLDER = ROOT / "server" / "hookwright_documentation" / "sharing"


@pytest.mark.long
@pytest.mark.parametrize("texts", [40, *mark_long([1_000])])
def test_patterns_grow_with_the_text(texts: int) -> None:
    patterns = list_patterns(sharing.__name__, FOLDER)
    assert len(patterns) > 12
    grown = {used.place: find_growth(used, texts) for used in patterns}
    assert {place: how for place, how in grown.items() if how} == {}
