"""Set up a documentation database, from its site to the first search that is sent to it."""

import re
import shlex
import sys
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from hookwright.answers.faults import refuse_faults
from hookwright.cli.documentation_options import agree_to_loss, build_or_explain, tell_built
from hookwright.cli.installation import shorten_home
from hookwright.cli.options import AsJson, Commits, Yes, read_folder
from hookwright.cli.terminal import check_terminal, say
from hookwright.discovery.ambiguous_keywords import explain_weighed
from hookwright.documentation.projects import (
    check_project,
    find_place,
    find_project,
    list_installed,
)
from hookwright.documentation.records import build_record, list_domains
from hookwright.documentation.registration import is_registered
from hookwright.documentation.servers import Engine, build_server
from hookwright.project.template_store import find_checks, keep_template
from hookwright_console.errors import DeclinedError
from hookwright_console.prompts import ask_yes
from hookwright_console.terminal import dump, print_line
from hookwright_console.text import shorten
from hookwright_documentation.recipe import MAX_PAGES, Recipe

OTHERS = re.compile(r"^[^a-z0-9]+|[^a-z0-9._+#-]")  # cannot stand in a database's name
HOST = re.compile(r"(?:localhost|[a-z0-9-]+(?:[.][a-z0-9-]+)+)(?::\d+)?(?:/|\Z)", re.IGNORECASE)
WORDS = "hookwright setup flask https://flask.palletsprojects.com/"


def setup(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="KEYWORD... SOURCE",
            help="Words that send a search to the database, then the URL or the folder of the "
            "documentation; or only the name of a database that there is.",
        ),
    ],
    *,
    engine: Annotated[Engine, typer.Option(help="What indexes and searches.")] = Engine.BUILTIN,
    project: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="The project; made if the folder is missing or empty.",
            show_default="here, or the one that is installed, else ~/my-hooks",
            parser=read_folder,
        ),
    ] = None,
    name: Annotated[
        str, typer.Option(help="The name of the database.", show_default="the first keyword")
    ] = "",
    prefix: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="Take only pages whose address begins with this.",
            show_default="the folder of SOURCE",
        ),
    ] = "",
    max_pages: Annotated[int, typer.Option(min=1, help="Take at most so many pages.")] = MAX_PAGES,
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
    yes: Yes = False,
    commit: Commits = True,
    as_json: AsJson = False,
) -> int:
    """Set up a documentation database, and send searches to it."""
    report = sys.stdout if as_json else None

    def run() -> int:
        draft = Recipe(name, (), "", prefix, max_pages, license_, engine.value, language, version)
        recipe = choose_recipe(words, draft)
        return set_up(recipe, project, Ways(yes, commit, report))

    return build_or_explain(run, as_json=as_json)


def choose_recipe(words: list[str], draft: Recipe) -> Recipe:
    """Return what to make a database of.

    Args:
        words: The keywords and the source, or only the name of a database that there is.
        draft: What the options say.

    Raises:
        typer.BadParameter: A word or an option is wrong, or a word is missing.

    """
    from hookwright_documentation.build import find_recipe
    from hookwright_documentation.databases import NAME, find_folder
    from hookwright_documentation.leann.program import read_options

    *keywords, source = words
    if not keywords:
        known = None if "/" in source else find_recipe(source)
        if known:
            return known
        missing = "" if "/" in source else f"no documentation database '{shorten(source)}': "
        raise typer.BadParameter(f"{missing}give a keyword and a source, such as: {WORDS}")
    for what, text in (*(("a keyword", one) for one in keywords), ("SOURCE", source)):
        if not text.strip():
            raise typer.BadParameter(f"{what} is empty, such as: {WORDS}")
    if not is_url(source):
        if "://" in source:
            raise typer.BadParameter(f"expected a URL with https:// or a folder, got {source}")
        if not Path(source).expanduser().is_dir():
            raise typer.BadParameter(f"SOURCE: {explain_source(source, keywords)}")
        source = str(Path(source).expanduser().resolve())
    check_options(draft)
    name = draft.name or re.sub(r"\s+", "-", keywords[0].casefold())
    if not draft.name and not NAME.match(name):
        other = OTHERS.sub("", re.sub(r"^[.]", "dot", name))
        other = other if NAME.match(other) else "NAME"
        raise typer.BadParameter(
            f"the database cannot be called '{shorten(name)}': add --name {other}"
        )
    find_folder(name)  # refused if it cannot be the name of a folder
    return replace(
        draft,
        name=name,
        keywords=tuple(dict.fromkeys(keywords)),
        source=source,
        leann=read_options() if draft.engine == Engine.LEANN else (),
    )


