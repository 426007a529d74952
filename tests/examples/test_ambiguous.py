"""Ambiguous names are resolved by the other words in a search."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from runtime import matching

from ..support.project import ROOT


def read_yaml(path: Path) -> Any:
    return yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)


DATABASES: list[dict[str, Any]] = read_yaml(ROOT / "examples" / "ambiguous.yml")["databases"]
UNSEEN = "unseen_queries.yml"  # no table was fitted to these queries or selected with them
FILES = ("ambiguous_queries.yml", "held_out_queries.yml", UNSEEN)  # tables are fitted to the first
PYTHON = ("held_out_python_queries.yml", "unseen_python_queries.yml")
QUERIES: dict[str, dict[str, dict[str, list[str]]]] = {
    file: read_yaml(ROOT / "tests" / "examples" / file) for file in (*FILES, *PYTHON)
}
ALL_KINDS: list[dict[str, str]] = read_yaml(
    ROOT / "tests" / "examples" / "unseen_queries_of_all_kinds.yml"
)
KNOWN: dict[str, Any] = json.loads((ROOT / "generator" / "ambiguous.json").read_text("utf-8"))
NAMES = [database["name"] for database in DATABASES]


@pytest.fixture(autouse=True)
def _tables(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = ["\n".join(database["keywords"]) for database in DATABASES]
    monkeypatch.setattr(matching, "KEYWORDS", "\n" + "\n\n".join(blocks) + "\n")
    monkeypatch.setattr(matching, "JUDGES", (matching.is_meant,))
    rows = [f"\n{number} {name}{list_points(name)}" for number, name in enumerate(NAMES)]
    monkeypatch.setattr(matching, "AMBIGUOUS", "".join(rows))
    monkeypatch.setattr(matching, "PIECES", join_groups(KNOWN["pieces"])[2:] + "\t\t")


def list_points(name: str) -> str:
    prior, words, against = KNOWN["names"][name]
    points = KNOWN["own_points"]
    return join_groups([[prior, name], [points, *words], [-points, *against]])


def join_groups(groups: list[list[Any]]) -> str:
    return "".join("\t\t" + "\t".join(map(str, group)) for group in groups)


def find_databases(query: str) -> list[str]:
    return [NAMES[match[0]] for match in matching.match_keywords(query, [])]


def count_denied(file: str, sense: str, *names: str) -> tuple[int, list[str]]:
    queries = [
        (name, query) for name in names or QUERIES[file] for query in QUERIES[file][name][sense]
    ]
    return len(queries), [query for name, query in queries if name in find_databases(query)]


@pytest.mark.parametrize("file", FILES)
def test_queries_are_many_and_naive_matching_denies_all(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert set(QUERIES[file]) <= set(NAMES)
    monkeypatch.setattr(matching, "JUDGES", ())
    for name, senses in QUERIES[file].items():
        number = NAMES.index(name)
        for queries in senses.values():
            assert len(set(queries)) >= 12
            for query in queries:
                assert number in {match[0] for match in matching.match_keywords(query, [])}, query


@pytest.mark.parametrize("file", FILES)
def test_unrelated_queries_go_through(file: str) -> None:
    number, denied = count_denied(file, "other")
    assert len(denied) <= 0.05 * number, denied


@pytest.mark.parametrize("file", FILES)
def test_technology_queries_are_still_denied(file: str) -> None:
    number, denied = count_denied(file, "technology")
    assert len(denied) >= 0.8 * number


@pytest.mark.parametrize("file", ["held_out_queries.yml", UNSEEN, *PYTHON])
def test_nearly_every_python_search_is_denied(file: str) -> None:
    number, denied = count_denied(file, "technology", "python")
    assert len(denied) >= 0.95 * number


@pytest.mark.parametrize("file", PYTHON)
def test_most_searches_about_other_pythons_go_through(file: str) -> None:
    number, denied = count_denied(file, "other", "python")
    assert len(denied) <= 0.25 * number, denied


def test_every_kind_of_unrelated_search_goes_through() -> None:
    matches = [(find_databases(search["search"]), search["technology"]) for search in ALL_KINDS]
    wrong = [names for names, technology in matches if set(names) - {technology}]
    assert len(wrong) <= 0.005 * len(matches), wrong


def test_only_the_technology_name_is_ambiguous() -> None:
    for database in DATABASES:
        keyword, *others = database["keywords"]
        assert keyword in KNOWN["names"]
        assert others
        for other in others:
            assert other not in KNOWN["names"]
            assert database["name"] in find_databases(other), other


def test_every_name_has_distinct_words() -> None:
    for name in NAMES:
        _, *lists = KNOWN["names"][name]
        for words in lists:
            assert 4 <= len(words) <= 20
            assert words == [word.casefold().strip() for word in words]


def test_words_of_a_name_are_not_matched_as_pieces() -> None:
    for name in KNOWN["names"]:
        _, prior, *groups = list_points(name).split("\t\t")
        pieces = join_groups(KNOWN["pieces"])
        assert [group for group in (prior, *groups) if group in pieces] == [], name
