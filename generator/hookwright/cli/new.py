"""Create a project from questions or from an answers file."""

import shlex
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from hookwright.answers.schema import find_misplaced, name_database
from hookwright.answers.validation import read_questions, refuse_faults
from hookwright.answers.yaml_files import read_content
from hookwright.cli.installation import change_installation, warn_of_records
from hookwright.cli.options import Commits, Yes
from hookwright.cli.terminal import print_note
from hookwright.clients.claude.tool_names import SEARCH
from hookwright.git import has_git
from hookwright.lesson_server import explain_no_server, name_start_command, read_usual_url
from hookwright.project.change import check_free, commit_project, create_project
from hookwright.project.current import find_project_place
from hookwright.project.installer import list_places
from hookwright.project.reader import Project, read_project
from hookwright.project.status import find_namesake
from hookwright.simulate.run import Handler, find_handlers
from hookwright.simulate.trial import choose_dialect, choose_search, list_warnings
from hookwright.template.store import find_checks, find_own_source, is_own, remember
from hookwright.wizard.dialogue import Dialogue, can_ask
from hookwright.wizard.drafts import drafting
from hookwright.wizard.project import ask_answers
from hookwright_console.errors import DeclinedError, NoTerminalError, RefusedError, StoppedError
from hookwright_console.terminal import count, print_line
from hookwright_console.text import shorten, shorten_home

NAME = "my-hooks"
TRIED = 100  # folder names to try
CONFIG = "copier.yml"


def new(
    dest: Annotated[Path | None, typer.Argument(help="The folder of the project.")] = None,
    *,
    data_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Read the answers from a YAML or JSON file.")
    ] = None,
    template: Annotated[str, typer.Option(help="Render this template, a path or a git URL.")] = "",
    quick: Annotated[
        bool, typer.Option("--quick", help="Use defaults, and ask only about what is found here.")
    ] = False,
    yes: Yes = False,
    commit: Commits = True,
    install: Annotated[
        bool | None,
        typer.Option("--install/--no-install", help="Install the hooks.", show_default="ask"),
    ] = None,
) -> int:
    """Create a project from your answers, or from an answers file."""
    asks = not (quick and yes)
    if asks and not can_ask() and (data_file is None or dest is None):
        named = {"DEST": dest, "--yes" if quick else "--data-file": data_file}
        raise NoTerminalError(*(option for option, value in named.items() if value is None))
    if quick and data_file:
        raise typer.BadParameter("use either --quick or --data-file")
    dialogue = Dialogue(attended=asks)
    answered: list[str] = []
    if dest is None:
        dest = Path(dialogue.ask_text("In which folder?", find_free(), check=find_obstacle))
        dest = dest.expanduser()
        answered = [str(dest)]
    dest = find_project_place(dest)
    check_free(dest)
    if namesake := find_namesake(dest.name, dest):
        print_note(namesake)
    source = find_template_source(template)
    remember(source)
    if data_file:
        create_project(dest, read_data_file(data_file, source), source, commits=commit)
    else:
        ask_and_create(dest, source, *answered, quick=quick, yes=yes, commits=commit)
    print_line(f"made {dest}")
    project = read_project(dest)
    if commit and (note := commit_project(dest)):
        print_note(note)
    elif commit:
        print_line("committed it to git")
    asks = install is None and not yes and data_file is None
    code = install_hooks(project, "user" if install else "", asks=asks)
    print_next_step(project, installed=code == 0)
    return code or 0


def read_data_file(path: Path, source: str) -> dict[str, Any]:
    """Return the answers in a YAML or JSON file; Copier checks those of a remote template."""
    try:
        answers = read_content(path.read_bytes(), str(path))
    except OSError as error:
        raise RefusedError(f"{path} cannot be read: {error.strerror}: check the path") from None
    if not isinstance(answers, dict):
        raise RefusedError(f"{path} has no answers: write them like databases: [...]")
    own = {str(name): value for name, value in answers.items() if not str(name).startswith("_")}
    if not Path(source).is_dir() and not is_own(source):
        return own
    template = find_checks(source)
    known = read_questions(template)
    for question, answer in own.items():
        if question in known:
            refuse_faults(template, question, answer)
    _, fault = find_misplaced(own, [*known], own.get("hooks"))
    if fault:
        raise RefusedError(f"{path}: {fault}")
    routes = own.get("routes") or {}
    print_note(*list_warnings(routes, routes))
    return own


def find_free() -> str:
    """Return the first unused name of my-hooks, my-hooks-2 and so on in the current folder."""
    names = (NAME if number == 1 else f"{NAME}-{number}" for number in range(1, TRIED))
    return next((name for name in names if not find_obstacle(name)), NAME)


