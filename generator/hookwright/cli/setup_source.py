"""Check what a user gives as the source of a documentation, and word what is wrong with it."""

import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import typer

from hookwright_console.text import shorten
from hookwright_documentation.recipes.ready import find_ready_recipe
from hookwright_documentation.recipes.recipe import Recipe
from hookwright_documentation.sources.recognition import (
    GIT,
    PYTHON,
    Kind,
    find_kind,
    find_path,
    split,
)

FILE = "file://"
FORMS = (
    "a URL with https://, a folder, git+ with the folder or URL of a repository, an llms-full.txt, "
    "or python:NAME"
)
HOST = re.compile(r"(?:localhost|[a-z0-9-]+(?:[.][a-z0-9-]+)+)(?::\d+)?(?:/|\Z)", re.IGNORECASE)


def is_url(text: str) -> bool:
    """Tell whether a text is a URL with http:// or https://."""
    return re.match(r"https?://[^/]", text, re.IGNORECASE) is not None


def list_packages(source: str) -> list[str]:
    """Return the installed packages that a source names, none for a source of another kind."""
    if not source.startswith(PYTHON):
        return []
    return [name.strip() for name in source.removeprefix(PYTHON).split(",") if name.strip()]


def find_source(source: str, keywords: list[str]) -> str:
    """Return a source as a recipe keeps it: a path in full, anything else as it is.

    Args:
        source: What the user gives.
        keywords: What the user gives before it.

    Raises:
        typer.BadParameter: It is not a source.

    """
    if source.casefold().startswith(FILE):
        source = read_file_url(source)
    if is_url(source.removeprefix(GIT)):
        if not split(source.removeprefix(GIT)).hostname:
            raise typer.BadParameter(f"SOURCE: {shorten(source)} has no valid host: check the URL")
        return source
    if source.startswith(PYTHON):
        if not list_packages(source):
            raise typer.BadParameter(f"{source}: give the name of a package, such as python:flask")
        return source
    if not find_path(source):
        raise typer.BadParameter(f"expected {FORMS}, got {shorten(source)}")
    path = Path(find_path(source)).expanduser()
    if not path.is_dir() and not find_kind(str(path)) == Kind.WHOLE:
        raise typer.BadParameter(f"SOURCE: {explain_source(source, keywords)}")
    return (GIT if source.startswith(GIT) else "") + str(path.resolve())


def read_file_url(url: str) -> str:
    """Return the path that a URL with file:// names on this computer."""
    parts = urlsplit(url)
    if parts.netloc not in ("", "localhost"):
        raise typer.BadParameter(f"{shorten(url)}: give a folder of this computer")
    return url2pathname(parts.path)


def explain_source(source: str, keywords: list[str]) -> str:
    if any(map(is_url, keywords)):
        return f"no folder {source}: give the URL last"
    if Path(source).expanduser().exists():
        return f"{source} is a file: give its folder"
    ready = find_ready_recipe(source)
    if HOST.match(source) and not ready:
        scheme = "http" if re.match(r"localhost|127[.]", source) else "https"
        return f"no folder {source}: for a site, give {scheme}://{source}"
    if ready := ready or next(filter(None, map(find_ready_recipe, keywords)), None):
        return f"no folder {source}: for the recipe, give only hookwright setup {ready.name}"
    return f"no folder {source}: give {FORMS}"


def choose_environment(source: str, draft: Recipe) -> Recipe:
    """Return a draft with the environment of installed packages, if the source names some.

    Raises:
        typer.BadParameter: There is no environment, or one is given for another source.

    """
    if find_kind(source) != Kind.PYTHON:
        if draft.python:
            raise typer.BadParameter("--python: only python:NAME takes one, such as python:flask")
        return draft
    from hookwright_documentation.sources.python_packages.environments import find_environment

    environment = Path(draft.python).expanduser() if draft.python else find_environment(Path.cwd())
    if environment is None:
        raise typer.BadParameter("no Python environment here: give one with --python DIR")
    if not environment.exists():
        raise typer.BadParameter(f"--python: no folder {draft.python}: give an environment")
    return replace(draft, python=str(environment.absolute()))  # a link to an interpreter stays one
