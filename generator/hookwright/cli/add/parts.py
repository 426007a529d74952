"""Add a hook or a client to a project."""

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from hookwright.answers.schema import describe_choices
from hookwright.answers.validation import check_answers, refuse_faults
from hookwright.cli.apply import apply, report
from hookwright.cli.current_project import ChangeOptions, take_change_options
from hookwright.cli.options import HERE
from hookwright.cli.terminal import print_note
from hookwright.clients.dialects import read_dialects
from hookwright.hooks.registry import HOOKS, LESSON_SEARCH
from hookwright.lesson_server import find_url, name_start_command
from hookwright.project.change import check_free, commit_project, create_project, plan_change
from hookwright.project.current import find_project_place, list_installed
from hookwright.project.reader import Project, holds_project
from hookwright.template.store import find_checks, find_own_source, find_template
from hookwright_console.errors import MisusedError, RefusedError
from hookwright_console.extras import explain_missing
from hookwright_console.terminal import agree, print_line
from hookwright_console.text import shorten, shorten_home

Url = Annotated[
    str,
    typer.Option(help="The URL of the lesson server.", show_default="where yours listens"),
]


@take_change_options
def add_lessons(url: Url = "", *, options: ChangeOptions) -> int:
    """Add lessons to prompts; without a project, make one in ~/my-hooks."""
    url = url or find_url()
    if fault := check_answers(find_template(), "lesson_server_url", url):
        raise MisusedError(fault)
    answers = {"lesson_server_url": url}
    place = find_project_place(None)
    takes_place = options.project == HERE and not holds_project(Path.cwd()) and not list_installed()
    if takes_place and not holds_project(place):
        code = make_project(place, {"hooks": [LESSON_SEARCH.name], **answers}, options)
    else:
        opened = (replace(options, project=place) if takes_place else options).open()
        code = add_part(opened, "hooks", LESSON_SEARCH.name, answers, options)
    if not options.dry_run and name_start_command(url) and not find_spec("chromadb"):
        print_note(explain_missing("the lesson server", "server"))
    return code


@take_change_options
def add_hook(
    name: Annotated[str, typer.Argument(metavar="|".join(describe_choices("hooks")))],
    *,
    options: ChangeOptions,
) -> int:
    """Add a hook; one that needs records comes with its first record."""
    hook = next((hook for hook in HOOKS if hook.name == name), None)
    if hook and hook.record:
        raise RefusedError(f"{name} comes with its first record: run hookwright add {hook.record}")
    check_choice("hooks", name)
    return add_part(options.open(), "hooks", name, {}, options)


@take_change_options
def add_client(
    name: Annotated[str, typer.Argument(metavar="|".join(read_dialects()))],
    *,
    options: ChangeOptions,
) -> int:
    """Add a coding agent that the hooks are for."""
    check_choice("clients", name)
    opened = options.open()
    code = add_part(opened, "clients", name, {}, options)
    if not code and not options.dry_run:
        install = opened.name_command(f"install --client {name}")
        print_line(f"to install the hooks there, run {install}")
    return code


def check_choice(question: str, name: str) -> None:
    if name not in (known := describe_choices(question)):
        noun = question.removesuffix("s")
        raise MisusedError(f"unknown {noun} {shorten(name)}: choose from {', '.join(known)}")


def add_part(
    opened: Project, question: str, name: str, answers: dict[str, Any], options: ChangeOptions
) -> int:
    here = opened.hooks if question == "hooks" else opened.clients
    if name in here:
        raise RefusedError(
            f"{opened.name} already has {name}: {opened.name_command('edit')} shows its answers"
        )
    added = [*here, name]
    refuse_faults(find_checks(opened.source), question, added)
    change = plan_change(opened, {question: added, **answers})
    return apply(change, f"Add {name}", options, default=True)


def make_project(place: Path, answers: dict[str, Any], options: ChangeOptions) -> int:
    check_free(place)
    shown = shorten_home(str(place))
    if options.dry_run:
        print_line(f"would make {shown}: dry run, nothing changed")
        return report(options, "Add lesson_search")
    agree(f"Make the project {shown}?", yes=options.yes, default=True)
    create_project(place, answers, find_own_source(), commits=options.commit)
    if options.commit and (note := commit_project(place)):
        print_note(note)
    print_line(f"made {shown}; next: hookwright install --project {place}")
    return report(options, "Add lesson_search", applied=True)