def explain_source(source: str, keywords: list[str]) -> str:
    """Return why a source that is no URL cannot be taken, and the way out."""
    if any(map(is_url, keywords)):
        return f"no folder {source}: give the URL last"
    if Path(source).expanduser().exists():
        return f"{source} is a file: give its folder"
    if HOST.match(source):
        scheme = "http" if re.match(r"localhost|127[.]", source) else "https"
        return f"no folder {source}: for a site, give {scheme}://{source}"
    return f"no folder {source}: give a folder, or a URL with https://"


def check_options(draft: Recipe) -> None:
    """Check what the options say; raises typer.BadParameter."""
    from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

    if draft.prefix and not is_url(draft.prefix):
        raise typer.BadParameter(f"--prefix: expected a URL with https://, got {draft.prefix}")
    if draft.license:
        try:
            canonicalize_license_expression(draft.license)
        except InvalidLicenseExpression:
            raise typer.BadParameter(
                f"--license: expected an SPDX identifier such as BSD-3-Clause, or LicenseRef-NAME "
                f"for another licence, got {draft.license}"
            ) from None


def is_url(text: str) -> bool:
    """Tell whether a text is a URL with http:// or https://."""
    return re.match(r"https?://[^/]", text, re.IGNORECASE) is not None


@dataclass(frozen=True)
class Ways:
    """How to set up: whether without asking, whether to commit, and where to print JSON."""

    yes: bool
    commits: bool
    report: TextIO | None


def set_up(recipe: Recipe, folder: Path | None, ways: Ways) -> int:
    """Build a database unless it is there, register it, and prove that an agent finds it.

    Args:
        recipe: What the database is made of.
        folder: The project that the user names, or None.
        ways: How to do it.

    Returns:
        The exit code.

    Raises:
        ReportedError: It cannot be done; what is not proven is not registered.

    """
    from hookwright.documentation.setting_up import Registration
    from hookwright_documentation.build import build, find_old, is_built, open_built

    yes, report = ways.yes, ways.report
    check_terminal(yes=yes)
    project = find_project(folder)
    server = build_server(recipe.engine)
    is_registered(server)  # refused before the crawl if the client has another of its name
    record = build_record(recipe, recipe.prefix, server.name)
    refuse_faults(find_checks(str(keep_template())), "databases", [record])
    if project:
        check_project(project, recipe.name)
    old = find_old(recipe.name)
    former = list_domains(old.manifest.prefix) if old else []
    is_there = is_built(recipe)
    built = open_built(recipe.name) if is_there else build(recipe, agree_to_loss(yes=yes))
    tell_built(built, is_asked=not is_there, is_chosen=True)
    manifest = built.database.manifest
    record = build_record(recipe, manifest.prefix, server.name)
    row: dict[str, Any] = {
        "name": manifest.name,
        "engine": manifest.engine,
        "pages": manifest.pages,
        "passages": manifest.passages,
        "version": manifest.version,
        "license": manifest.license,
        "folder": str(built.database.folder.parent),
        "notes": [*built.choices, *built.notes],
    }
    with ExitStack() as undo:
        registration = Registration(
            server, built.database, record, former, undo, commits=ways.commits
        )
        try:
            if project is None:
                place = find_place(folder)
                ask(
                    f"Make a project in {shorten_home(str(place))} with it, and install it?",
                    yes=yes,
                )
            else:
                ask(f"Add {recipe.name} to {project.name} and to Claude Code?", yes=yes)
        except DeclinedError:
            print_left(recipe, folder, len(list_installed()))
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
    if weighed := explain_weighed(record):
        say(weighed)
    print_line(f"{project.name} sends searches with '{recipe.keywords[0]}' to {recipe.name}")
    proof = {"phrase": question.phrase, "url": question.url}
    row |= {"registered": True, "project": str(project.folder), "server": server.name}
    return report_row(report, row | {"tool": record["mcp_tool_name"], "proof": proof})


def ask(question: str, *, yes: bool) -> None:
    """Ask whether to go on; raises DeclinedError."""
    if not yes and not ask_yes(question, default=True):
        raise DeclinedError("nothing changed")


def print_left(recipe: Recipe, folder: Path | None, installed: int) -> None:
    """Say which command is left to do."""
    place = shlex.quote(str(folder)) if folder else "DIR" if installed > 1 else "my-hooks"
    print_line("To send searches to it:")
    print_line(f"  hookwright setup {recipe.name} --project {place}")


def report_row(report: TextIO | None, row: dict[str, Any]) -> int:
    """Print what was done as JSON if the user wants that; return 0."""
    if report:
        print(dump(row, indent=2), file=report)
    return 0
