"""Tell what to set up from the words and options of the command."""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import typer

from hookwright.cli.setup_source import (
    choose_environment,
    find_source,
    is_url,
    list_packages,
)
from hookwright.cli.terminal import say
from hookwright.documentation.servers import Engine
from hookwright_console.text import shorten, suggest
from hookwright_documentation.recipes.ready import (
    ReadyRecipe,
    find_ready_recipe,
    suggest_ready_recipe,
)
from hookwright_documentation.recipes.recipe import Recipe
from hookwright_documentation.sources.recognition import GIT, Kind, find_kind

OTHERS = re.compile(r"^[^a-z0-9]+|[^a-z0-9._+#-]")  # cannot stand in a database's name
WORDS = "hookwright setup flask https://flask.palletsprojects.com/"


@dataclass(frozen=True)
class RecipeOptions:
    """What the options of a setup say; "" or None where the user gives none.

    `Recipe` says what they hold.
    """

    name: str = ""
    prefix: str = ""
    max_pages: int | None = None
    license: str = ""
    engine: Engine | None = None
    language: str = ""
    version: str = ""
    python: str = ""

    def change(self, recipe: Recipe) -> Recipe:
        """Return a recipe with what the user gives in place of its own."""
        from hookwright_documentation.leann.program import read_options

        values: dict[str, Any] = {name: value for name, value in asdict(self).items() if value}
        if self.engine:
            values["engine"] = self.engine.value
            values["leann"] = read_options() if self.engine == Engine.LEANN else ()
        if self.prefix and self.prefix != recipe.prefix:
            values["exclusions"] = ()  # they are below the other prefix
        return replace(recipe, **values)


def choose_recipe(words: Sequence[str], given: RecipeOptions) -> Recipe:
    """Return what to make a database of.

    Args:
        words: The keywords and the source, or only the name of a database that there is, or of a
            ready recipe.
        given: What the options say.

    Raises:
        typer.BadParameter: A word or an option is wrong, or a word is missing.

    """
    *keywords, source = words or [""]
    keywords = keywords or list_packages(source)
    if source and not keywords and "/" not in source:
        check_options(given, Kind.SITE)
        return find_named(source, given)
    if not keywords:
        raise typer.BadParameter(f"give a keyword and a source, such as: {WORDS}")
    for what, text in (*(("a keyword", one) for one in keywords), ("SOURCE", source)):
        if not text.strip():
            raise typer.BadParameter(f"{what} is empty, such as: {WORDS}")
    source = find_source(source, keywords)
    if is_part_of_repository(source, given):
        source = GIT + source
    check_options(given, find_kind(source))
    name = given.name or find_name(keywords[0])
    recipe = given.change(take_again(Recipe(name, tuple(dict.fromkeys(keywords)), source)))
    return check_name(choose_environment(source, recipe))


def take_again(recipe: Recipe) -> Recipe:
    """Return a recipe with all that the database of its name has, if that is of its source."""
    from hookwright_documentation.build import find_recipe

    known = find_recipe(recipe.name)
    if not known or not is_same_source(recipe, known.source):
        return recipe
    if recipe.source.rstrip("/") != known.source.rstrip("/"):  # another version of it
        known = replace(known, prefix="", version="", exclusions=())
    return replace(
        known,
        keywords=tuple(dict.fromkeys([*recipe.keywords, *known.keywords])),
        source=recipe.source,
        python="",
        is_strangers=False,
    )


def is_same_source(recipe: Recipe, source: str) -> bool:
    """Tell whether a recipe is of a source, or of another version of it."""
    if recipe.source.rstrip("/") == source.rstrip("/"):
        return True
    ready = find_ready_recipe(recipe.name)
    return bool(ready and ready.documents(source) and ready.documents(recipe.source))


def gives_source(words: Sequence[str]) -> bool:
    """Tell whether the words of a setup have a source, and not only a name."""
    return len(words) > 1 or any(map(list_packages, words))


def is_part_of_repository(source: str, given: RecipeOptions) -> bool:
    """Tell whether a folder is a git repository of which a folder or a version is wanted."""
    wants_part = bool(given.version or (given.prefix and not is_url(given.prefix)))
    is_folder = wants_part and find_kind(source) == Kind.FOLDER
    return is_folder and (Path(source) / ".git").exists()


def find_named(word: str, given: RecipeOptions) -> Recipe:
    """Return what the database of a name is made of, or else what a ready recipe says.

    Raises:
        typer.BadParameter: There is neither.

    """
    from hookwright_documentation.build import find_recipe
    from hookwright_documentation.databases import NAME, list_names

    ready = find_ready_recipe(word)
    known = find_recipe(word) if NAME.match(word) else None
    if known and given.name in ("", word):
        return take_known(known, ready, given)
    if ready:
        return take_ready(ready, given)
    if known:
        raise typer.BadParameter(f"--name: the database is called {word}: leave out --name")
    near = suggest(word, list_names()) or suggest_ready_recipe(word)
    raise typer.BadParameter(
        f"no documentation database or recipe '{shorten(word)}': {near + ' Else ' if near else ''}"
        f"give a keyword and a source, such as: {WORDS}"
    )


def take_known(known: Recipe, ready: ReadyRecipe | None, given: RecipeOptions) -> Recipe:
    """Return what a database is made of, with what the user gives in place of that."""
    if ready and ready.has_address_for(given.version) and ready.documents(known.source):
        new = ready.build_recipe(given.version)
        known = replace(known, source=new.source, prefix=new.prefix, version="")
        given = replace(given, version="")
    return given.change(known)


def take_ready(ready: ReadyRecipe, given: RecipeOptions) -> Recipe:
    """Return what to make of a ready recipe, and say so if nobody tried it."""
    from hookwright_documentation.build import find_recipe

    recipe = fill_ready(ready, given)
    if find_recipe(recipe.name) != recipe and not ready.verified:
        say(
            f"the recipe {ready.name} is untested: if it finds too little, give the address: "
            f"hookwright setup {ready.name} URL"
        )
    return recipe


def fill_ready(ready: ReadyRecipe, given: RecipeOptions) -> Recipe:
    """Return what to make of a ready recipe, with what the user gives in place of its own."""
    return check_name(replace(given, version="").change(ready.build_recipe(given.version)))


def find_name(keyword: str) -> str:
    """Return the name of the database that has a keyword first."""
    from hookwright_documentation.databases import NAME

    name = re.sub(r"\s+", "-", keyword.casefold())
    if not NAME.match(name):
        other = OTHERS.sub("", re.sub(r"^[.]", "dot", name))
        other = other if NAME.match(other) else "NAME"
        raise typer.BadParameter(
            f"the database cannot be called '{shorten(name)}': add --name {other}"
        )
    return name


def check_name(recipe: Recipe) -> Recipe:
    """Return a recipe; raises RefusedError if its name cannot be that of a folder."""
    from hookwright_documentation.databases import find_folder

    find_folder(recipe.name)
    return recipe


def check_options(given: RecipeOptions, kind: Kind) -> None:
    """Check what the options say of a kind of source; raises typer.BadParameter."""
    from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

    if given.prefix and not is_url(given.prefix) and kind != Kind.GIT:  # there it is a folder
        raise typer.BadParameter(f"--prefix: expected a URL with https://, got {given.prefix}")
    if given.license:
        try:
            canonicalize_license_expression(given.license)
        except InvalidLicenseExpression:
            raise typer.BadParameter(
                f"--license: expected an SPDX identifier such as BSD-3-Clause, or LicenseRef-NAME "
                f"for another licence, got {given.license}"
            ) from None
