"""The ready lists of ambiguous technologies tell their two senses apart."""

from typing import Any

import pytest
import yaml

from runtime import docsearch
from runtime.ambiguity import drop_ambiguous

from ..support.project import ROOT

DATABASES: list[dict[str, Any]] = yaml.safe_load(
    (ROOT / "examples" / "ambiguous.yml").read_text("utf-8")
)["databases"]
QUERIES: dict[str, dict[str, list[str]]] = yaml.safe_load(
    (ROOT / "tests" / "examples" / "ambiguous_queries.yml").read_text("utf-8")
)
NAMES = [database["name"] for database in DATABASES]


@pytest.fixture(autouse=True)
def _table(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = ["\n".join(database["keywords"]) for database in DATABASES]
    monkeypatch.setattr(docsearch, "KEYWORDS", "\n" + "\n\n".join(blocks) + "\n")


def find_meant(query: str) -> list[str]:
    """Return the names of the databases that the query means."""
    named = docsearch.match_keywords(query)
    return [NAMES[match[0]] for match in drop_ambiguous(named, {"query": query}, DATABASES, [])]


def find_denied(sense: str) -> list[tuple[str, str]]:
    """Return the words and queries of this sense that are denied for the word's database."""
    return [
        (word, query)
        for word, senses in QUERIES.items()
        for query in senses[sense]
        if word in find_meant(query)
    ]


def test_queries_are_many_and_naively_all_denied() -> None:
    """Each word has a dozen queries of each sense, and the naive rule denies every one of them."""
    for word, senses in QUERIES.items():
        number = NAMES.index(word)
        for queries in senses.values():
            assert len(set(queries)) >= 12
            for query in queries:
                assert number in {match[0] for match in docsearch.match_keywords(query)}, query


def test_other_things_are_let_through() -> None:
    """At most 5 % of the searches for another thing are denied."""
    queries = [query for senses in QUERIES.values() for query in senses["other"]]
    denied = find_denied("other")
    assert len(denied) <= 0.05 * len(queries), denied


def test_technologies_are_still_found() -> None:
    """At least 80 % of the searches for the technology are denied, for each word."""
    found = find_denied("technology")
    for word, senses in QUERIES.items():
        queries = senses["technology"]
        missed = [query for query in queries if (word, query) not in found]
        assert len(missed) <= 0.2 * len(queries), missed


@pytest.mark.parametrize("database", DATABASES, ids=NAMES)
def test_only_the_name_is_ambiguous(database: dict[str, Any]) -> None:
    """The first keyword of a record needs a word beside it; each other counts alone."""
    keyword, *others = database["keywords"]
    assert (database["name"] in find_meant(keyword)) == ("with" not in database)
    assert others
    for other in others:
        assert database["name"] in find_meant(other), other
