"""Set up a documentation database, from its source to the first search that reaches it."""

import shlex
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from hookwright.answers.schema import name_database
from hookwright.answers.validation import refuse_faults
from hookwright.discovery.ambiguous_keywords import explain_keywords, write_sample
from hookwright.documentation.database_records import (
    build_record,
    find_site,
    is_ours,
    list_former_domains,
    list_shared_words,
)
from hookwright.documentation.projects import (
    ProjectRegistration,
    add_record,
    check_project,
    name_places,
)
from hookwright.documentation.proof import Question, UnprovenError, prove_server
from hookwright.documentation.registration import (
    SEARCH,
    Server,
    build_server,
    is_registered,
)
from hookwright.project.current import find_project, find_project_place
from hookwright.project.installer import is_installed_from
from hookwright.project.reader import Project
from hookwright.template.store import find_template
from hookwright_console.errors import DeclinedError, RefusedError
from hookwright_console.terminal import ask_yes, check_terminal, print_line, print_message
from hookwright_console.text import name_some, shorten_home
from hookwright_documentation.build import BuildResult, agree_to_loss, build, is_current
from hookwright_documentation.recipes.recipe import Recipe, recall_recipe
from hookwright_documentation.setup import Choice, is_same_source

MAX_KEYWORDS = 2  # maximum keywords per line
ARCHIVES = "the archive has an invalid record"  # starts the error about a rejected record


def set_up(
    choice: Choice,
    folder: Path | None,
    make: Callable[[], BuildResult] | None = None,
    *,
    yes: bool,
    commits: bool,
) -> dict[str, Any]:
    """Build a database if necessary, register it, and test that an agent can find it.

    `folder` is the project named by the user, and `make` builds the database from an archive.
    Returns the result for scripts. If the test does not find the database, it is not registered.
    """
    recipe, old = choice.recipe, choice.old
    check_terminal(yes=yes)
    if choice.note:
        print_message("hookwright", choice.note)
    project = find_project(folder)
    always_load = project is None or project.answers.get("always_load", True)
    server = build_server(recipe.engine, always_load=always_load)
    is_registered(server)  # raises before the crawl if the client has another server with this name
    record = build_record(recipe, recipe.prefix, server.name)
    refuse_faults(find_template(), "databases", [record], whose=ARCHIVES if make else "")
    if project:
        check_project(project, [recipe.name], lambda record: is_ours(record, recipe.name))
    if old and not (make and recall_recipe(old.manifest).is_strangers):
        agree_to_source(recipe, old.manifest.source, yes=yes)
    former = list_former_domains(old.manifest) if old else []
    rereads = choice.has_source and recipe.is_local
    is_there = old is not None and not make and not rereads and is_current(old, recipe)
    if old and is_there:
        date, is_refreshed = old.manifest.crawled, bool(old.manifest.source)
        note = f"crawled {date}; hookwright refresh {recipe.name} fetches what changed since"
        built = BuildResult(
            old, is_new=False, notes=(note,) if is_refreshed else (), is_asked=False
        )
    else:
        built = make() if make else build(recipe, old, agree_to_loss(yes=yes))
    built.show()
    record = build_record(recipe, find_site(built.database.manifest), server.name)
    row = built.export()
    add = partial(add_record, record=record, former=former)
    place = project.folder if project else find_project_place(folder)
    if not agree_to_record(record, project, place, add, server, yes=yes):
        print_line(
            f"{recipe.name} is set up, but no agent searches it: to change that, run hookwright "
            f"setup {recipe.name} --project {shlex.quote(str(place))}"
        )
        return row | {"registered": False}

    def prove() -> Question:
        question = prove_server(server, built.database, record)
        print_line(f"Checked: searching it finds {question.url}")
        return question

    try:
        project, question = ProjectRegistration(server, commits=commits).run(
            project,
            place,
            [record],
            add,
            prove=prove,
            message=f"Add the database {recipe.name}",
            yes=yes,
        )
    except UnprovenError as error:
        left = f"nothing is registered, and the pages of {recipe.name} stay"
        left = "nothing is imported" if make else left
        raise UnprovenError(f"{error}; then run the same command again: {left}") from None
    shared = list_shared_words(project.databases, [record], server.name)
    print_message("hookwright", *explain_keywords(record), *shared)
    about = f"searches about {name_keywords(record)}"
    does = f"answer {about} from" if record["mcp_tool_name"] == SEARCH else f"send {about} to"
    query = f"{write_sample(record)} {question.phrase}"
    print_line(
        f"New sessions {does} your docs (project {project.name})",
        f"Try it: hookwright try {shlex.quote(query)}",
    )
    return row | {
        "registered": True,
        "project": str(project.folder),
        "server": server.name,
        "tool": record["mcp_tool_name"],
        "proof": {"phrase": question.phrase, "url": question.url},
    }


def agree_to_record(
    record: Mapping[str, Any],
    project: Project | None,
    place: Path,
    add: Callable[[Project], dict[str, Any]],
    server: Server,
    *,
    yes: bool,
) -> bool:
    """Ask whether to send searches to a database, unless that is done already."""
    name = name_database(record)
    answers = add(project) if project else {}
    if (
        project
        and all(answers[key] == project.answers.get(key) for key in answers)
        and is_installed_from(project)
        and is_registered(server)
    ):
        print_line(f"{name} is in {project.name} and in Claude Code already")
        return True
    if yes:
        return True
    print_line(f"Searches about {name_keywords(record)} will go to {name}")
    shown = shorten_home(str(place))
    question = f"Make the project {shown} with it, and install its hooks?"
    if project:
        question = f"Add {name} to {name_places(project)}?"
    return ask_yes(question, default=True)


def name_keywords(record: Mapping[str, Any]) -> str:
    return name_some(record["keywords"], MAX_KEYWORDS)


def agree_to_source(recipe: Recipe, source: str, *, yes: bool) -> None:
    if not source or is_same_source(recipe, source):
        return
    line = f"{recipe.name} was set up from {'a pipe' if source == '-' else shorten_home(source)}"
    if yes:
        raise RefusedError(
            f"{line}: use another --name, or run hookwright remove {recipe.name} first"
        )
    wanted = shorten_home(recipe.source)
    if not ask_yes(f"{line}: replace it with {wanted}?", default=False):
        raise DeclinedError(f"{line}, and is kept: --name creates another database")
