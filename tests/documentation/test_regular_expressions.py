"""Documentation-search regular expressions run in time linear in the text's length."""

import pytest

from ..support.project import ROOT
from ..support.regex_growth import TEXTS, find_growth, list_patterns

PACKAGE = "hookwright_documentation"
ROOMS = ("index", "recipes", "serving", "sharing", "sources", "stack")


@pytest.mark.long
def test_patterns_scale_linearly() -> None:
    folder = ROOT / "server" / PACKAGE
    patterns = [
        used for room in ROOMS for used in list_patterns(f"{PACKAGE}.{room}", folder / room)
    ]
    assert len(patterns) > 15
    grown = {used.place: find_growth(used, TEXTS) for used in patterns}
    assert {place: how for place, how in grown.items() if how} == {}
