"""Find ambiguous keywords: ordinary words such as go, and abbreviations."""

import json
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from hookwright.answers.schema import name_database
from hookwright.template.store import ORDINARY_WORDS, find_template

FIELD = "ambiguous"
SHORT = 2  # characters; such a short keyword can abbreviate many things
INDEXED = "mcp__hookwright-docs__search_docs"  # tool of databases with an index that decides
TECHNICAL = ["library", "compiler"]  # words that suggest any technology


@dataclass(frozen=True)
class Ambiguous:
    """An ambiguous keyword that the hook always treats as the technology."""

    number: int  # the database's number
    database: str  # the database's name
    keyword: str

    @property
    def mending(self) -> dict[str, bool | list[str]]:
        return {FIELD: True if len(self.keyword) <= SHORT else [self.keyword]}

    @property
    def advice(self) -> str:
        return (
            f"{self.database}: {self.keyword!r} is also {self.meaning}: if it denies other "
            f"searches, run hookwright edit {shlex.quote(self.database)} and add {self.field}"
        )

    @property
    def field(self) -> str:
        """The field that fixes this, in the answers' notation."""
        return f"{FIELD}: true" if self.mending[FIELD] is True else f"{FIELD}: [{self.keyword}]"

    @property
    def meaning(self) -> str:
        return "short for other things" if len(self.keyword) <= SHORT else "an ordinary word"

    def export(self) -> dict[str, Any]:
        return {"database": self.database, "keyword": self.keyword, "mending": self.mending}


def find_ambiguous(databases: Iterable[Mapping[str, Any]]) -> list[Ambiguous]:
    """Return short and ordinary keywords that match regardless of a search's other words."""
    return [
        Ambiguous(number, name_database(database), keyword)
        for number, database in enumerate(databases)
        if not database.keys() & {"with", FIELD} and not is_judged(database)
        for keyword in database["keywords"]
        if keyword.casefold() not in read_names()
        if len(keyword) <= SHORT or is_ordinary(keyword)
    ]


def is_ordinary(keyword: str) -> bool:
    """Return whether a keyword is an ordinary English word or its plural."""
    folded = keyword.casefold()
    return not {folded, folded.removesuffix("s")}.isdisjoint(read_words())


def mark_ordinary(database: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of a record in which its ordinary keywords are marked."""
    found = [
        ambiguous.keyword
        for ambiguous in find_ambiguous([database])
        if len(ambiguous.keyword) > SHORT
    ]
    return {**database, **({FIELD: found} if found else {})}


def is_judged(database: Mapping[str, Any]) -> bool:
    """Return whether an index decides which searches go to a database."""
    return database.get("mcp_tool_name") == INDEXED and database.get("coverage", True) is True


def list_weighed(database: Mapping[str, Any]) -> list[str]:
    chosen = database.get(FIELD, False if is_judged(database) else None)
    if chosen is False or "with" in database:
        return []
    if chosen is True:
        return [*database["keywords"]]
    known = {*read_names(), *(keyword.casefold() for keyword in chosen or ())}
    return [keyword for keyword in database["keywords"] if keyword.casefold() in known]


def explain_keywords(database: Mapping[str, Any]) -> list[str]:
    notes = (
        f"{ambiguous.keyword} is also {ambiguous.meaning} and counts in every search: with "
        f"{ambiguous.field} (hookwright edit {shlex.quote(ambiguous.database)}) it counts "
        "only if the rest of a search is about the technology"
        for ambiguous in find_ambiguous([database])
        if len(ambiguous.keyword) > SHORT
    )
    return [*filter(None, [explain_weighed(database)]), *notes]


def explain_meanings(database: Mapping[str, Any]) -> list[str]:
    """Return warnings about ambiguous keywords in a database from another source."""
    notes = (
        f"{ambiguous.keyword} is also {ambiguous.meaning}, and searches for that would be denied"
        for ambiguous in find_ambiguous([database])
    )
    return [*filter(None, [explain_weighed(database)]), *notes]


def explain_weighed(database: Mapping[str, Any]) -> str:
    words = [] if database.get(FIELD) is True else list_weighed(database)
    if not words:
        return ""
    several = len(words) > 1
    are = (
        "are also ordinary words: they count" if several else "is also an ordinary word: it counts"
    )
    return (
        f"{' and '.join(words)} {are} only if the rest of a search is about the technology; "
        f"{FIELD}: false switches that off"
    )


def write_sample(database: Mapping[str, Any]) -> str:
    """Return a database's first keyword, with any words that it needs in order to match."""
    words = list_supporting(database)
    few = words[:1] if "with" in database else words[:2]
    return " ".join(dict.fromkeys([database["keywords"][0], *few]))


def list_searches(database: Mapping[str, Any]) -> list[str]:
    """Return searches that name a database; its index may decide to answer only some of them."""
    keyword = database["keywords"][0]
    words = [word for word in list_supporting(database) if word != "use"]
    names = [write_sample(database), *(f"{keyword} {word}" for word in words)]
    return [f"how do I use {name}" for name in names]


def list_supporting(database: Mapping[str, Any]) -> list[str]:
    """Return the words that let a database's first keyword match, if it needs any."""
    keyword = database["keywords"][0]
    if keyword not in list_weighed(database):
        return list(database.get("with", ()))
    _, speaking, _ = read_names().get(keyword.casefold(), (0, [], []))
    return [word for word in speaking if keyword.casefold() not in word.split()] or TECHNICAL


def read_names() -> Mapping[str, tuple[int, list[str], list[str]]]:
    names: Mapping[str, tuple[int, list[str], list[str]]] = read_table()["names"]
    return names


@cache
def read_words() -> frozenset[str]:
    text = Path(__file__).with_name("ordinary_words.txt").read_text("utf-8")
    return frozenset(line for line in text.splitlines() if line.isalpha())


@cache
def read_table() -> Mapping[str, Any]:
    table: Mapping[str, Any] = json.loads((find_template() / ORDINARY_WORDS).read_text("utf-8"))
    return table
