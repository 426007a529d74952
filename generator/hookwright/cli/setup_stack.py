"""Set up the documentations of what a project depends on, one after the other."""

import io
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from hookwright.answers.schema import name_database
from hookwright.cli.stack_display import (
    describe_outcome,
    describe_proposal,
    describe_use,
    list_titles,
    show_outcomes,
    show_stack,
)
from hookwright.cli.terminal import agree, say
from hookwright.documentation.database_records import is_ours
from hookwright.documentation.registration import build_server, is_registered
from hookwright.documentation.setup import set_up
from hookwright.project.change import check_committed, check_known
from hookwright.project.current import find_project, find_project_place
from hookwright.project.reader import Project
from hookwright.wizard.dialogue import Dialogue, can_ask
from hookwright.wizard.drafts import find_draft, read_draft, remove_draft, write_draft
from hookwright_console.errors import MisusedError, NoTerminalError, RefusedError, ReportedError
from hookwright_console.objects import pick_texts
from hookwright_console.terminal import count, print_line, show_progress, show_steps
from hookwright_console.text import shorten_home
from hookwright_documentation.databases import list_names, list_unfinished
from hookwright_documentation.recipes.ready import load_ready_recipes
from hookwright_documentation.recipes.recipe import Engine
from hookwright_documentation.setup import (
    Choice,
    RecipeOptions,
    choose_by_name,
    choose_ready,
    choose_recipe,
)
from hookwright_documentation.stack.proposal import (
    Proposal,
    State,
    find_states,
    offer_installed,
    propose,
)
from hookwright_documentation.stack.survey import Stack, Use, read_stack

QUESTION = "Which databases do you want?"
VERB = "setup --stack"
COMMON = ("engine", "max_pages")  # options that make sense for all databases alike


def set_up_stack(
    words: Sequence[str],
    given: RecipeOptions,
    place: Path | None,
    *,
    yes: bool,
    commits: bool,
    dry_run: bool,
) -> tuple[dict[str, Any], int]:
    """Propose documentation for what a project depends on, and set up what the user ticks.

    Args:
        words: The folder of the project that depends on something, unless it is the current one.
        given: What the options say of each database.
        place: The hooks' project that gets the databases, as the user names it.
        yes: Whether to take all recipes without asking.
        commits: Whether to commit what changes in the hooks' project.
        dry_run: Whether to only list them.

    Returns:
        What was found and done, for scripts; and the exit code.

    """
    stack = survey(find_stack_folder(words, given))
    project = find_project(place)
    proposals, offers, rest = find_proposals(stack, project.databases if project else [])
    waiting, optional = ([one for one in several if one.is_open] for several in (proposals, offers))
    asks = bool(waiting or optional) and not (yes or dry_run)
    show_stack(stack, [*proposals, *offers], rest, lists_open=not (asks and can_ask()))
    row: dict[str, Any] = {
        "folder": str(stack.folder),
        "manifests": [*stack.manifests],
        "proposals": [describe_proposal(one) for one in proposals],
        "installed": [describe_proposal(one) for one in offers],
        "without_recipe": [describe_use(one) for one in rest],
        "warnings": [*stack.warnings],
    }
    if not waiting and not asks:
        print_line("nothing left to set up")
    if dry_run or not (waiting or asks):
        return row, 0
    if asks and not can_ask():
        raise NoTerminalError("--yes", "--dry-run")
    home = check(project, place, given)
    chosen = waiting if yes else choose(waiting, optional, stack.folder)
    agree(
        f"Set up {count(len(chosen), 'database')}, add them to {shorten_home(str(home))} and to "
        "Claude Code, and let the agent search them without asking you?",
        yes=yes or not chosen,
        default=True,
    )

    def set_up_one(proposal: Proposal) -> dict[str, Any]:
        choice = choose_proposed(proposal, given)
        return set_up(choice, home, yes=True, commits=commits)

    outcomes = set_up_all(chosen, stack.folder, set_up_one)
    show_outcomes(outcomes)
    return row | {"databases": outcomes}, int(any("error" in one for one in outcomes))


