"""Links and index entries add names to their target passages."""

from dataclasses import replace

from hookwright_documentation.index.build import MAX_TEXT, REPEATED, resolve_links
from hookwright_documentation.pages import NamedTarget

from .passages import COOKING, SITE, make_passage


def test_links_point_to_passages() -> None:
    passage = make_passage(
        "index.html",
        links=(
            ("soup.html#noodles", "noodle \n soup"),
            ("bread.html", "baking"),
            ("soup.html#salt", "no such anchor"),
            ("elsewhere.html", "no such page"),
            ("soup.html", "  "),
        ),
    )
    names, links = resolve_links([*COOKING, passage], [])
    assert names[:4] == ["", "noodle soup", "baking", ""]
    assert links[:4] == [0, 1, 1, 0]


def test_links_resolve_to_anchor_aliases() -> None:
    insort = replace(make_passage("bisect.html", "insort_right"), aliases=("insort", "insort_left"))
    left = make_passage("bisect.html", "insort_left")
    asks = make_passage(
        "index.html", links=(("bisect.html#insort", "sorted"), ("bisect.html#insort_left", "left"))
    )
    assert resolve_links([insort, left, asks], []) == (["sorted", "left", ""], [1, 1, 0])


def test_index_entries_are_names_rather_than_links() -> None:
    names, links = resolve_links(COOKING, [NamedTarget("crust", f"{SITE}bread.html#oven")])
    assert (names[3], links[3]) == ("crust", 0)


def test_repeated_text_counts_a_few_times() -> None:
    links = (("index.html", "Home"),) * 100
    page = make_passage("index.html", links=(*links, ("index.html", "start")))
    assert resolve_links([page], []) == (["\n".join(["home"] * REPEATED + ["start"])], [101])


def test_long_texts_are_truncated() -> None:
    passage = make_passage("index.html", links=(("soup.html", "a" * 1_000),))
    names, _ = resolve_links([*COOKING, passage], [])
    assert max(map(len, names)) == MAX_TEXT
