"""Ready-made recipes match a technology's common names and point to its documentation."""

import pytest

from hookwright_documentation.recipes.recipe import (
    ReadyRecipe,
    find_ready_recipe,
    load_ready_recipes,
    match_ready_recipes,
    suggest_ready_recipe,
)

SITE = "https://docs.acme.example/"


def build(versioned: str = "", **fields: object) -> ReadyRecipe:
    settings: dict[str, object] = {"source": f"{SITE}stable/", "versioned": versioned, **fields}
    return ReadyRecipe("acme", ("acme",), domains=("x.example",), **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("word", "name"),
    [("django", "django"), ("Django", "django"), ("k8s", "kubernetes"), ("next", "next.js")],
)
def test_recipe_is_found_by_name(word: str, name: str) -> None:
    recipe = find_ready_recipe(word)
    assert recipe
    assert recipe.name == name


def test_similar_recipes_are_suggested() -> None:
    assert find_ready_recipe("djnago") is None
    assert suggest_ready_recipe("djnago").startswith("did you mean django")
    assert suggest_ready_recipe("zzzzzz") == ""


def test_any_text_can_be_matched_to_recipes() -> None:
    assert "django-rest-framework" in {recipe.name for recipe in match_ready_recipes("Django")}
    assert match_ready_recipes("zzzzzz") == []
    assert match_ready_recipes("") == [*load_ready_recipes()]


@pytest.mark.parametrize(
    ("versioned", "version", "source", "prefix"),
    [
        ("{major}.{minor}/", "4.2.1", "4.2/", "4.2/"),
        ("{major}.{minor}.x/", "v3.1", "3.1.x/", "3.1.x/"),
        ("{major}{minor}/", "2.0.44", "20/", "20/"),
        ("v{major}.{minor}.{patch}/en/index", "4.57.1", "v4.57.1/en/index", "v4.57.1/"),
        ("{major}.x/installation", "12-alpine", "12.x/installation", "12.x/"),
    ],
)
def test_version_is_inserted_into_the_url(
    versioned: str, version: str, source: str, prefix: str
) -> None:
    ready = build(SITE + versioned, prefix=SITE)
    recipe = ready.build_recipe(version)
    assert recipe.source == SITE + source
    assert (recipe.prefix, recipe.version) == (SITE + prefix, "")
    assert ready.documents(recipe.source)


@pytest.mark.parametrize("version", ["", "4", "latest", ">=4.2", "{major}"])
def test_imprecise_version_is_resolved_by_the_crawl(version: str) -> None:
    ready = build(SITE + "{major}.{minor}/", prefix=SITE)
    recipe = ready.build_recipe(version)
    assert recipe.source == ready.source
    assert (recipe.prefix, recipe.version) == (SITE, version)
    assert not ready.find_address(version)


@pytest.mark.parametrize(
    ("packages", "version_from", "origins"),
    [
        (("pypi", "npm", "commands", "actions", "providers"), (), {"pypi", "npm"}),
        (("pypi", "images"), ("images",), {"images"}),
    ],
)
def test_only_some_packages_determine_the_version(
    packages: tuple[str, ...], version_from: tuple[str, ...], origins: set[str]
) -> None:
    ready = build(packages=dict.fromkeys(packages, ("acme",)), version_from=version_from)
    assert {package for package in (*packages, "gems") if ready.tells_version(package)} == origins
