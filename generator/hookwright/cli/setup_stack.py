"""Show a project's dependencies, and set up their documentation."""

import io
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from hookwright.answers.schema import name_database
from hookwright.cli.terminal import print_note
from hookwright.documentation.database_records import is_ours
from hookwright.documentation.registration import build_server, is_registered
from hookwright.documentation.setup import set_up
from hookwright.project.change import check_committed, check_known
from hookwright.project.current import find_project, find_project_place
from hookwright.wizard.dialogue import Dialogue, can_ask
from hookwright.wizard.drafts import find_draft, read_draft, remove_draft, write_draft
from hookwright_console.errors import MisusedError, NoTerminalError, RefusedError, ReportedError
from hookwright_console.objects import pick_texts
from hookwright_console.terminal import (
    agree,
    align,
    count,
    print_line,
    print_table,
    show_steps,
)
from hookwright_console.text import name_some, shorten_home
from hookwright_documentation.databases import list_names, list_unfinished
from hookwright_documentation.recipes.recipe import Engine, load_ready_recipes
from hookwright_documentation.setup import (
    Choice,
    RecipeOptions,
    choose_by_name,
    choose_ready,
    choose_recipe,
)
from hookwright_documentation.stack.manifest import COMMANDS
from hookwright_documentation.stack.survey import (
    Proposal,
    Stack,
    State,
    Use,
    find_state,
    offer_installed,
    propose,
    read_stack,
)

QUESTION = "Which databases do you want?"
VERB = "setup --stack"
COMMON = ("engine", "max_pages")  # options that apply to all databases
MAX_LISTED = 15  # listed dependencies that have no recipe
NAMED = 3  # dependencies named per proposal
NEWEST = "newest"
COLUMNS = ("recipe", "takes", "size", "time", "disk", "for")
NUMBERED = 8  # width of the number before a title
MINUTE = 60


def set_up_stack(
    words: Sequence[str],
    options: RecipeOptions,
    place: Path | None,
    *,
    yes: bool,
    commits: bool,
    dry_run: bool,
) -> tuple[dict[str, Any], int]:
    """Propose documentation for a project's dependencies, and set up the user's choice.

    `words` is the folder of the project to inspect, and `place` the hooks' project that receives
    the databases. Returns the findings and results for scripts, and the exit code.
    """
    stack = read_folder(words, options)
    project = find_project(place)
    proposals, offers, rest = find_proposals(stack, project.databases if project else [])
    every = [*proposals, *offers]
    can_take = [proposal for proposal in every if proposal.is_open]
    waiting = [proposal for proposal in proposals if proposal.is_open]
    asks = bool(can_take) and not (yes or dry_run)
    show_stack(stack, every, rest, lists_open=not (asks and can_ask()))
    row: dict[str, Any] = {
        "folder": str(stack.folder),
        "manifests": [*stack.manifests],
        "proposals": [describe_proposal(proposal) for proposal in proposals],
        "installed": [describe_proposal(offer) for offer in offers],
        "without_recipe": [asdict(use) for use in rest],
        "warnings": [*stack.warnings],
    }
    if not waiting and not asks:
        print_line("nothing left to set up")
    if dry_run or not (waiting or asks):
        return row, 0
    if asks and not can_ask():
        raise NoTerminalError("--yes or --dry-run")
    # Raise any error that would stop every setup.
    is_registered(build_server((options.engine or Engine.BUILTIN).value))
    if project:
        check_known(project, project.source)
        check_committed(project)
    home = project.folder if project else find_project_place(place)
    chosen = waiting if yes else choose_proposals(can_take, stack.folder)
    them = "it" if len(chosen) == 1 else "them"
    agree(
        f"Set up {count(len(chosen), 'database')}, add {them} to {shorten_home(str(home))} and to "
        f"Claude Code, and let the agent search {them} without asking you?",
        yes=yes or not chosen,
        default=True,
    )
    outcomes = set_up_all(chosen, stack.folder, options, home, commits=commits)
    failed = sum("error" in outcome for outcome in outcomes)
    if not outcomes:
        print_line("nothing chosen")
    if failed:
        print_line(f"{failed} of {len(outcomes)} failed: run the same command to try again")
    return row | {"databases": outcomes}, int(failed > 0)


def find_proposals(
    stack: Stack, records: Sequence[Mapping[str, Any]]
) -> tuple[list[Proposal], list[Proposal], list[Use]]:
    recipes = load_ready_recipes()
    named = {name_database(record): is_ours(record, name_database(record)) for record in records}
    keywords = {word.casefold() for record in records for word in pick_texts(record, "keywords")}
    find = partial(
        find_state,
        records=named,
        keywords=keywords,
        built=list_names(),
        unfinished=list_unfinished(),
    )
    proposals, rest = propose(stack.uses, recipes, find)
    taken = [recipe.name for recipe in recipes]
    return proposals, offer_installed(rest, stack.folder, taken, find), rest


def read_folder(words: Sequence[str], options: RecipeOptions) -> Stack:
    """Return the dependencies of the folder named by `words`, or else of the current folder."""
    if len(words) > 1:
        raise MisusedError(f"--stack takes one folder, got {len(words)}: {' '.join(words)}")
    for name, value in asdict(options).items():
        if value and name not in COMMON:
            raise MisusedError(f"--{name}: cannot be combined with --stack: its recipes set it")
    folder = Path(*words).expanduser()
    if not folder.is_dir():
        raise MisusedError(f"--stack: no folder {folder}: use the folder of a project")
    stack = read_stack(folder)
    print_note(*stack.warnings)
    if not stack.manifests:
        raise RefusedError(
            f"no manifest in {folder}, such as pyproject.toml or package.json: use the folder of "
            "a project"
        )
    return stack


