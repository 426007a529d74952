"""Pages that only repeat other pages are detected by their content."""

from hookwright_documentation.cutting import find_repeats
from hookwright_documentation.pages import Page

from . import CRAWLED


def write(name: str, *topics: str) -> Page:
    lines = [
        f"Line {number} about the topic of {topic}, [linked]({name}#{topic})."
        for topic in topics
        for number in range(10)
    ]
    return Page(
        f"https://docs.example/{name}", name, "", "", CRAWLED, f"# {name}\n" + "\n".join(lines)
    )


PAGES = [write(name, name) for name in ("a", "b", "c", "d")]


def find(*more: Page) -> set[str]:
    return {url.rpartition("/")[2] for url in find_repeats([*PAGES, *more])}


def test_page_repeating_all_others_is_a_repeat() -> None:
    assert find(write("all", "a", "b", "c", "d")) == {"all"}


def test_page_with_unique_content_is_kept() -> None:
    assert find(write("more", "a", "b", "more")) == set()


def test_one_of_identical_pages_is_kept() -> None:
    """Two addresses with the same content are one page; the shorter address is kept."""
    assert find(write("index-of-a", "a")) == {"index-of-a"}


def test_short_pages_are_not_repeats() -> None:
    short = Page(
        "https://docs.example/s", "s", "", "", CRAWLED, "\n".join(PAGES[0].text.split("\n")[:4])
    )
    assert find(short) == set()
