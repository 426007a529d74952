"""Make a project, from questions or from a file of answers."""

import json
import os
import shlex
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from hookwright.answers.data_files import read_data_file
from hookwright.answers.faults import refuse_faults
from hookwright.answers.records import name_database
from hookwright.cli.options import Commits, Yes
from hookwright.cli.terminal import say, show_diff
from hookwright.patterns.route_warnings import list_warnings
from hookwright.project.creation import check_free, commit_project, create_project
from hookwright.project.installer import run_installer
from hookwright.project.reader import Project, open_project
from hookwright.project.template_store import find_checks, keep_template
from hookwright.wizard.ask import ask_choice, ask_text, ask_yes, can_ask
from hookwright.wizard.project import ask_answers
from hookwright_console.errors import RefusedError, ReportedError
from hookwright_console.terminal import count, print_line

NAME = "my-hooks"
CONFIG = "copier.yml"
LONG = 60  # lines of a new file that is shown whole
SCOPES = {
    "user": "for me, in every folder",
    "local": "for me, in this folder",
    "project": "for all who share this folder",
    "": "not now",
}


def new(
    dest: Annotated[Path | None, typer.Argument(help="The folder of the project.")] = None,
    *,
    data_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Take the answers from a YAML or JSON file.")
    ] = None,
    template: Annotated[str, typer.Option(help="Render this template, a path or a git URL.")] = "",
    yes: Yes = False,
    commit: Commits = True,
    install: Annotated[
        bool | None,
        typer.Option("--install/--no-install", help="Install the hooks.", show_default="ask"),
    ] = None,
) -> int:
    """Make a project from your answers, or from a file of answers."""
    if not can_ask() and (data_file is None or dest is None):
        missing = "--data-file" if data_file is None else "DEST"
        raise typer.BadParameter(f"there is no terminal to ask at: give {missing}")
    if dest is None:
        print_line("A few questions make a project of hooks; Ctrl-C changes nothing.")
        dest = Path(ask_text("In which folder?", NAME, check=find_obstacle)).expanduser()
    dest = dest.absolute()
    check_free(dest)
    source = find_template_source(template)
    checks = find_checks(source)
    if data_file:
        local = Path(source).is_dir()  # Copier checks a remote template
        answers = read_data_file(data_file, checks if local else None)
        for question in answers if local else ():
            refuse_faults(checks, question, answers[question])
        routes = answers.get("routes") or {}
        for line in list_warnings(routes, routes) if local else ():
            say(line)
    else:
        answers = ask_answers(dest, source, checks)
        agree_to(dest, answers, yes=yes)
    create(dest, answers, source, asked=data_file is None)
    project = open_project(dest)
    committed = not commit or commit_rendered(project)
    asks = install is None and not yes and data_file is None
    scope = ask_scope() if asks else "user" if install else ""
    code = install_hooks(project, scope, asks=asks) if scope else None
    tell_next(project, installed=code == 0)
    return 1 if code or not committed else 0


def find_obstacle(text: str) -> str:
    """Return why a project cannot be created in a folder, or ""."""
    try:
        check_free(Path(text).expanduser().absolute())
    except (RefusedError, RuntimeError, ValueError, OSError) as error:
        return str(error)
    return ""


def find_template_source(template: str) -> str:
    """Return the template to render from: the user's choice, or the bundled one.

    A path becomes absolute, because a project can only be updated from an absolute path.

    Raises:
        RefusedError: The path is not a template.

    """
    if not template:
        return str(keep_template())
    path = Path(template).expanduser()
    if path.exists() and not (path / CONFIG).is_file():
        raise RefusedError(
            f"not a template: {path / CONFIG} is missing (choose another --template)"
        )
    return str(path.resolve()) if path.exists() else template


def agree_to(dest: Path, answers: dict[str, Any], *, yes: bool) -> None:
    """Summarize the answers, and ask whether to go on.

    Raises:
        ReportedError: No.

    """
    databases = [name_database(database) for database in answers.get("databases", ())]
    for noun, names in (("database", databases), ("route", list(answers.get("routes", ())))):
        if names:
            print_line(f"{count(len(names), noun)}: {', '.join(names)}")
    if not yes and not ask_yes(f"Make the project in {dest}?"):
        raise ReportedError("nothing is changed")


def create(dest: Path, answers: dict[str, Any], source: str, *, asked: bool) -> None:
    """Render the project; if that is refused, save the answers that the user typed.

    Raises:
        RefusedError: It is refused.

    """
    try:
        create_project(dest, answers, source)
    except RefusedError as refused:
        if not asked:
            raise
        handle, name = tempfile.mkstemp(prefix="hookwright-answers-", suffix=".json")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(answers, file, ensure_ascii=False, indent=2)
        raise RefusedError(f"{refused}; your answers are saved: use --data-file {name}") from None
    print_line(f"made {dest}")


def commit_rendered(project: Project) -> bool:
    """Commit a new project, or say why not; return whether it is committed."""
    try:
        if commit_project(project.folder, f"Render {project.name}"):
            print_line("committed it to git")
            return True
        say("git is missing, and updates need it: install it, then run git init in the project")
    except RefusedError as refused:
        say(
            f"the project is not committed: {refused}: fix that, for example with git config "
            f"--global user.email, then run git add . && git commit in {project.folder}"
        )
    return False


def ask_scope() -> str:
    """Ask where to install the hooks; return the scope, or "" for nowhere."""
    return ask_choice("Install the hooks now?", SCOPES) if can_ask() else ""


def install_hooks(project: Project, scope: str, *, asks: bool) -> int | None:
    """Show what installing the hooks changes, ask, and install them.

    Args:
        project: The project.
        scope: Whose settings they are added to.
        asks: Whether to ask.

    Returns:
        The exit code of install.py, or None where the user says no.

    """
    planned = run_installer(project, "--scope", scope, "--dry-run")
    if planned.code:
        for line in planned.lines:
            say(line)
        return planned.code
    show_diff("\n".join(shorten_new(planned.lines)))
    if asks and not ask_yes("Install them, as above?"):
        return None
    ran = run_installer(project, "--scope", scope)
    for line in ran.lines:
        (say if ran.code else print_line)(line)
    return ran.code


def shorten_new(lines: Iterable[str]) -> list[str]:
    """Return a patch with a line instead of each long new file, which was just rendered."""
    parts: list[list[str]] = [[]]
    for line in lines:
        if line.startswith("--- "):
            parts.append([])
        parts[-1].append(line)
    shown = []
    for part in parts:
        new = part[:1] == ["--- /dev/null"] and len(part) > LONG
        shown += [*part[:2], f"@@ {len(part) - 3} lines, as rendered @@"] if new else part
    return shown


def tell_next(project: Project, *, installed: bool) -> None:
    """Say what to do next."""
    folder = shlex.quote(str(project.folder))
    lines = [f"cd {folder}"]
    if project.databases:
        database = project.databases[0]
        words = [database["keywords"][0], *database.get("with", ())[:1]]
        query = shlex.quote(f"how do I use {' '.join(dict.fromkeys(words))}")
        lines.append(f"hookwright try {query}")
    lines.append("hookwright doctor" if installed else "hookwright install && hookwright doctor")
    lines.append("hookwright add database    # or add route")
    print_line("Next:")
    for line in lines:
        print_line(f"  {line}")