def choose_proposals(proposals: Sequence[Proposal], folder: Path) -> list[Proposal]:
    """Return the user's choice of proposals, and save it for the next run."""
    lines = align([*map(describe_row, proposals)], NUMBERED)
    titles = {proposal.name: line for proposal, line in zip(proposals, lines, strict=True)}
    kept = [name for name in recall(folder) if name in titles]
    chosen = Dialogue().ask_several(QUESTION, titles, kept)
    remember(folder, chosen)
    return [proposal for proposal in proposals if proposal.name in chosen]


def recall(folder: Path) -> list[str]:
    try:
        ((_, names),) = read_draft(find_draft(VERB, folder))
    except (OSError, ValueError):
        return []
    return names if isinstance(names, list) else []


def remember(folder: Path, names: list[str]) -> None:
    """Remember which chosen databases are left; if that fails, the user has to choose again."""
    path = find_draft(VERB, folder)
    if names:
        with suppress(OSError):
            write_draft(path, [(QUESTION, names)])
    else:
        remove_draft(path)


def set_up_all(
    chosen: Sequence[Proposal],
    folder: Path,
    options: RecipeOptions,
    home: Path,
    *,
    commits: bool,
) -> list[dict[str, Any]]:
    outcomes = []
    left = [proposal.name for proposal in chosen]
    with show_steps(len(chosen)) as progress:
        for number, proposal in enumerate(chosen, 1):
            progress(number, proposal.name)
            try:
                with redirect_stdout(io.StringIO()):  # the summary reports the result
                    choice = choose_proposed(proposal, options)
                    row = set_up(choice, home, yes=True, commits=commits)
            except (ReportedError, OSError) as error:
                row = {"name": proposal.name, "error": str(error)}
                what = str(error).removeprefix(f"{proposal.name}: ")
            else:
                what = f"{count(row['pages'], 'page')}, {count(row['passages'], 'passage')}"
                left.remove(proposal.name)
                remember(folder, left)
            outcomes.append(row)
            print_line(f"{number} of {len(chosen)}: {proposal.name}: {what}")
    return outcomes


def choose_proposed(proposal: Proposal, options: RecipeOptions) -> Choice:
    """Return the recipe to build for a proposal; existing databases keep their recipe."""
    is_new = proposal.state is State.NEW
    if is_new and proposal.environment:
        options = replace(options, python=str(proposal.environment))
        return choose_recipe([proposal.recipe.source], options)
    if is_new:
        return choose_ready(proposal.recipe, replace(options, version=proposal.documented))
    return choose_by_name(proposal.name, options)


def show_stack(
    stack: Stack, proposals: Sequence[Proposal], rest: Sequence[Use], *, lists_open: bool
) -> None:
    """Print the proposals, and the dependencies without a recipe.

    Without `lists_open`, leave out the proposals from which the user is asked to choose.
    """
    number = sum(use.ecosystem != COMMANDS for use in stack.uses)
    used = {
        use.name for proposal in proposals for use in proposal.uses if use.ecosystem == COMMANDS
    }
    print_line(
        f"{number:,} {'dependency' if number == 1 else 'dependencies'} in "
        f"{count(len(stack.manifests), 'manifest')}"
        + (f", and programs that go with them: {', '.join(sorted(used))}" if used else "")
    )
    waiting = [proposal for proposal in proposals if proposal.is_open and not proposal.environment]
    optional = [proposal for proposal in proposals if proposal.is_open and proposal.environment]
    if lists_open and waiting:
        print_line(*align([COLUMNS, *map(describe_row, waiting)]))
    packages = [f"{proposal.name} {proposal.version}" for proposal in optional if lists_open]
    for title, names in (
        ("set up already", [other.name for other in proposals if other.state is State.SET_UP]),
        ("in your own records", [other.name for other in proposals if other.state is State.OTHER]),
        (
            "recipes that were not tried",
            [other.name for other in waiting if not other.recipe.tested_on],
        ),
        ("installed, to document by their sources with python:NAME", packages),
    ):
        if names:
            print_line(f"{title}: {', '.join(names)}")
    if rest:
        rows = [
            (use.name, use.ecosystem, use.version or use.limits, str(len(use.files)))
            for use in rest[:MAX_LISTED]
        ]
        print_line(f"no recipe for {len(rest):,}:")
        print_table(("dependency", "from", "in use", "manifests"), rows)
    if len(rest) > MAX_LISTED:
        print_line(f"and {len(rest) - MAX_LISTED:,} more: --json lists all")


def describe_row(proposal: Proposal) -> tuple[str, ...]:
    """Return the facts about a proposal, including its measured cost if known."""
    state = "its sources" if proposal.environment else proposal.state.value
    name = proposal.name + ("" if state == State.NEW.value else f" ({state})")
    used = proposal.version or proposal.limits
    taken = proposal.documented or (f"{NEWEST} (in use {used})" if used else NEWEST)
    figures = ("", "", "")
    if known := proposal.recipe.tested_copy:
        minutes = known.seconds / MINUTE
        duration = f"{known.seconds} s" if minutes < 1 else f"{minutes:.0f} min"
        figures = (f"{known.pages:,} pages", duration, f"{known.megabytes} MB")
    return name, taken, *figures, name_some([*{use.name: None for use in proposal.uses}], NAMED)


def describe_proposal(proposal: Proposal) -> dict[str, Any]:
    return {
        "name": proposal.name,
        "state": proposal.state.value,
        "version": proposal.version,
        "limits": proposal.limits,
        "takes": proposal.documented,
        "source": proposal.recipe.build_recipe(proposal.documented).source,
        "verified": proposal.recipe.verified,
        "tested_copy": asdict(copy) if (copy := proposal.recipe.tested_copy) else None,
        "dependencies": [asdict(use) for use in proposal.uses],
    }
