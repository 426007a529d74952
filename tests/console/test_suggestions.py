"""The nearest words are suggested for one that is misspelled."""

import pytest

from hookwright_console.suggestions import suggest


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


def test_few_words_are_suggested() -> None:
    assert suggest("gl", [f"gitlab-{number}" for number in range(9)]).count("gitlab-") == 3
