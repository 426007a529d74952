"""The server's regular expressions run in time linear in the text's length."""

import pytest

from ..support.project import ROOT
from ..support.regex_growth import TEXTS, find_growth, list_patterns

PACKAGE = "lesson_search"


@pytest.mark.long
def test_patterns_scale_linearly() -> None:
    patterns = list_patterns(PACKAGE, ROOT / "server" / PACKAGE)
    assert len(patterns) > 30
    grown = {used.place: find_growth(used, TEXTS) for used in patterns}
    assert {place: how for place, how in grown.items() if how} == {}
