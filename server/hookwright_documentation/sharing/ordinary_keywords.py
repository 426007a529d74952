"""Refuse a stranger's keywords that are in most searches: one such would catch them all."""

import re
from collections.abc import Iterable

from hookwright_console.errors import RefusedError
from hookwright_console.text import shorten
from hookwright_retrieval.terms import STOP_WORDS

WORD = re.compile(r"(\w+)(?:['\u2019]\w+)?")
# The words of searches that say nothing of their subject, besides the stop words. Names of
# languages and tools, such as go, make and next, are none: the hook weighs those.
ORDINARY = STOP_WORDS | frozenset(
    WORD.findall(
        """
        add after again all also always another back because been before being best better
        between both call can cannot change check code come day different doesn don down each
        either else error every example examples explain few file find first fix give good great
        guide had hello help her here him his however isn just know last less let like list
        little long look many may me mean meaning might more most much must my name never new
        nothing now number off old one only other out over own part people please problem
        question read right run said same say see set she should show simple since something
        start still such take tell than thank thanks thing think those through time too try
        tutorial two under until up update us used using very wants way we well while without
        word work working world would year yes yet you
        """
    )
)


def refuse_ordinary(keywords: Iterable[str], whose: str) -> None:
    """Raise RefusedError if a keyword that a stranger gives a database is in most searches."""
    for keyword in keywords:
        if all(word in ORDINARY for word in WORD.findall(keyword.casefold())):
            raise RefusedError(
                f"{whose} has the keyword '{shorten(keyword)}', which is in searches about "
                "anything: ask its owner for another"
            )
