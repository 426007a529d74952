"""A technology name is sufficient for a setup, and options override its recipe."""

import json
from dataclasses import replace

import pytest

from hookwright.project.reader import open_project
from hookwright_console.errors import MisusedError, RefusedError
from hookwright_documentation.databases import RECIPE, find_database_folder
from hookwright_documentation.recipes.recipe import (
    CopyFigures,
    Engine,
    ReadyRecipe,
    Recipe,
    find_ready_recipe,
    load_ready_recipes,
)
from hookwright_documentation.setup import RecipeOptions, choose_recipe

from ...support.acme_database import find_recipe
from ...support.acme_documentation import PREFIX, write_site
from ...support.command_line import CommandLine

NOTHING = RecipeOptions()
STABLE = "https://docs.djangoproject.com/en/stable/"
OLD = "https://docs.djangoproject.com/en/4.2/"
ACME = Recipe("acme", ("acme",), "https://acme.example/", f"{PREFIX}a/", exclusions=("blog/",))


def keep(recipe: Recipe) -> Recipe:
    folder = find_database_folder(recipe.name)
    folder.mkdir(parents=True)
    (folder / RECIPE).write_text(json.dumps(recipe.export()))
    assert find_recipe(recipe.name) == recipe
    return recipe


@pytest.mark.parametrize("word", ["django", "Django", "django orm"])
def test_recipe_is_selected_by_name(word: str) -> None:
    choice = choose_recipe([word], NOTHING)
    recipe = choice.recipe
    assert (recipe.name, recipe.source, recipe.license) == ("django", STABLE, "BSD-3-Clause")
    assert recipe.title == "Django, the web framework for Python"
    assert recipe.domains == ("docs.djangoproject.com",)
    assert "releases/" in recipe.exclusions
    assert choice.note.startswith("the recipe django is tested on a copy of 3.")
    assert ", address untested: if it finds too little, add the address: " in choice.note


def test_options_override_the_recipe() -> None:
    options = RecipeOptions("dj", f"{STABLE}ref/", 9, "MIT", language="fr")
    recipe = choose_recipe(["django"], options).recipe
    assert (recipe.name, recipe.license, recipe.max_pages) == ("dj", "MIT", 9)
    assert (recipe.prefix, recipe.exclusions, recipe.language) == (options.prefix, (), "fr")
    assert recipe.source == STABLE


def test_version_comes_from_the_address() -> None:
    recipe = choose_recipe(["django"], RecipeOptions(version="4.2.7")).recipe
    assert (recipe.source, recipe.prefix, recipe.version) == (OLD, OLD, "")
    assert choose_recipe(["redis"], RecipeOptions(version="7.4")).recipe.version == "7.4"


@pytest.mark.parametrize(
    ("given", "changed"),
    [
        (NOTHING, {}),
        (RecipeOptions(name="acme"), {}),
        (RecipeOptions(prefix=ACME.prefix), {}),
        (RecipeOptions(prefix=PREFIX), {"prefix": PREFIX, "exclusions": ()}),
        (RecipeOptions(max_pages=7), {"max_pages": 7}),
        (RecipeOptions(license="MIT"), {"license": "MIT"}),
        (RecipeOptions(version="2"), {"version": "2"}),
        (RecipeOptions(language="fr"), {"language": "fr"}),
        (RecipeOptions(engine=Engine.LEANN), {"engine": "leann"}),
    ],
)
def test_options_update_a_database(given: RecipeOptions, changed: dict[str, object]) -> None:
    keep(ACME)
    assert choose_recipe(["acme"], given).recipe == replace(ACME, **changed)  # type: ignore[arg-type]


def test_database_keeps_its_name() -> None:
    keep(ACME)
    with pytest.raises(MisusedError, match="--name: the database is called acme: leave out"):
        choose_recipe(["acme"], RecipeOptions(name="rocket"))
    django = find_ready_recipe("django")
    assert django
    keep(django.build_recipe())
    assert choose_recipe(["django"], RecipeOptions(name="dj")).recipe.name == "dj"


def test_recipe_database_changes_its_version() -> None:
    django = find_ready_recipe("django")
    assert django
    keep(django.build_recipe("5.2"))
    choice = choose_recipe(["django"], RecipeOptions(version="4.2"))
    recipe = choice.recipe
    assert (recipe.source, recipe.prefix, recipe.version, choice.note) == (OLD, OLD, "", "")


