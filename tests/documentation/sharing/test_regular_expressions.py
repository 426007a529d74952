"""Archive-reading regular expressions run in time linear in the text's length."""

import pytest

from hookwright_documentation import sharing

from ...support.project import ROOT
from ...support.regex_growth import TEXTS, find_growth, list_patterns

FOLDER = ROOT / "server" / "hookwright_documentation" / "sharing"


@pytest.mark.long
def test_patterns_scale_linearly() -> None:
    patterns = list_patterns(sharing.__name__, FOLDER)
    assert len(patterns) > 12
    grown = {used.place: find_growth(used, TEXTS) for used in patterns}
    assert {place: how for place, how in grown.items() if how} == {}
