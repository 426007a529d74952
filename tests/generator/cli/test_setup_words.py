"""The words and options of a setup are checked before anything is fetched."""

import pytest
import typer

from hookwright.cli.setup import choose_recipe
from hookwright_documentation.recipe import Recipe

DRAFT = Recipe("", (), "")
SITE = "https://docs.acme.example/"


@pytest.mark.parametrize(
    ("keyword", "other"),
    [
        (".net", "dotnet"),
        ("$(id)", "id"),
        ("日本", "NAME"),
        ("日本 go", "go"),
        ("-" + "x" * 4, "xxxx"),
        ("x" * 65, "NAME"),
    ],
)
def test_keyword_that_cannot_be_a_name_needs_one(keyword: str, other: str) -> None:
    """A keyword that no folder can be called by is told with the option for another name."""
    with pytest.raises(typer.BadParameter, match=rf"cannot be called '.*': add --name {other}$"):
        choose_recipe([keyword, SITE], DRAFT)


@pytest.mark.parametrize("prefix", ["/nope", "docs.acme.example", "https://", "file:///x"])
def test_prefix_is_a_url(prefix: str) -> None:
    """A prefix that no address begins with is refused."""
    with pytest.raises(typer.BadParameter, match=f"--prefix: expected a URL .*, got {prefix}$"):
        choose_recipe(["acme", SITE], Recipe("", (), "", prefix))


@pytest.mark.parametrize("text", ["BSD3", "see the site", "MIT AND"])
def test_licence_is_of_spdx(text: str) -> None:
    """A licence that SPDX does not know is refused, with the way to name any other."""
    with pytest.raises(typer.BadParameter, match=f"BSD-3-Clause, or LicenseRef-NAME .* {text}$"):
        choose_recipe(["acme", SITE], Recipe("", (), "", license=text))


@pytest.mark.parametrize("text", ["MIT", "LicenseRef-Acme", "MIT OR Apache-2.0", "CC-BY-SA-2.5"])
def test_licence_of_spdx_is_taken(text: str) -> None:
    """What SPDX knows is taken as it is given."""
    assert choose_recipe(["acme", SITE], Recipe("", (), "", license=text)).license == text
