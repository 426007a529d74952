"""Choose a recipe from the words and options of a setup."""

import re
import shlex
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from hookwright_console.errors import MisusedError
from hookwright_console.text import shorten, suggest
from hookwright_documentation.build import find_former
from hookwright_documentation.cutting.licenses import canonicalize
from hookwright_documentation.databases import NAME, Database, list_names
from hookwright_documentation.recipes.recipe import (
    Engine,
    ReadyRecipe,
    Recipe,
    find_ready_recipe,
    suggest_ready_recipe,
)
from hookwright_documentation.sources.registry import FORMS, Source, find_source, is_url

HOST = re.compile(r"(?:localhost|[a-z0-9-]+(?:[.][a-z0-9-]+)+)(?::\d+)?(?:/|\Z)", re.IGNORECASE)
SSH = re.compile(r"(?:git[+])?(?:(?:git[+])?ssh://|[\w.-]+@[\w.-]+:(?!//))")
OTHERS = re.compile(r"^[^a-z0-9]+|[^a-z0-9._+#-]")  # characters not allowed in a database name
WORDS = "hookwright setup flask https://flask.palletsprojects.com/"


@dataclass(frozen=True)
class RecipeOptions:
    """Setup options, named as in `Recipe`; "" or None if not specified."""

    name: str = ""
    prefix: str = ""
    max_pages: int | None = None
    license: str = ""
    engine: Engine | None = None
    language: str = ""
    version: str = ""
    python: str = ""

    def change(self, recipe: Recipe) -> Recipe:
        from hookwright_documentation.leann.program import read_options

        values: dict[str, Any] = {name: value for name, value in asdict(self).items() if value}
        if self.engine:
            values["engine"] = self.engine.value
            values["leann"] = read_options() if self.engine == Engine.LEANN else ()
        if self.prefix and self.prefix != recipe.prefix:
            values["exclusions"] = ()  # they are below the recipe's own prefix
        return replace(recipe, **values)


@dataclass(frozen=True)
class Choice:
    """The chosen recipe and its context."""

    recipe: Recipe
    old: Database | None  # existing database with the same name
    has_source: bool = False  # whether the user specified a source rather than only a name
    note: str = ""  # information shown to the user before the setup, or ""


def choose_recipe(words: Sequence[str], options: RecipeOptions) -> Choice:
    """Return the recipe for a database; raises MisusedError.

    `words` are either keywords followed by the source, or only the name of a database or recipe.
    """
    *keywords, text = words or [""]
    try:
        source = find_source(text) if keywords or text else None
    except OSError as error:
        raise MisusedError(f"SOURCE: {shorten(text)}: {error.strerror}: use {FORMS}") from None
    if source and not keywords:
        keywords = list(source.keywords)
        if not keywords and "/" not in text:
            check_options(options, has_folders=False)
            return choose_by_name(text, options)
    if not source or not keywords:
        such = f"hookwright setup NAME {shlex.quote(text)}" if text else WORDS
        raise MisusedError(f"use a keyword and a source, such as: {such}")
    for what, word in (*(("a keyword", keyword) for keyword in keywords), ("SOURCE", text)):
        if not word.strip():
            raise MisusedError(f"{what} is empty: enter one, such as: {WORDS}")
    if source.is_missing or source.fault:
        raise MisusedError(explain_fault(source, text, keywords))
    wants_part = options.version or (options.prefix and not is_url(options.prefix))
    if source.repository and wants_part:
        source = find_source(source.repository)
    check_options(options, has_folders=source.has_folders)
    name = options.name or find_name(keywords[0])
    recipe = Recipe(name, tuple(dict.fromkeys(keywords)), source.address)
    recipe = keep_keywords(recipe, source)
    old, known = find_former(recipe.name)
    recipe = options.change(take_again(recipe, known))
    return Choice(choose_environment(source, recipe), old, has_source=True)


def choose_by_name(word: str, options: RecipeOptions) -> Choice:
    """Return the recipe of an existing database, or a bundled recipe, by name."""
    ready = find_ready_recipe(word)
    old, known = find_former(word) if NAME.match(word) else (None, None)
    if known and options.name in ("", word):
        if ready and ready.find_address(options.version) and ready.documents(known.source):
            new = ready.build_recipe(options.version)
            known = replace(known, source=new.source, prefix=new.prefix, version="")
            options = replace(options, version="")
        return Choice(options.change(known), old)
    if ready:
        return choose_ready(ready, options)
    if known:
        raise MisusedError(f"--name: the database is called {word}: leave out --name")
    near = suggest(word, list_names()) or suggest_ready_recipe(word)
    raise MisusedError(
        f"no documentation database or recipe '{shorten(word)}': {near + ' Else ' if near else ''}"
        f"use a keyword and a source, such as: {WORDS}"
    )


