"""Page-conversion regular expressions run in time linear in the page's length."""

from collections.abc import Callable

import pytest

from hookwright_documentation import cutting
from hookwright_documentation.cutting.conversion import MARKS
from hookwright_documentation.cutting.main_content import MENUS
from hookwright_documentation.cutting.text_files import TITLE

from ...support.processor_limit import limit_processor
from ...support.project import ROOT
from ...support.regex_growth import TEXTS, find_growth, list_patterns

FOLDER = ROOT / "server" / "hookwright_documentation" / "cutting"


@pytest.mark.long
def test_patterns_scale_linearly() -> None:
    patterns = list_patterns(cutting.__name__, FOLDER)
    assert len(patterns) > 40
    grown = {used.place: find_growth(used, TEXTS) for used in patterns}
    assert {place: how for place, how in grown.items() if how} == {}


@pytest.mark.parametrize(
    ("search", "text"),
    [
        (MARKS.search, "<font" + ' size="' * 20_000),
        (MARKS.search, "<font" + " size=''" * 100_000),
        (MENUS.fullmatch, "open in" + " this page" * 20_000 + "!x"),
        (TITLE.search, "title:" + " " * 200_000 + "x" * 200_000),
    ],
    ids=lambda value: value[:16] if isinstance(value, str) else "",
)
def test_near_match_is_searched_quickly(search: Callable[[str], object], text: str) -> None:
    with limit_processor():
        search(text)
