"""Remedies for searches that an ambiguous keyword decided wrongly are derived from their words."""

import pytest

from hookwright.simulate.ambiguous_searches import (
    AmbiguousSearch,
    ClosestSearches,
    MarkedSearches,
    Remedy,
    list_remedies,
)
from hookwright.simulate.batch import read_evidence


def build_search(text: str, **points: int) -> AmbiguousSearch:
    evidence = read_evidence("go", {"go": -1, **points}, text)
    return AmbiguousSearch(text, 0, "Go", evidence, evidence.sum > 0)


DENIED = {
    search.text: search
    for search in (
        build_search("go trip app code", trip=-3, app=2, code=3),
        build_search("trip to Go, zoo app", trip=-3, app=2, zoo=3),
        build_search("go app code mutex", app=2, code=2, mutex=3),
        build_search("go app", app=2),
    )
}
PASSED = {
    search.text: search
    for search in (
        build_search("Go modules: why", modules=1),
        build_search("vendor GO modules", modules=1),
        build_search("go pokemon", pokemon=-7),
        build_search("ready to go, go on"),
    )
}


def find(false: list[str], missed: list[str]) -> list[str]:
    return [
        remedy.describe()
        for remedy in list_remedies(MarkedSearches(DENIED | PASSED, false, missed))
    ]


@pytest.mark.parametrize(
    ("false", "words"),
    [
        (["go trip app code", "trip to Go, zoo app"], ["unless: [trip]"]),  # a word that both share
        (["trip to Go, zoo app"], ["unless: [zoo]"]),  # because a wanted search contains trip
        (["go app"], []),  # all its words occur in wanted searches
    ],
)
def test_unless_words_are_few_and_in_no_wanted_search(false: list[str], words: list[str]) -> None:
    assert find(false, []) == words


def test_distinctive_word_precedes_a_place_name() -> None:
    false = build_search("go developer salary berlin", developer=4, salary=1)
    others = [
        build_search("go meetup berlin", meetup=-3),
        build_search("berlin go club", club=-3),
        build_search("go backend developer guide", developer=4),
    ]
    searches = {search.text: search for search in [false, *others]}
    remedies = list_remedies(MarkedSearches(searches, [false.text], []))
    assert [search.describe() for search in remedies] == ["unless: [salary]"]


def test_word_of_more_past_searches_comes_first() -> None:
    false = build_search("go fish rules card", fish=1, rules=1, card=1)
    others = [build_search(f"go {word} card", card=1, **{word: -3}) for word in ("home", "away")]
    searches = {search.text: search for search in [false, *others]}
    remedies = list_remedies(MarkedSearches(searches, [false.text], []))
    assert [search.describe() for search in remedies] == ["unless: [card]"]


@pytest.mark.parametrize(
    ("missed", "phrases"),
    [
        (["Go modules: why", "vendor GO modules"], ["keywords: [go modules]"]),
        (["vendor GO modules"], ["keywords: [vendor go]"]),  # another search contains go modules
        (["go pokemon"], []),  # pokemon counts against the technology
        (["ready to go, go on"], ["keywords: [to go]"]),
    ],
)
def test_phrases_occur_in_no_other_search(missed: list[str], phrases: list[str]) -> None:
    assert find([], missed) == phrases


def test_ambiguity_is_questioned_only_if_all_searches_are_wanted() -> None:
    assert "ambiguous: false" in find([], list(PASSED))
    assert "ambiguous: false" not in find(["go app"], list(PASSED))
    assert "ambiguous: false" not in find([], list(PASSED)[1:])


def test_changes_extend_a_record() -> None:
    record = {"keywords": ["go"], "ambiguous": True}
    assert Remedy("keywords", "go vet").apply(record)["keywords"] == ["go", "go vet"]
    assert Remedy("unless", "trip").apply(record)["unless"] == ["trip"]
    assert Remedy("ambiguous").apply(record) == {"keywords": ["go"], "ambiguous": False}


def test_closest_searches_are_listed_once() -> None:
    closest = ClosestSearches(2)
    for search in [*DENIED.values(), *DENIED.values()]:
        closest.add(search)
    assert [search.evidence.sum for search in closest.searches] == [1, 1]
    assert len({search.text for search in closest.searches}) == 2
    nothing = ClosestSearches(0)
    nothing.add(build_search("go app", app=2))
    assert nothing.searches == []


def test_evidence_lists_the_most_distinctive_words() -> None:
    evidence = read_evidence("go", {"go": 0, "chain": 4, "on": -4}, "go on chain")
    assert evidence.describe() == "for 'chain' +4, against 'on' -4 (sum 0, not above 0)"
    words = {f"w{number}": 2 for number in range(7)}
    many = read_evidence("go", {"go": 1, **words}, f"go {' '.join(words)}")
    assert (
        many.describe()
        == "for 'w0' +2, 'w1' +2, 'w2' +2, 'w3' +2, 'w4' +2 and 3 more (sum 15, above 0)"
    )
    assert (
        read_evidence("go", {"go": 0}, "go").describe()
        == "no word for or against (sum 0, not above 0)"
    )


@pytest.mark.parametrize(
    ("query", "points", "told"),
    [
        ("Go configuring", {"config": 3, "uri": -1}, {"configuring": 2}),
        ("go start art", {" art": -2}, {"art": -2}),
        ("art (Go)", {" art": -2}, {"art": -2}),
        ("go errgroup.WithContext", {"context": 2}, {"withcontext": 2}),
        ("golang go", {" go": -1}, {"golang": -1}),
        ("go x", {" go": -1}, {}),  # already part of the keyword
        ("go in production", {"go in": -4, "produ": 2}, {"go in": -4, "production": 2}),
        ("go生成", {"生成": 2000}, {"生成": 2000}),
    ],
)
def test_evidence_lists_whole_words(
    query: str, points: dict[str, int], told: dict[str, int]
) -> None:
    evidence = read_evidence("go", {"go": 0, **points}, query)
    assert evidence.words == told
    assert evidence.sum == sum(points.values())
