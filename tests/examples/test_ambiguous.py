"""Names that are ordinary words are told apart by the other words of a search."""

import json
from typing import Any

import pytest
import yaml

from runtime import ambiguity, docsearch
from runtime.ambiguity import drop_ambiguous

from ..support.project import ROOT

DATABASES: list[dict[str, Any]] = yaml.safe_load(
    (ROOT / "examples" / "ambiguous.yml").read_text("utf-8")
)["databases"]
QUERIES: dict[str, dict[str, list[str]]] = yaml.safe_load(
    (ROOT / "tests" / "examples" / "ambiguous_queries.yml").read_text("utf-8")
)
KNOWN: dict[str, Any] = json.loads((ROOT / "generator" / "ambiguous.json").read_text("utf-8"))
NAMES = [database["name"] for database in DATABASES]


@pytest.fixture(autouse=True)
def _tables(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = ["\n".join(database["keywords"]) for database in DATABASES]
    for module in (docsearch, ambiguity):
        monkeypatch.setattr(module, "KEYWORDS", "\n" + "\n\n".join(blocks) + "\n")
    monkeypatch.setattr(ambiguity, "AMBIGUOUS", json.dumps(KNOWN["names"]))
    monkeypatch.setattr(ambiguity, "WORDS", "|".join(KNOWN["words"]))
    monkeypatch.setattr(ambiguity, "OWN_POINTS", KNOWN["own_points"])


def find_meant(query: str) -> list[str]:
    """Return the names of the databases that the query means."""
    named = docsearch.match_keywords(query)
    return [NAMES[match[0]] for match in drop_ambiguous(named, {"query": query}, DATABASES, [])]


def list_denied(sense: str) -> list[tuple[str, str]]:
    """Return the words and queries of this sense that are denied for the word's database."""
    return [
        (word, query)
        for word, senses in QUERIES.items()
        for query in senses[sense]
        if word in find_meant(query)
    ]


def test_queries_are_many_and_naively_all_denied() -> None:
    """Each word has a dozen queries of each sense, and the naive rule denies every one of them."""
    assert set(QUERIES) <= set(NAMES)
    for word, senses in QUERIES.items():
        number = NAMES.index(word)
        for queries in senses.values():
            assert len(set(queries)) >= 12
            for query in queries:
                assert number in {match[0] for match in docsearch.match_keywords(query)}, query


def test_other_things_are_let_through() -> None:
    """At most 5 % of the searches for another thing are denied."""
    queries = [query for senses in QUERIES.values() for query in senses["other"]]
    denied = list_denied("other")
    assert len(denied) <= 0.05 * len(queries), denied


def test_technologies_are_still_found() -> None:
    """At least 80 % of the searches for the technology are denied."""
    queries = [query for senses in QUERIES.values() for query in senses["technology"]]
    denied = list_denied("technology")
    assert len(denied) >= 0.8 * len(queries)


@pytest.mark.parametrize("database", DATABASES, ids=NAMES)
def test_only_the_name_is_ambiguous(database: dict[str, Any]) -> None:
    """The first keyword of a record is an ordinary word, too; each other counts alone."""
    keyword, *others = database["keywords"]
    assert keyword in KNOWN["names"]
    assert others
    for other in others:
        assert other not in KNOWN["names"]
        assert database["name"] in find_meant(other), other


@pytest.mark.parametrize("name", NAMES)
def test_names_have_a_dozen_words_of_their_own(name: str) -> None:
    """Each name has a few words for the technology and against it, as a query is split."""
    _, *lists = KNOWN["names"][name]
    for words in lists:
        assert 4 <= len(words) <= 12
        for phrase in words:
            points = ambiguity.weigh_words(name, phrase, 0, [phrase], [])
            assert [phrase, KNOWN["own_points"]] in points