def choose_ready(ready: ReadyRecipe, options: RecipeOptions) -> Choice:
    recipe = replace(options, version="").change(ready.build_recipe(options.version))
    old, known = find_former(recipe.name)
    note = ""
    if known != recipe and not ready.verified:
        on = f"tested on {ready.tested_on}, address untested" if ready.tested_on else "untested"
        note = (
            f"the recipe {ready.name} is {on}: if it finds too little, add the address: "
            f"hookwright setup {ready.name} URL"
        )
    return Choice(recipe, old, note=note)


def keep_keywords(recipe: Recipe, source: Source) -> Recipe:
    """Add the bundled recipe's keywords to a recipe for another address of the same technology."""
    keyword, *others = recipe.keywords
    ready = find_ready_recipe(keyword)
    # flask-login is only an extension of Flask, and a package's API is only part of its
    # documentation.
    is_less = source.has_environment or others
    if not ready or is_less or re.match(f"{re.escape(ready.name)}[- ]", keyword):
        return recipe
    every = tuple(dict.fromkeys([keyword, *ready.keywords]))
    return replace(recipe, keywords=every, ambiguous=ready.ambiguous)


def take_again(recipe: Recipe, known: Recipe | None) -> Recipe:
    """Complete a recipe from the existing database if both have the same source, and return it."""
    if not known or not is_same_source(recipe, known.source):
        return recipe
    if recipe.source.rstrip("/") != known.source.rstrip("/"):  # the recipe is for another version
        known = replace(known, prefix="", version="", exclusions=())
    return replace(
        known,
        keywords=tuple(dict.fromkeys([*recipe.keywords, *known.keywords])),
        source=recipe.source,
        python="",
        is_strangers=False,
    )


def is_same_source(recipe: Recipe, source: str) -> bool:
    """Return whether a recipe is for this source, or for another version of it."""
    if recipe.source.rstrip("/") == source.rstrip("/"):
        return True
    ready = find_ready_recipe(recipe.name)
    return bool(ready and ready.documents(source) and ready.documents(recipe.source))


def find_name(keyword: str) -> str:
    name = re.sub(r"\s+", "-", keyword.casefold())
    if not NAME.match(name):
        other = OTHERS.sub("", re.sub(r"^[.]", "dot", name))
        other = other if NAME.match(other) else "NAME"
        raise MisusedError(f"the database cannot be called '{shorten(name)}': add --name {other}")
    return name


def explain_fault(source: Source, text: str, keywords: list[str]) -> str:
    ssh = "SOURCE: cannot fetch over SSH: clone the repository, and use its folder"
    if fault := ssh if SSH.match(text) else source.fault:
        return fault
    if Path(source.place).exists():
        return f"SOURCE: {text} is a file: use its folder, or pipe it (- < {shlex.quote(text)})"
    ready, missing = find_ready_recipe(text), f"SOURCE: no folder {text}"
    if any(map(is_url, keywords)):
        return f"{missing}: put the URL last"
    if HOST.match(text) and not ready:
        scheme = "http" if re.match(r"localhost|127[.]", text) else "https"
        return f"{missing}: for a site, give {scheme}://{text}"
    if ready := ready or next(filter(None, map(find_ready_recipe, keywords)), None):
        return f"{missing}: for the recipe, run only hookwright setup {ready.name}"
    return f"{missing}: use {FORMS}"


def choose_environment(source: Source, recipe: Recipe) -> Recipe:
    if not source.has_environment:
        if recipe.python:
            raise MisusedError("--python: use it only with python:NAME, such as python:flask")
        return recipe
    from hookwright_documentation.sources.python_packages.environments import find_environment

    environment = (
        Path(recipe.python).expanduser() if recipe.python else find_environment(Path.cwd())
    )
    if environment is None:
        raise MisusedError("no Python environment here: use one with --python DIR")
    if not environment.exists():
        raise MisusedError(f"--python: no folder {recipe.python}: use the folder of an environment")
    return replace(recipe, python=str(environment.absolute()))  # links lead to another environment


def check_options(options: RecipeOptions, *, has_folders: bool) -> None:
    if options.prefix and not is_url(options.prefix) and not has_folders:
        raise MisusedError(f"--prefix: expected a URL with https://, got {options.prefix}")
    if options.license and not canonicalize(options.license):
        raise MisusedError(
            f"--license: expected an SPDX identifier such as BSD-3-Clause, or LicenseRef-NAME "
            f"for another licence, got {options.license}"
        )
