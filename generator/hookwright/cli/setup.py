"""Set up a documentation database."""

from dataclasses import asdict
from typing import Annotated

import typer

from hookwright.cli.options import AsJson, Commits, InProjectOrNew, Yes
from hookwright.cli.terminal import building
from hookwright_console.errors import ReportedError
from hookwright_console.terminal import align, count, dump, print_line
from hookwright_console.text import shorten
from hookwright_documentation.recipes.recipe import (
    MAX_PAGES,
    Engine,
    match_ready_recipes,
    suggest_ready_recipe,
)

Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="KEYWORD... SOURCE",
        help="Words that send a search to the database, then the source of the documentation: "
        "a URL, a folder, a git repository, an llms-full.txt, a folder of DevDocs, python:NAME "
        "of an installed package, man:NAME of a manual page, or - for what is piped into it; or "
        "only the name of a database that there is, or of a recipe.",
        show_default=False,
    ),
]
OfStack = Annotated[
    bool,
    typer.Option(
        "--stack",
        help="Set up what a project depends on, as its manifests say; pass its folder, or run "
        "it there.",
    ),
]
Prefix = Annotated[
    str,
    typer.Option(
        metavar="URL",
        help="Fetch only pages whose URL starts with this; for a git repository, a folder of it.",
        show_default="the folder of SOURCE",
    ),
]
Version = Annotated[
    str,
    typer.Option(
        metavar="TEXT",
        help="The documented version, such as 3.12.",
        show_default="the stable or newest one",
    ),
]
Python = Annotated[
    str,
    typer.Option(
        metavar="DIR",
        help="The environment that python:NAME is installed in.",
        show_default="the active one, or .venv",
    ),
]


def setup(
    words: Words = None,
    *,
    lists: Annotated[
        bool, typer.Option("--list", help="List the recipes, or those that match a word, and exit.")
    ] = False,
    stack: OfStack = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="With --stack: only list what could be set up.")
    ] = False,
    engine: Annotated[
        Engine | None,
        typer.Option(
            help="The engine that indexes and searches.", show_default=Engine.BUILTIN.value
        ),
    ] = None,
    project: InProjectOrNew = None,
    name: Annotated[
        str, typer.Option(help="The name of the database.", show_default="the first keyword")
    ] = "",
    prefix: Prefix = "",
    max_pages: Annotated[
        int | None,
        typer.Option(min=1, help="Fetch at most this many pages.", show_default=str(MAX_PAGES)),
    ] = None,
    language: Annotated[
        str,
        typer.Option(
            metavar="TAG", help="The language, such as fr.", show_default="that of SOURCE"
        ),
    ] = "",
    version: Version = "",
    license_: Annotated[
        str,
        typer.Option("--license", metavar="SPDX", help="The licence, such as BSD-3-Clause."),
    ] = "",
    python: Python = "",
    yes: Yes = False,
    commit: Commits = True,
    as_json: AsJson = False,
) -> int:
    """Set up a documentation database, and send searches to it."""
    if lists:
        return list_recipes(" ".join(words or []), as_json=as_json)
    if dry_run and not stack:
        raise typer.BadParameter("--dry-run: requires --stack")
    code = 0
    with building(as_json=as_json) as report:
        from hookwright.documentation.setup import set_up
        from hookwright_documentation.setup import RecipeOptions, choose_recipe
        from hookwright_documentation.sources.pipe import PIPE, ask_at_terminal

        options = RecipeOptions(
            name, prefix, max_pages, license_, engine, language, version, python
        )
        if words and words[-1] == PIPE:
            ask_at_terminal()
        if stack:
            from hookwright.cli.setup_stack import set_up_stack

            row, code = set_up_stack(
                words or [], options, project, yes=yes, commits=commit, dry_run=dry_run
            )
        else:
            row = set_up(choose_recipe(words or [], options), project, yes=yes, commits=commit)
        report(row)
    return code


def list_recipes(word: str, *, as_json: bool) -> int:
    """Print all recipes, or those that contain a word; return the exit code."""
    found = match_ready_recipes(word)
    if not found:
        near = suggest_ready_recipe(word)
        raise ReportedError(
            f"no recipe matches '{shorten(word)}': {near or 'see hookwright setup --list'}"
        )
    if as_json:
        rows = [
            {
                "name": recipe.name,
                "description": recipe.description,
                "keywords": [*recipe.keywords],
                "source": recipe.source,
                "license": recipe.license,
                "verified": recipe.verified,
                "tested_copy": asdict(recipe.tested_copy) if recipe.tested_copy else None,
            }
            for recipe in found
        ]
        print(dump(rows, indent=2))
        return 0
    titles = ("recipe", "tested on", "address")
    shown = ((recipe.name, recipe.tested_on, recipe.source) for recipe in found)
    print_line(*align([titles, *shown]))
    copies = sum(recipe.tested_copy is not None for recipe in found)
    tried = sum(recipe.verified for recipe in found)
    print_line(
        f"{count(len(found), 'recipe')}, {copies} tested on a copy of the documentation, "
        f"{tried or 'none'} at the address: set one up with hookwright setup NAME"
    )
    return 0
