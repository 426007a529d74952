"""Find keywords that mean something else, too: ordinary words such as go, and abbreviations."""

import json
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from hookwright.answers.records import name_database
from hookwright.discovery.ordinary_names import ORDINARY_NAMES
from hookwright.project.template_store import ORDINARY_WORDS, find_template

FIELD = "ambiguous"
SHORT = 2  # characters; a keyword this short abbreviates many things
TECHNICAL = ["compiler", "library"]  # words that speak for any technology


@dataclass(frozen=True)
class Ambiguous:
    """A keyword that means something else, too, but that the hook takes for the technology.

    Args:
        number: The number of the database that has it.
        database: The name of that database.
        keyword: The keyword.

    """

    number: int
    database: str
    keyword: str

    @property
    def mending(self) -> dict[str, bool]:
        return {FIELD: True}

    @property
    def advice(self) -> str:
        """What is wrong, and the way out."""
        return (
            f"{self.database}: {self.keyword!r} is {self.meaning}, too: if it denies other "
            f"searches, run hookwright edit {shlex.quote(self.database)} and add {FIELD}: true"
        )

    @property
    def meaning(self) -> str:
        """What else the keyword is."""
        return "short for other things" if len(self.keyword) <= SHORT else "an ordinary word"


def find_ambiguous(databases: Iterable[Mapping[str, Any]]) -> list[Ambiguous]:
    """Return the short and the ordinary keywords that no other words of a search decide about.

    Args:
        databases: The records.

    """
    return [
        Ambiguous(number, name_database(database), keyword)
        for number, database in enumerate(databases)
        if not database.keys() & {"with", FIELD}
        for keyword in database["keywords"]
        if is_ambiguous(keyword.casefold())
    ]


def is_ambiguous(keyword: str) -> bool:
    return (len(keyword) <= SHORT or keyword in ORDINARY_NAMES) and keyword not in read_names()


def list_weighed(database: Mapping[str, Any]) -> list[str]:
    """Return the keywords of a database that count by the other words of a search."""
    chosen = database.get(FIELD)
    if chosen is False or "with" in database:
        return []
    return [one for one in database["keywords"] if chosen or one.casefold() in read_names()]


def explain_keywords(database: Mapping[str, Any]) -> list[str]:
    """Return lines on the keywords of a database that are ordinary words, too."""
    notes = (
        f"{one.keyword} is {one.meaning}, too, and counts in every search: with {FIELD}: true "
        f"(hookwright edit {shlex.quote(one.database)}) it counts where the rest of a search "
        "speaks for the technology"
        for one in find_ambiguous([database])
        if len(one.keyword) > SHORT
    )
    return [*filter(None, [explain_weighed(database)]), *notes]


def explain_meanings(database: Mapping[str, Any]) -> list[str]:
    """Return lines on the keywords of a stranger's database that mean something else, too."""
    notes = (
        f"{one.keyword} is {one.meaning}, too, whose searches would be denied"
        for one in find_ambiguous([database])
    )
    return [*filter(None, [explain_weighed(database)]), *notes]


def explain_weighed(database: Mapping[str, Any]) -> str:
    words = [] if database.get(FIELD) else list_weighed(database)
    if not words:
        return ""
    several = len(words) > 1
    return (
        f"{' and '.join(words)} {'are ordinary words' if several else 'is an ordinary word'}, too: "
        f"{'they count' if several else 'it counts'} where the rest of a search speaks for the "
        f"technology; {FIELD}: false switches that off"
    )


def write_sample(database: Mapping[str, Any]) -> str:
    """Return the first keyword of a database, with words beside it that make it count."""
    keyword = database["keywords"][0]
    words = list(database.get("with", ())[:1])
    if keyword in list_weighed(database):
        _, speaking, _ = read_names().get(keyword.casefold(), (0, [], []))
        others = [word for word in speaking if keyword.casefold() not in word.split()]
        words = (others or TECHNICAL)[:2]
    return " ".join(dict.fromkeys([keyword, *words]))


def read_names() -> Mapping[str, tuple[int, list[str], list[str]]]:
    names: Mapping[str, tuple[int, list[str], list[str]]] = read_table()["names"]
    return names


@cache
def read_table() -> Mapping[str, Any]:
    table: Mapping[str, Any] = json.loads((find_template() / ORDINARY_WORDS).read_text("utf-8"))
    return table
