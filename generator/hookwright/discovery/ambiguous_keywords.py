"""Find keywords that mean something else, too: ordinary words such as go, and abbreviations."""

import json
import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from hookwright.answers.schema import name_database
from hookwright.template.store import ORDINARY_WORDS, find_template

FIELD = "ambiguous"
SHORT = 2  # characters; a keyword this short abbreviates many things
INDEXED = "mcp__hookwright-docs__search_docs"  # the tool of databases whose index answers
TECHNICAL = ["compiler", "library"]  # words that speak for any technology
ORDINARY_NAMES = frozenset(
    re.findall(
        r"\w+",
        """
        actor airflow alpine altair ambassador anchor ant apache arrow atlas atom audit aurora
        avocado azure backbone bamboo banana basic bazaar beam beats bench bento black blaze
        bottle bower brew bridge brunch buck buffalo bundle cabal caddy cake camel canvas
        capacitor captain cargo cascade cassandra castle chakra chalice chalk charm chisel
        chrome circle click clipper clojure coal cobra cocoa coffee collapse compass compose
        concourse consul cookie corona couch crane crow cube cucumber curl cypress dagger dapper
        dark delta desk diesel dolphin draft drill drone druid eclipse eden elastic electron
        element envoy enzyme essence excel fabric factory falcon fig finch fire firefly flame
        flash flink flow flower fluent forge fortress foundry fuse galaxy ganache gatsby gauge
        gazelle ghost giraffe glide glue grape gravity groovy ground guide gulp hammer harbor
        harness hatch haystack heat hibernate hive horizon hornet hound hyper ignite illuminate
        impala imposter ink insomnia invoke ionic iris jasmine jest jetty jigsaw juice jupiter
        karma kernel kestrel kite knot koala lambda lance lasso lattice lens less lift lightning
        lime linen loom lotus luigi luna lynx magenta make mantle maple marathon marble
        marionette mason maven melody mercurial mercury mesh metal micron mint mist mocha mold
        monsoon moon moose mustache nautilus needle nightwatch nomad nova oak ocean octave
        octopus olive onyx opal oracle orchid otter packer paint panda parcel parrot pass patch
        pelican perl petal phantom pig pilot pine pipeline plank plug poetry polar polaris
        polymer pony presto prism processing prometheus protractor pulsar pulse pylon pyramid
        quartz rabbit ranger ray realm requests rest rich ring river robot rocket rome rook room
        root rope rover rush sails samba sapling scala scout sculpt sentinel sentry serenity
        shelf shield sketch skylark slate slick slim snap snort solo sonar spectrum sphinx
        splash spock sprite stencil storm stripe sublime surge symphony tango tape tempo terra
        thrift tide tiger timber toast tornado tree trident trio trivia tuple turbine turbo twig
        twist twisted typhoon vagrant vapor velocity velvet vespa vessel victory vine viper
        voyager vulcan walrus watchman weave whisper wine winter wrangler zeal zebra zen zephyr
        """,
    )
)


@dataclass(frozen=True)
class Ambiguous:
    """A keyword that means something else, too, but that the hook takes for the technology."""

    number: int  # the number of the database that has it
    database: str  # the name of that database
    keyword: str

    @property
    def mending(self) -> dict[str, bool]:
        return {FIELD: True}

    @property
    def advice(self) -> str:
        return (
            f"{self.database}: {self.keyword!r} is {self.meaning}, too: if it denies other "
            f"searches, run hookwright edit {shlex.quote(self.database)} and add {FIELD}: true"
        )

    @property
    def meaning(self) -> str:
        return "short for other things" if len(self.keyword) <= SHORT else "an ordinary word"


def find_ambiguous(databases: Iterable[Mapping[str, Any]]) -> list[Ambiguous]:
    """Return the short and the ordinary keywords that no other words of a search decide about."""
    return [
        Ambiguous(number, name_database(database), keyword)
        for number, database in enumerate(databases)
        if not database.keys() & {"with", FIELD} and not is_judged(database)
        for keyword in database["keywords"]
        if len(keyword) <= SHORT or keyword.casefold() in ORDINARY_NAMES
        if keyword.casefold() not in read_names()
    ]


def is_judged(database: Mapping[str, Any]) -> bool:
    """Return whether an index decides which searches go to a database."""
    return database.get("mcp_tool_name") == INDEXED and database.get("coverage", True) is True


def list_weighed(database: Mapping[str, Any]) -> list[str]:
    chosen = database.get(FIELD, False if is_judged(database) else None)
    if chosen is False or "with" in database:
        return []
    return [one for one in database["keywords"] if chosen or one.casefold() in read_names()]


def explain_keywords(database: Mapping[str, Any]) -> list[str]:
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