def find_proposals(
    stack: Stack, records: Sequence[Mapping[str, Any]]
) -> tuple[list[Proposal], list[Proposal], list[Use]]:
    recipes = load_ready_recipes()
    named = {name_database(one): is_ours(one, name_database(one)) for one in records}
    keywords = {word.casefold() for one in records for word in pick_texts(one, "keywords")}
    there = (named, keywords, list_names(), list_unfinished())
    states = find_states(recipes, *there)
    proposals, rest = propose(stack.uses, recipes, states)
    offers = offer_installed(rest, stack.folder, [one.name for one in recipes])
    states = find_states([one.recipe for one in offers], *there)
    return proposals, [replace(one, state=states.get(one.name, one.state)) for one in offers], rest


def find_stack_folder(words: Sequence[str], given: RecipeOptions) -> Path:
    """Return the folder that is given with --stack, or the current one; raises MisusedError."""
    if len(words) > 1:
        raise MisusedError(f"--stack takes one folder, got {len(words)}: {' '.join(words)}")
    own = {name: value for name, value in asdict(given).items() if name not in COMMON}
    for name in filter(own.get, own):
        raise MisusedError(f"--{name}: does not go with --stack, whose recipes say it")
    folder = Path(*words).expanduser()
    if not folder.is_dir():
        raise MisusedError(f"--stack: no folder {folder}: give the folder of a project")
    return folder


def survey(folder: Path) -> Stack:
    with show_progress("Reading manifests") as progress:
        stack = read_stack(folder, progress)
    for warning in stack.warnings:
        say(warning)
    if not stack.manifests:
        raise RefusedError(
            f"no manifest in {folder}, such as pyproject.toml or package.json: give the folder of "
            "a project"
        )
    return stack


def check(project: Project | None, place: Path | None, given: RecipeOptions) -> Path:
    """Return the folder of the hooks' project; raise what would stop every setup."""
    is_registered(build_server((given.engine or Engine.BUILTIN).value))
    if project:
        check_known(project, project.source)
        check_committed(project)
    return project.folder if project else find_project_place(place)


def choose(
    waiting: Sequence[Proposal], optional: Sequence[Proposal], folder: Path
) -> list[Proposal]:
    """Return the proposals that the user ticks, and remember them for the next run."""
    titles = list_titles([*waiting, *optional])
    kept = [name for name in recall(folder) if name in titles]
    chosen = Dialogue().ask_several(QUESTION, titles, kept or [one.name for one in waiting])
    remember(folder, chosen)
    return [one for one in (*waiting, *optional) if one.name in chosen]


def recall(folder: Path) -> list[str]:
    try:
        ((_, names),) = read_draft(find_draft(VERB, folder))
    except (OSError, ValueError, RecursionError):
        return []
    return names if isinstance(names, list) else []


def remember(folder: Path, names: list[str]) -> None:
    """Remember what is left of the user's choice; if that fails, they are asked again."""
    path = find_draft(VERB, folder)
    try:
        if names:
            write_draft(path, [(QUESTION, names)])
        else:
            remove_draft(path)
    except OSError as error:
        say(f"cannot remember your choice in {path}: {error.strerror}")


def set_up_all(
    chosen: Sequence[Proposal],
    folder: Path,
    set_up_one: Callable[[Proposal], dict[str, Any]],
) -> list[dict[str, Any]]:
    outcomes = []
    left = [one.name for one in chosen]
    with show_steps(len(chosen)) as progress:
        for number, one in enumerate(chosen, 1):
            progress(number, one.name)
            try:
                with redirect_stdout(io.StringIO()):  # the summary says it
                    row = set_up_one(one)
            except (ReportedError, OSError) as error:
                row = {"name": one.name, "error": str(error)}
            outcomes.append(row)
            print_line(f"{number} of {len(chosen)}: {describe_outcome(row)}")
            if "error" not in row:
                left.remove(one.name)
                remember(folder, left)
    return outcomes


def choose_proposed(proposal: Proposal, given: RecipeOptions) -> Choice:
    """Return what to make of a proposal; what was begun or built goes on as it is."""
    is_new = proposal.state is State.NEW
    if is_new and proposal.environment:
        options = replace(given, python=str(proposal.environment))
        return choose_recipe([proposal.recipe.source], options)
    if is_new:
        return choose_ready(proposal.recipe, replace(given, version=proposal.documented))
    return choose_by_name(proposal.name, given)
