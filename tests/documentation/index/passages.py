"""Sample passages for a small documentation database."""

from hookwright_documentation.pages import Passage

SITE = "https://docs.example/"


def make_passage(
    page: str,
    anchor: str = "",
    text: str = "",
    *,
    headings: tuple[str, ...] = (),
    links: tuple[tuple[str, str], ...] = (),
) -> Passage:
    """Return a passage; `links` contains pairs of a site-relative address and a text."""
    targets = tuple((SITE + address, named) for address, named in links)
    return Passage(SITE + page, anchor, headings or (page, anchor), text, targets)


COOKING = (
    make_passage("soup.html", "broth", "Boil bones and vegetables for hours."),
    make_passage("soup.html", "noodles", "Add pasta to the broth shortly before it is served."),
    make_passage("bread.html", "dough", "Knead flour, water and yeast."),
    make_passage("bread.html", "oven", "Bake at 220 degrees until the crust is brown."),
    make_passage("whatsnew.html", "v2", "Bake at 220 degrees is new: the oven was colder before."),
    make_passage("tools.html", "Oven.setTemperature", "Set how hot it gets."),
)
