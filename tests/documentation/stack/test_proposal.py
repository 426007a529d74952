"""Recipes in the matching version are proposed for a project's dependencies."""

import pytest

from hookwright_documentation.recipes.recipe import ReadyRecipe, load_ready_recipes
from hookwright_documentation.stack.survey import State, Use, find_state, propose


def build(name: str, versioned: str = "", **packages: list[str]) -> ReadyRecipe:
    names = {key: tuple(value) for key, value in packages.items()}
    source = f"https://{name}.example/stable/"
    own = ("maven",) if name == "kafka" else ()
    return ReadyRecipe(name, (name,), source, versioned=versioned, version_from=own, packages=names)


def is_new(_: ReadyRecipe) -> State:
    return State.NEW


RECIPES = [
    build("django", "https://django.example/{major}.{minor}/", pypi=["django", "django-stubs"]),
    build("redis", pypi=["redis"], images=["redis"], maven=["redis.clients:jedis"]),
    build("spring", maven=["org.springframework", "org.springframework.boot"]),
    build("kafka", maven=["kafka-clients"], images=["kafka-image"], commands=["kafka-tool"]),
    build("chi", go=["github.com/go-chi/chi"]),
    build("aws", providers=["hashicorp/aws"]),
]


@pytest.mark.parametrize(
    ("ecosystem", "name", "expected"),
    [
        ("pypi", "Django_Stubs", "django"),
        ("maven", "org.springframework.boot:spring-boot-starter-web", "spring"),
        ("maven", "org.springframework.security:spring-security-core", "spring"),
        ("go", "github.com/go-chi/chi/v5", "chi"),
        ("go", "github.com/go-chi/chi/v5/middleware", "chi"),
        ("providers", "aws", "aws"),
        ("npm", "redis", ""),
        ("go", "github.com/go-chi/cors", ""),
    ],
)
def test_recipe_is_found_by_any_spelling(ecosystem: str, name: str, expected: str) -> None:
    use = Use(ecosystem, name, "", ("x",))
    proposals, rest = propose([use], RECIPES, is_new)
    assert [proposal.name for proposal in proposals] == ([expected] if expected else [])
    assert rest == ([] if expected else [use])


@pytest.mark.parametrize(
    ("limits", "documented"),
    [
        ("~=4.2", "4.2"),
        ("<5,>=4.1.3", "4.1"),
        ("^3.4.0", "3.4"),
        ("~14.1", "14.1"),
        (">= 2.0", "2.0"),
        ("<5", ""),
        ("^18", ""),
        ("4.x", ""),
    ],
)
def test_range_resolves_to_its_lowest_version(limits: str, documented: str) -> None:
    use = Use("pypi", "django", "", ("x",), limits)
    ((proposal,), _) = propose([use], RECIPES, is_new)
    assert (proposal.limits, proposal.documented) == (limits, documented)


@pytest.mark.parametrize(
    ("uses", "version", "source"),
    [
        ([("pypi", "django", "4.2.11")], "4.2.11", "https://django.example/4.2/"),
        ([("pypi", "django-stubs", "4.9")], "", "https://django.example/stable/"),
        ([("pypi", "redis", "5.0.1")], "", "https://redis.example/stable/"),
        ([("maven", "kafka-clients", "4.0")], "4.0", "https://kafka.example/stable/"),
        ([("images", "kafka-image", "7.9")], "", "https://kafka.example/stable/"),
        ([("commands", "kafka-tool", "4.1")], "4.1", "https://kafka.example/stable/"),
        (
            [("pypi", "redis", "5.0.1"), ("images", "redis", "7")],
            "7",
            "https://redis.example/stable/",
        ),
    ],
)
def test_version_belongs_to_the_technology(
    uses: list[tuple[str, str, str]], version: str, source: str
) -> None:
    ((proposed,), _) = propose([Use(*use, ("x",)) for use in uses], RECIPES, is_new)
    assert (proposed.version, proposed.recipe.build_recipe(proposed.documented).source) == (
        version,
        source,
    )


def test_most_used_recipe_is_listed_first() -> None:
    uses = [
        Use("pypi", "django", "", ("a", "b")),
        Use("images", "redis", "", ("a", "b", "c")),
        Use("commands", "make", "", ("Makefile",)),
    ]
    proposals, rest = propose(uses, RECIPES, is_new)
    assert [proposal.name for proposal in proposals] == ["redis", "django"]
    assert rest == []


def test_existing_state_is_reported() -> None:
    records = {"django": True, "cache": False}
    there = (records, {"redis"}, ["django", "spring"], ["aws"])
    assert {recipe.name: find_state(recipe, *there) for recipe in RECIPES} == {
        "django": State.SET_UP,
        "redis": State.OTHER,
        "spring": State.BUILT,
        "kafka": State.NEW,
        "chi": State.NEW,
        "aws": State.UNFINISHED,
    }
    assert find_state(RECIPES[0], records, {"redis"}, [], []) == State.NEW  # no database exists


def test_recipes_use_manifest_package_names() -> None:
    for recipe in load_ready_recipes():
        for ecosystem, names in recipe.packages.items():
            for name in names:
                proposals, _ = propose([Use(ecosystem, name, "", ("x",))], [recipe], is_new)
                assert [proposal.name for proposal in proposals] == [recipe.name]