def test_unknown_word_is_reported() -> None:
    for words, told in [
        (["djnago"], "no documentation database or recipe 'djnago': did you mean django"),
        (["acm"], "no documentation database or recipe 'acm': use a keyword and a source"),
        (["django", "drf"], "no folder drf: for the recipe, run only hookwright setup django-re"),
        (["dj", "django"], "no folder django: for the recipe, run only hookwright setup django$"),
        (["vue", "vuejs.org"], "no folder vuejs.org: for a site, give https://vuejs.org$"),
        (["vue", "vue.js"], "no folder vue.js: for the recipe, run only hookwright setup vue$"),
        (["vue", "./nope"], "no folder ./nope: for the recipe, run only hookwright setup vue$"),
        ([], "use a keyword and a source, such as: hookwright setup flask https://"),
        (["https://x.example/"], "use a keyword and a source, such as: hookwright setup NAME h"),
    ]:
        with pytest.raises(MisusedError, match=told):
            choose_recipe(words, NOTHING)


def test_invalid_folder_name_is_rejected() -> None:
    with pytest.raises(RefusedError, match="not a valid database name"):
        choose_recipe(["django"], RecipeOptions(name="../x"))


def test_recipes_are_listed_one_per_line(
    hookwright_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.support.command_line.COLUMNS", "80")
    lines = hookwright_line.output("setup", "--list").splitlines()
    assert len(lines) == len(load_ready_recipes()) + 2
    assert max(map(len, lines)) <= 80 + len("tested on a copy of the documentation")
    assert max(map(len, lines[:-1])) < 80
    (listed,) = json.loads(hookwright_line.output("setup", "--list", "django orm", "--json"))
    assert (listed["name"], listed["source"], listed["verified"]) == ("django", STABLE, False)
    output = hookwright_line.error("setup", "--list", "djnago")
    assert output.startswith("hookwright: no recipe matches 'djnago': did you mean django")


def test_list_states_how_recipes_were_tested(
    hookwright_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    django, flask = (find_ready_recipe(name) for name in ("django", "flask"))
    assert django
    assert flask
    copy = CopyFigures("2.2.2", pages=73, seconds=4, megabytes=3)
    recipes = [
        replace(django, verified=True, tested_copy=None),
        replace(flask, tested_copy=copy),
        replace(flask, name="other", tested_copy=None),
    ]
    monkeypatch.setattr("hookwright.cli.setup.match_ready_recipes", lambda _word: recipes)
    _, *rows, last = hookwright_line.output("setup", "--list").splitlines()
    assert [" ".join(row.partition("http")[0].split()[1:]) for row in rows] == [
        "its address",
        "a copy of 2.2.2",
        "",
    ]
    assert last.startswith("3 recipes, 1 tested on a copy of the documentation, 1 at the address:")


def test_other_address_keeps_the_recipe_keywords() -> None:
    choice = choose_recipe(["postgres", "https://docs.acme.example/pg/"], NOTHING)
    assert choice.recipe.keywords[:2] == ("postgres", "postgresql")
    assert "psql" in choice.recipe.keywords
    narrower = choose_recipe(["flask-login", "https://docs.acme.example/login/"], NOTHING)
    assert narrower.recipe.keywords == ("flask-login",)


@pytest.mark.long
def test_recipe_is_set_up_by_its_name(
    hookwright_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = str(write_site(hookwright_line.folder / "site"))
    recipe = ReadyRecipe(
        "acme",
        ("acme", "acme rocket"),
        site,
        description="Acme, which flies rockets",
        domains=("docs.acme.example", "acme.example"),
        prefix=PREFIX,
        exclusions=("deploy",),
    )
    monkeypatch.setattr(
        "hookwright_documentation.recipes.recipe.load_ready_recipes", lambda: (recipe,)
    )
    done = hookwright_line.output(
        "setup", "acme rocket", "--yes", "--json", "--project", "my-hooks"
    )
    assert json.loads(done)["pages"] == 3
    (record,) = open_project(hookwright_line.folder / "my-hooks").databases
    assert (record["keywords"], record["domains"]) == ([*recipe.keywords], [*recipe.domains])
    assert record["description"] == recipe.description
    again = hookwright_line.run("setup", "acme", "--yes", "--project", "my-hooks")
    assert "not tried" not in again.errors


@pytest.mark.long
def test_changed_option_takes_effect(hookwright_line: CommandLine) -> None:
    write_site(hookwright_line.folder / "site")
    rest = ("--yes", "--json", "--project", "my-hooks")
    first = hookwright_line.output("setup", "acme", "site", "--prefix", PREFIX, *rest)
    assert json.loads(first)["pages"] == 4
    second = hookwright_line.output("setup", "acme", "--max-pages", "2", *rest)
    assert json.loads(second)["pages"] == 2
