"""Set up a documentation database, from its site to the first search that is sent to it."""

import io
import json
import shlex
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from hookwright.answers.faults import refuse_faults
from hookwright.answers.schema import name_database
from hookwright.cli.chosen_recipe import RecipeOptions, choose_recipe, gives_source, is_same_source
from hookwright.cli.documentation_builds import (
    agree_to_loss,
    build_or_explain,
    describe_built,
    tell_built,
)
from hookwright.cli.installation import shorten_home
from hookwright.cli.options import AsJson, Commits, InProjectOrNew, Yes
from hookwright.cli.recipe_list import list_recipes
from hookwright.cli.terminal import check_terminal, say
from hookwright.clients.json_objects import pick_texts
from hookwright.discovery.ambiguous_keywords import explain_keywords
from hookwright.documentation.other_clients import name_places
from hookwright.documentation.projects import (
    check_project,
    find_place,
    find_project,
)
from hookwright.documentation.records import build_record, find_site, list_former_domains
from hookwright.documentation.registration import is_registered
from hookwright.documentation.servers import Engine, build_server
from hookwright.project.reader import Project
from hookwright.template.store import find_checks, keep_template
from hookwright_console.errors import DeclinedError, RefusedError
from hookwright_console.prompts import ask_yes
from hookwright_console.terminal import dump, print_line
from hookwright_documentation.recipes.recipe import MAX_PAGES, Recipe, recall_recipe

if TYPE_CHECKING:
    from hookwright_documentation.build import BuildResult

ARCHIVES = "what the archive asks for cannot be"  # of a record that is refused
NOT_REGISTERED = "nothing is registered, and the pages of {} stay"


def setup(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="KEYWORD... SOURCE",
            help="Words that send a search to the database, then the source of the documentation: "
            "a URL, a folder, a git repository, an llms-full.txt, a folder of DevDocs, or "
            "python:NAME of an installed package; or only the name of a database that there is, "
            "or of a recipe.",
            show_default=False,
        ),
    ] = None,
    *,
    lists: Annotated[
        bool, typer.Option("--list", help="List the recipes, or those with a word, and exit.")
    ] = False,
    stack: Annotated[
        bool,
        typer.Option(
            "--stack",
            help="Set up what a project depends on, as its manifests say; give its folder, or run "
            "it there.",
        ),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="With --stack: only list what could be set up.")
    ] = False,
    engine: Annotated[
        Engine | None,
        typer.Option(help="What indexes and searches.", show_default=Engine.BUILTIN.value),
    ] = None,
    project: InProjectOrNew = None,
    name: Annotated[
        str, typer.Option(help="The name of the database.", show_default="the first keyword")
    ] = "",
    prefix: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="Take only pages whose address begins with this; of a git repository, its folder.",
            show_default="the folder of SOURCE",
        ),
    ] = "",
    max_pages: Annotated[
        int | None,
        typer.Option(min=1, help="Take at most this many pages.", show_default=str(MAX_PAGES)),
    ] = None,
    language: Annotated[
        str,
        typer.Option(
            metavar="TAG", help="The language, such as fr.", show_default="that of SOURCE"
        ),
    ] = "",
    version: Annotated[
        str,
        typer.Option(
            metavar="TEXT",
            help="The documented version, such as 3.12.",
            show_default="the stable or newest one",
        ),
    ] = "",
    license_: Annotated[
        str,
        typer.Option("--license", metavar="SPDX", help="The licence, such as BSD-3-Clause."),
    ] = "",
    python: Annotated[
        str,
        typer.Option(
            metavar="DIR",
            help="The environment that python:NAME is installed in.",
            show_default="the active one, or .venv",
        ),
    ] = "",
    yes: Yes = False,
    commit: Commits = True,
    as_json: AsJson = False,
) -> int:
    """Set up a documentation database, and send searches to it."""
    if lists:
        return list_recipes(" ".join(words or []), as_json=as_json)
    report = sys.stdout if as_json else None
    given = RecipeOptions(name, prefix, max_pages, license_, engine, language, version, python)
    ways = SetupOptions(yes, commit, report, reads_again=gives_source(words or []))
    if dry_run and not stack:
        raise typer.BadParameter("--dry-run: goes with --stack")

    def run() -> int:
        if stack:
            return run_stack(words or [], given, project, ways, dry_run=dry_run)
        return set_up(choose_recipe(words or [], given), project, ways)

    return build_or_explain(run, keeps_stdout=as_json)


