"""Keywords that mean something else as well are found by the ready lists."""

import pytest

from hookwright.discovery.ambiguous_keywords import find_ambiguous, read_ready_databases

from ...support.project import GITLAB


def find(*keywords: str, **fields: object) -> list[str]:
    """Return the ambiguous ones of the keywords of a database."""
    return [one.keyword for one in find_ambiguous([{**GITLAB, "keywords": keywords, **fields}])]


@pytest.mark.parametrize(
    "keyword", ["go", "next", "express", "spring", "node", "rust", "swift", "python", "Go"]
)
def test_common_ones_are_found(keyword: str) -> None:
    """Each comes with words that mend it."""
    (found,) = find_ambiguous([{**GITLAB, "keywords": ["gitlab", keyword]}])
    assert (found.number, found.database, found.keyword) == (0, "gitlab", keyword)
    assert f"add with: [{found.mending['with'][0]}, " in found.advice


def test_certain_ones_are_not() -> None:
    """A keyword that counts alone in the ready lists is certain."""
    assert find("golang", "goroutine", "python3", "gitlab", "kubernetes") == []


def test_short_ones_are() -> None:
    """Two letters are short for other things too, and nobody knows the words that fix them."""
    (found,) = find_ambiguous([{**GITLAB, "keywords": ["gl", "k8s"]}])
    assert (found.keyword, found.mending) == ("gl", {"with": []})
    assert "with: [...]" in found.advice


def test_mended_ones_are_not() -> None:
    """A database that has `with` is mended; `unless` alone leaves too much."""
    assert find("go", "gl", **{"with": ["golang"]}) == []
    assert find("go", unless=["karts"]) == ["go"]


def test_ready_records_are_not_pointed_out() -> None:
    """Whoever takes them has nothing to mend."""
    assert find_ambiguous(read_ready_databases()) == []
