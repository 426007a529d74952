"""A setup's arguments and options are validated before anything is fetched."""

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from hookwright_console.errors import MisusedError
from hookwright_documentation.recipes.recipe import Recipe
from hookwright_documentation.setup import RecipeOptions, choose_recipe
from hookwright_documentation.sharing.archive import pack
from hookwright_documentation.sharing.building import build_shared

from ..support.command_line import CommandLine
from ..support.shared_archives import list_files, read

NOTHING = RecipeOptions()
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
def test_keyword_unusable_as_a_name_needs_the_name_option(keyword: str, other: str) -> None:
    with pytest.raises(MisusedError, match=rf"cannot be called '.*': add --name {other}$"):
        choose_recipe([keyword, SITE], NOTHING)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["zzzzzz"], "no documentation database or recipe 'zzzzzz': use a keyword and a source"),
        (["./notes"], r"a keyword and a source, such as: hookwright setup NAME [.]/notes$"),
        ([SITE], f"a keyword and a source, such as: hookwright setup NAME {SITE}$"),
        ([SITE, "acme"], "SOURCE: no folder acme: put the URL last"),
        (["a", "127.0.0.1:8911"], "for a site, give http://127.0.0.1:8911$"),
        (["a", "docs.acme.example/x"], "for a site, give https://docs.acme.example/x$"),
        (["a", "./nope"], "SOURCE: no folder ./nope: use a URL with https://, a folder, git"),
        (["a", "page.md"], r"page.md is a file: use its folder, or pipe it \(- < page.md\)$"),
        (["a", "https://[bad/"], r"SOURCE: https://\[bad/ has no valid host: check the URL$"),
        (["a", "git+https://:1/"], "has no valid host"),
        (["a", "x" * 300], "SOURCE: x+…?: File name too long: use a URL with https://"),
    ],
)
def test_invalid_source_is_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.md").touch()
    with pytest.raises(MisusedError, match=told):
        choose_recipe(words, NOTHING)


@pytest.mark.parametrize("prefix", ["/nope", "docs.acme.example", "https://", "file:///x"])
def test_prefix_must_be_a_url(prefix: str) -> None:
    with pytest.raises(MisusedError, match=f"--prefix: expected a URL .*, got {prefix}$"):
        choose_recipe(["acme", SITE], RecipeOptions(prefix=prefix))


@pytest.mark.parametrize("text", ["BSD3", "see the site", "MIT AND"])
def test_licence_must_be_an_spdx_identifier(text: str) -> None:
    with pytest.raises(MisusedError, match=f"BSD-3-Clause, or LicenseRef-NAME .* {text}$"):
        choose_recipe(["acme", SITE], RecipeOptions(license=text))


@pytest.mark.parametrize("text", ["MIT", "LicenseRef-Acme", "MIT OR Apache-2.0", "CC-BY-SA-2.5"])
def test_spdx_licence_is_accepted(text: str) -> None:
    assert choose_recipe(["acme", SITE], RecipeOptions(license=text)).recipe.license == text


def test_unknown_database_is_not_removed(hookwright_line: CommandLine) -> None:
    output = hookwright_line.error("remove", "nope", "--yes")
    assert output.startswith("hookwright: no documentation database 'nope', and not a Hookwright ")


def test_package_is_its_own_keyword(tmp_path: Path) -> None:
    draft = RecipeOptions(python=str(tmp_path))
    recipe = choose_recipe(["python:flask,Jinja2"], draft).recipe
    assert (recipe.keywords, recipe.name) == (("flask", "Jinja2"), "flask")
    assert (recipe.source, recipe.python) == ("python:flask,Jinja2", str(tmp_path))


@pytest.mark.parametrize(
    ("words", "draft", "told"),
    [
        (["x", "python:flask"], RecipeOptions(), "no Python environment here: use one with"),
        (["x", "python:flask"], RecipeOptions(python="nope"), "--python: no folder nope"),
        (["x", "python:,"], RecipeOptions(), "name a package, such as python:flask"),
        (["x", SITE], RecipeOptions(python="."), "use it only with python:NAME"),
        (["x", "git+ftp://e.org/x"], RecipeOptions(), "expected a URL with https://, a folder"),
        (["x", "git+ssh://e.org/x"], RecipeOptions(), "cannot fetch over SSH: clone the"),
        (["x", "git@e.org:x/y.git"], RecipeOptions(), "cannot fetch over SSH: clone the"),
        (["x", "git+me@e.org:x/y"], RecipeOptions(), "cannot fetch over SSH: clone the"),
    ],
)
def test_mismatched_source_and_environment_are_rejected(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    draft: RecipeOptions,
    told: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    with pytest.raises(MisusedError, match=told):
        choose_recipe(words, draft)


def test_local_repository_stays_a_repository(tmp_path: Path) -> None:
    for text in (f"git+{tmp_path}/.", f"git+{tmp_path.as_uri()}"):
        assert choose_recipe(["acme", text], NOTHING).recipe.source == f"git+{tmp_path}"


def test_repository_prefix_is_a_folder() -> None:
    draft = RecipeOptions(prefix="docs/")
    assert choose_recipe(["acme", "https://github.com/acme/acme"], draft).recipe.prefix == "docs/"


def test_file_url_becomes_a_folder(tmp_path: Path) -> None:
    (tmp_path / "a b").mkdir()
    url = (tmp_path / "a b").as_uri()
    assert choose_recipe(["acme", url], NOTHING).recipe.source == str(tmp_path / "a b")
    with pytest.raises(MisusedError, match="use a folder on this computer"):
        choose_recipe(["acme", "file://server/share"], NOTHING)


@pytest.mark.parametrize("given", [RecipeOptions(prefix="docs"), RecipeOptions(version="v1.2")])
def test_repository_subfolder_is_cloned_with_git(tmp_path: Path, given: RecipeOptions) -> None:
    with pytest.raises(MisusedError) if given.prefix else nullcontext():
        assert choose_recipe(["acme", str(tmp_path)], given).recipe.source == str(tmp_path)
    (tmp_path / ".git").mkdir()
    assert choose_recipe(["acme", str(tmp_path)], given).recipe.source == f"git+{tmp_path}"
    assert choose_recipe(["acme", str(tmp_path)], NOTHING).recipe.source == str(tmp_path)


def test_repeated_setup_keeps_existing_settings() -> None:
    known = Recipe(
        *("acme", ("rocket", "acme"), SITE, f"{SITE}guide/", 9, "MIT"),
        description="Acme, a rocket",
        domains=("acme.example",),
        exclusions=(f"{SITE}guide/old/",),
        is_strangers=True,
    )
    build_shared(known, read(pack(list_files())), {})
    again = choose_recipe(["acme", "engine", SITE], RecipeOptions(license="BSD-3-Clause")).recipe
    words = ("acme", "engine", "rocket")
    assert again == replace(known, keywords=words, license="BSD-3-Clause", is_strangers=False)
    other = f"{SITE}other/"
    assert choose_recipe(["acme", other], NOTHING).recipe == Recipe("acme", ("acme",), other)