def run_stack(
    words: list[str],
    given: RecipeOptions,
    project: Path | None,
    ways: "SetupOptions",
    *,
    dry_run: bool,
) -> int:
    """Set up the documentations of what a project depends on; return the exit code."""
    from hookwright.cli.setup_stack import find_folder, set_up_stack

    def set_up_next(recipe: Recipe, place: Path) -> dict[str, Any]:
        written = io.StringIO()
        set_up(recipe, place, SetupOptions(yes=True, commits=ways.commits, report=written))
        row: dict[str, Any] = json.loads(written.getvalue())
        return row

    folder = find_folder(words, given)
    row, code = set_up_stack(folder, given, project, set_up_next, yes=ways.yes, dry_run=dry_run)
    report_row(ways.report, row)
    return code


@dataclass(frozen=True)
class SetupOptions:
    """How to set up.

    Args:
        yes: Whether without asking.
        commits: Whether to commit what changes.
        report: Gets JSON, or None.
        facts: What the JSON has besides what a setup finds out.
        reads_again: Whether to read a source of this machine again, though its database is there.

    """

    yes: bool
    commits: bool
    report: TextIO | None
    facts: Mapping[str, Any] = field(default_factory=dict)
    reads_again: bool = False


def set_up(
    recipe: Recipe,
    folder: Path | None,
    ways: SetupOptions,
    make: "Callable[[], BuildResult] | None" = None,
) -> int:
    """Build a database unless it is there, register it, and prove that an agent finds it.

    Args:
        recipe: What the database is made of.
        folder: The project that the user names, or None.
        ways: How to do it.
        make: Builds the database; None to crawl its source unless it is there.

    Returns:
        The exit code.

    Raises:
        ReportedError: It cannot be done; what is not proven is not registered.

    """
    from hookwright_documentation.build import build, find_old, is_built

    yes, report = ways.yes, ways.report
    check_terminal(yes=yes)
    project = find_project(folder)
    server = build_server(recipe.engine)
    is_registered(server)  # refused before the crawl if the client has another of its name
    record = build_record(recipe, recipe.prefix, server.name)
    checks = find_checks(str(keep_template()))
    refuse_faults(checks, "databases", [record], whose=ARCHIVES if make else "")
    if project:
        check_project(project, recipe.name)
    old = find_old(recipe.name)
    former = list_former_domains(old.manifest) if old else []
    is_there = not make and is_built(recipe) and not (ways.reads_again and recipe.place)
    if old and not (make and recall_recipe(old.manifest).is_strangers):
        agree_to_source(recipe, old.manifest.source, yes=yes)
    left = "nothing is imported" if make else NOT_REGISTERED.format(recipe.name)
    make = make or (lambda: build(recipe, agree_to_loss(yes=yes)))
    built = open_as_it_is(recipe.name) if is_there else make()
    tell_built(built, is_asked=not is_there, is_chosen=True)
    record = build_record(recipe, find_site(built.database.manifest), server.name)
    row = describe_built(built, is_chosen=True) | dict(ways.facts)
    from hookwright.documentation.setting_up import Registration

    with ExitStack() as undo:
        registration = Registration(
            server, built.database, record, former, undo, left=left, commits=ways.commits
        )
        try:
            agree_to_record(record, project, folder, yes=yes)
        except DeclinedError:
            print_left(recipe, project.folder if project else find_place(folder))
            return report_row(report, row | {"registered": False})
        question = registration.register_server()
        print_line(f"{server.full_tools[0]} finds {question.url} by '{question.phrase}'")
        is_made = project is None
        project = registration.add_to_project(project, find_place(folder))
        if is_made:
            print_line(f"made the project {shorten_home(str(project.folder))} and installed it")
        for note in registration.notes:
            say(note)
        if asking := registration.list_asking():
            tools = ", ".join(asking)
            if yes or ask_yes(f"Let the agent call {tools} without asking you?", default=True):
                registration.allow(asking)
            else:
                say(f"the client asks you at each call of {tools}")
        undo.pop_all()
    tell_about_keywords(project, record)
    row |= {
        "registered": True,
        "project": str(project.folder),
        "server": server.name,
        "tool": record["mcp_tool_name"],
        "proof": {"phrase": question.phrase, "url": question.url},
    }
    return report_row(report, row)