def find_obstacle(text: str) -> str:
    try:
        place = Path(text).expanduser().absolute()
        check_free(place)
        return find_namesake(place.name, place)
    except RuntimeError:
        return f"{shorten(text)}: unknown user: type the full path"
    except (RefusedError, ValueError, OSError) as error:
        return str(error)


def find_template_source(template: str) -> str:
    """Return the template to render: the user's choice, or the bundled one.

    Paths are made absolute, because projects can be updated only from an absolute path.
    """
    if not template:
        return find_own_source()
    path = Path(template).expanduser()
    if not path.exists() and ":" in template and not has_git():
        raise RefusedError("git is missing: install it to fetch a template")
    if not path.exists() and ":" not in template:  # URLs and short forms such as gh: have a colon
        raise RefusedError(
            f"no template at {path.absolute()}: use a folder with {CONFIG}, or a git URL"
        )
    if path.exists() and not (path / CONFIG).is_file():
        raise RefusedError(
            f"not a template: {path / CONFIG} is missing (choose another --template)"
        )
    return str(path.resolve()) if path.exists() else template


def ask_and_create(
    dest: Path, source: str, *answered: str, quick: bool, yes: bool, commits: bool
) -> None:
    dialogue = Dialogue(attended=not (quick and yes))
    draft = drafting(dialogue, "new --quick" if quick else "new", dest, *answered)
    with draft if dialogue.attended else nullcontext():

        def ask() -> dict[str, Any]:
            answers = ask_answers(dialogue, dest, find_checks(source), quick=quick)
            agree_to(dialogue, dest, answers, yes=yes)
            return answers

        create_project(dest, dialogue.run(ask), source, commits=commits)


def agree_to(dialogue: Dialogue, dest: Path, answers: dict[str, Any], *, yes: bool) -> None:
    dialogue.print("")
    dialogue.print(f"{answers['project_name']}: {', '.join(answers['hooks'])}")
    databases = [name_database(database) for database in answers.get("databases", ())]
    for noun, names in (("database", databases), ("route", list(answers.get("routes", ())))):
        if names:
            dialogue.print(f"{count(len(names), noun)}: {', '.join(names)}", "  ", "    ")
    if url := answers.get("lesson_server_url"):
        dialogue.print(f"lesson server: {url}", "  ")
    if not yes and not dialogue.ask_yes(f"Make the project in {dest}?"):
        raise DeclinedError("nothing changed")


def install_hooks(project: Project, scope: str, *, asks: bool) -> int | None:
    """Install the hooks, unless the user declines or the scope is ""; return the code, or None."""
    try:
        if asks and can_ask():
            here = shorten_home(str(Path.cwd()))
            scopes = {
                "user": "for me, in every folder",
                "local": f"for me, in {here}",
                "project": f"for everyone who shares {here}",
                "": "not now",
            }
            scope = Dialogue().ask_choice("Install the hooks now?", scopes)
        if not scope:
            return None
        ask, options = "Install them, as above?", ["--scope", scope]
        return change_installation(project, options, ask, diff=False, yes=not asks, as_json=False)
    except KeyboardInterrupt:
        raise StoppedError(
            "stopped; the project was created: to install it, "
            f"run {project.name_command('install')}"
        ) from None
    except DeclinedError:
        return None
    except RefusedError as refused:
        print_note(str(refused))
        return 1


def print_next_step(project: Project, *, installed: bool) -> None:
    from hookwright.doctor.project import check_commands, check_renovate  # slow to import

    findings = (*check_commands(project.rendered_routes), *check_renovate(project))
    print_note(*(finding.line for finding in findings if finding.status != "ok"))
    warn_of_records(project, project.rendered_databases, project.rendered_routes)
    scopes = {scope for _, scope in list_places(project)}
    is_here = scopes and "user" not in scopes  # the hooks work only in the current folder
    lines = [] if is_here else [f"cd {shlex.quote(str(project.folder))}"]
    if databases := project.rendered_databases:
        dialect = choose_dialect(project, None, SEARCH)
        handlers: list[Handler] = []
        with suppress(RefusedError):  # hooks from other templates are not run
            handlers = find_handlers(project, dialect.call, dialect.name)
        lines.append(f"hookwright try {shlex.quote(choose_search(handlers, databases[0]))}")
    url = project.answers.get("lesson_server_url") or read_usual_url()
    if "lesson_search" in project.hooks and (start := name_start_command(url)):
        print_note(*filter(None, [explain_no_server(url)]))
        lines.append(f"{start}    # in another terminal: the lesson server must be running")
    install = "" if installed else "hookwright install && "
    lines.append(f"{install}hookwright doctor")
    if project.databases or project.routes:
        lines.append("hookwright add database    # or add route")
    print_line("Next:", *(f"  {line}" for line in lines))
