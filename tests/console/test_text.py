"""Any text fits on one message line."""

import pytest
from hypothesis import example, given, strategies

from hookwright_console.network.addresses import shorten_url
from hookwright_console.text import MAX_LENGTH, make_printable, name_some, shorten, suggest


@given(strategies.text(max_size=2 * MAX_LENGTH))
@example("\x00" * 200)
@example("\U000e0041" * 200)
def test_text_fits_the_width(text: str) -> None:
    shown = shorten(text)
    assert len(shown) <= MAX_LENGTH
    assert shown.isprintable()
    cuts = {make_printable(text[:end]) for end in range(len(text) + 1)}
    assert shown in cuts or shown.removesuffix("…") in cuts


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("x" * 60, "x" * 60),
        ("x" * 61, "x" * 59 + "…"),
        ("\n" * 30, "\\n" * 30),
        ("\x00" * 200, "\\x00" * 14 + "…"),
    ],
)
def test_only_long_text_is_truncated(text: str, shown: str) -> None:
    assert shorten(text) == shown


@given(strategies.text())
def test_address_fits_the_width(url: str) -> None:
    assert len(shorten_url(url)) <= MAX_LENGTH


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b"], "a, b"),
        (["a", "b", "c"], "a, b and 1 more"),
        (["a", *"b" * 1001], "a, b and 1,000 more"),
    ],
)
def test_long_list_is_shortened_to_its_first_names(names: list[str], told: str) -> None:
    assert name_some(names, 2) == told


@pytest.mark.parametrize(
    ("word", "suggested"),
    [
        ("gitlba", "did you mean gitlab?"),
        ("GITLAB", "did you mean gitlab?"),
        ("github-p", "did you mean github-pr or github-mr?"),
        ("nix", ""),
        ("gl", "did you mean gitlab?"),
        ("", ""),
    ],
)
def test_nearest_words_are_suggested(word: str, suggested: str) -> None:
    assert suggest(word, ["gitlab", "github-pr", "github-mr", "Kubernetes"]) == suggested


def test_suggestions_are_few() -> None:
    assert suggest("gl", [f"gitlab-{number}" for number in range(9)]).count("gitlab-") == 3
