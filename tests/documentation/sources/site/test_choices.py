"""If the user chose no language or version, the selected ones are reported."""

import pytest

from hookwright_documentation.sources.site.scope import Scope, describe_choices

SITE = "https://docs.example.org/"


@pytest.mark.parametrize(
    ("is_language_named", "told"),
    [(False, ("language en (also there: de): choose another with --language",)), (True, ())],
)
def test_language_chosen_by_the_user_is_not_reported(
    *, is_language_named: bool, told: tuple[str, ...]
) -> None:
    scope = Scope(SITE, "en", is_language_named=is_language_named, mirrors={"de"})
    assert describe_choices(scope, "", "") == told


@pytest.mark.parametrize("wanted", ["3.2", "v3.2"])
def test_version_chosen_by_the_user_is_not_reported(wanted: str) -> None:
    scope = Scope(SITE, wanted=wanted, version="v3.2", versions={"v3.2", "v3.1"})
    assert describe_choices(scope, "3.2", "v3.2") == ()
    scope.wanted = "4.0"
    (note,) = describe_choices(scope, "3.2", "v3.2")
    assert note.startswith("version 3.2 (v3.2) (also there: v3.1): choose another")