def agree_to_record(
    record: Mapping[str, Any], project: Project | None, folder: Path | None, *, yes: bool
) -> None:
    """Show which searches go to a database, and ask; raises DeclinedError."""
    name = name_database(record)
    if not yes:
        print_line(f"Searches with {quote_keywords(record)} will go to {name}")
    if project is None:
        place = shorten_home(str(find_place(folder)))
        ask(f"Make a project in {place} with it, and install it?", yes=yes)
    else:
        ask(f"Add {name} to {name_places(project)}?", yes=yes)


def tell_about_keywords(project: Project, record: Mapping[str, Any]) -> None:
    """Say what keywords of a record do, and which are ordinary words, or another record's, too."""
    for note in explain_keywords(record):
        say(note)
    own = name_database(record)
    for other in project.databases:
        shared = [one for one in record["keywords"] if one in pick_texts(other, "keywords")]
        if shared and name_database(other) != own:
            quoted = " and ".join(f"'{one}'" for one in shared)
            noun, them = ("keyword", "it") if len(shared) == 1 else ("keywords", "them")
            place = f"the database {name_database(other)} of the project {project.name}"
            say(f"{noun} {quoted}: {place} has {them} too")
    words = quote_keywords(record)
    print_line(f"In new sessions, {project.name} sends searches with {words} to {own}")


def quote_keywords(record: Mapping[str, Any]) -> str:
    return ", ".join(f"'{one}'" for one in record["keywords"])


def open_as_it_is(name: str) -> "BuildResult":
    from hookwright_documentation.build import open_built

    built = open_built(name)
    manifest = built.database.manifest
    note = f"as of {manifest.crawled}: hookwright refresh {name} fetches what changed since"
    return replace(built, notes=(note,)) if manifest.source else built


def ask(question: str, *, yes: bool) -> None:
    """Ask whether to go on; raises DeclinedError."""
    if not yes and not ask_yes(question, default=True):
        raise DeclinedError("nothing changed")


def agree_to_source(recipe: Recipe, source: str, *, yes: bool) -> None:
    if not source or is_same_source(recipe, source):
        return
    line = f"{recipe.name} is of {shorten_home(source)}"
    if yes:
        raise RefusedError(
            f"{line}: give another --name, or run hookwright remove {recipe.name} first"
        )
    wanted = shorten_home(recipe.source)
    if not ask_yes(f"{line}: replace it by {wanted}?", default=False):
        raise DeclinedError(f"{line}, and stays: --name makes another database")


def print_left(recipe: Recipe, folder: Path) -> None:
    place = shorten_home(str(folder))
    head = "~/" if place.startswith("~/") else ""
    place = head + shlex.quote(place.removeprefix("~/") if head else place)
    print_line("To send searches to it:")
    print_line(f"  hookwright setup {recipe.name} --project {place}")


def report_row(report: TextIO | None, row: dict[str, Any]) -> int:
    """Print what was done as JSON if the user wants that; return 0."""
    if report:
        print(dump(row, indent=2), file=report)
    return 0
