"""Tests of the page's charts."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from lesson_search.page import routes as charts

PATHS = st.text("ab", min_size=1, max_size=3).map("/".join)


@given(st.dictionaries(PATHS, st.integers(0, 10_000), max_size=60))
def test_tile_areas_are_proportional_to_counts(counts: dict[str, int]) -> None:
    tiles = charts.lay_out_tiles(counts, "", 800, 200)
    shown = [tile.count for tile in tiles]
    assert shown == sorted(shown, reverse=True)
    for tile in tiles:
        area = tile.width * tile.height
        assert abs(area / (800 * 200) - tile.count / sum(shown)) < 0.01
    for tile, other in combinations(tiles, 2):
        apart = (
            tile.left + tile.width <= other.left + 0.2
            or other.left + other.width <= tile.left + 0.2
            or tile.top + tile.height <= other.top + 0.2
            or other.top + other.height <= tile.top + 0.2
        )
        assert apart


def test_treemap_handles_many_categories() -> None:
    counts = {f"c{number}": 100 - number for number in range(60)}
    tiles = charts.lay_out_tiles(counts, "", 800, 200)
    assert len(tiles) == charts.MAX_RECTANGLES
    assert sum(tile.count for tile in tiles) == sum(counts.values())
    (others,) = [tile for tile in tiles if not tile.category]
    assert (others.name, others.categories) == ("21 others", 21)


def test_treemap_shows_subcategories() -> None:
    counts = {"devops": 3, "devops/docker": 2, "devops/docker/build": 1, "devopsy/x": 9}
    tiles = charts.lay_out_tiles(counts, "devops", 100, 100)
    assert [(tile.category, tile.name, tile.count) for tile in tiles] == [
        ("devops/docker", "docker", 2),
        ("", "in none of these", 1),
    ]


def test_uncategorised_lessons_have_a_tile() -> None:
    tiles = charts.lay_out_tiles({"": 3, "devops": 4}, "", 100, 100)
    assert [(tile.category, tile.count) for tile in tiles] == [("devops", 4), ("", 3)]
