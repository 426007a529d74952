"""The words and options of a setup are checked before anything is fetched."""

from pathlib import Path

import pytest
import typer

from hookwright.cli.setup import choose_recipe
from hookwright_documentation.recipe import Recipe

from ...support.command_line import CommandLine

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


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nosuch"], "no documentation database 'nosuch': give a keyword and a source"),
        ([SITE, "acme"], "SOURCE: no folder acme: give the URL last"),
        (["a", "127.0.0.1:8911"], "for a site, give http://127.0.0.1:8911$"),
        (["a", "docs.acme.example/x"], "for a site, give https://docs.acme.example/x$"),
        (["a", "./nope"], "SOURCE: no folder ./nope: give a folder, or a URL with https://$"),
        (["a", "page.md"], "SOURCE: page.md is a file: give its folder$"),
    ],
)
def test_source_is_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], told: str
) -> None:
    """A source that cannot be taken is told with the way out that fits it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.md").touch()
    with pytest.raises(typer.BadParameter, match=told):
        choose_recipe(words, DRAFT)


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


def test_unknown_database_is_not_removed(hookwright_line: CommandLine) -> None:
    """Outside of a project, what cannot be removed is told to be no database."""
    told = hookwright_line.complain("remove", "nope", "--yes")
    assert told.startswith("hookwright: no documentation database 'nope', and not a Hookwright ")
