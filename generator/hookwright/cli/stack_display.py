"""Show what a project depends on, and the documentations that there are for it."""

from collections.abc import Mapping, Sequence
from typing import Any

from hookwright_console.tables import print_table
from hookwright_console.terminal import count, print_line
from hookwright_console.text import name_some
from hookwright_documentation.stack.dependency import COMMANDS
from hookwright_documentation.stack.proposal import Proposal, State
from hookwright_documentation.stack.survey import Stack, Use

MAX_LISTED = 15  # dependencies without a recipe
NAMED = 3  # dependencies of a proposal
NEWEST = "newest"


def show_stack(
    stack: Stack, proposals: Sequence[Proposal], rest: Sequence[Use], *, lists_open: bool
) -> None:
    """Print the proposals, and the dependencies that have no recipe.

    `lists_open` is whether to print what can be set up: not where the user is asked about it.
    """
    waiting = [one for one in proposals if one.is_open and not one.environment]
    optional = [one for one in proposals if one.is_open and one.environment]
    number = sum(use.ecosystem != COMMANDS for use in stack.uses)
    noun = "dependency" if number == 1 else "dependencies"
    print_line(f"{number:,} {noun} in {count(len(stack.manifests), 'manifest')}")
    if lists_open and waiting:
        print_table(
            ("recipe", "in use", "takes", "manifests", "for"),
            [
                (
                    one.name + describe_state(one),
                    one.version or one.limits,
                    describe_taken(one),
                    str(len(one.files)),
                    name_uses(one),
                )
                for one in waiting
            ],
            ("for",),
        )
    for state, title in ((State.SET_UP, "set up already"), (State.OTHER, "in your own records")):
        if names := [one.name for one in proposals if one.state is state]:
            print_line(f"{title}: {', '.join(names)}")
    if untried := sum(not one.recipe.verified for one in waiting):
        print_line(f"recipes that were not tried when they were written: {untried}")
    if lists_open and optional:
        packages = ", ".join(f"{one.name} {one.version}" for one in optional)
        print_line(f"installed, to document by their sources with python:NAME: {packages}")
    show_rest(rest)


def show_rest(rest: Sequence[Use]) -> None:
    if not rest:
        return
    print_line(f"no recipe for {len(rest):,}:")
    print_table(
        ("dependency", "from", "in use", "manifests"),
        [
            (one.name, one.ecosystem, one.version or one.limits, str(len(one.files)))
            for one in rest[:MAX_LISTED]
        ],
    )
    if len(rest) > MAX_LISTED:
        print_line(f"and {len(rest) - MAX_LISTED:,} more: --json lists all")


def list_titles(proposals: Sequence[Proposal]) -> dict[str, str]:
    return {
        one.name: f"{one.name} {one.documented}".rstrip()
        + f"{describe_state(one)}  for {name_uses(one)}, in {count(len(one.files), 'manifest')}"
        for one in proposals
    }


def describe_taken(proposal: Proposal) -> str:
    used = proposal.version or proposal.limits
    return proposal.documented or (f"{NEWEST} (in use {used})" if used else NEWEST)


def describe_state(proposal: Proposal) -> str:
    """Return how far a proposal was set up before, in brackets, or ""."""
    told = "its sources" if proposal.environment else proposal.state.value
    return "" if told == State.NEW.value else f" ({told})"


def name_uses(proposal: Proposal) -> str:
    return name_some(list(dict.fromkeys(use.name for use in proposal.uses)), NAMED)


def describe_proposal(proposal: Proposal) -> dict[str, Any]:
    return {
        "name": proposal.name,
        "state": proposal.state.value,
        "version": proposal.version,
        "limits": proposal.limits,
        "takes": proposal.documented,
        "source": proposal.recipe.source_for(proposal.documented),
        "verified": proposal.recipe.verified,
        "dependencies": [describe_use(use) for use in proposal.uses],
    }


def describe_use(use: Use) -> dict[str, Any]:
    return {
        "ecosystem": use.ecosystem,
        "name": use.name,
        "version": use.version,
        "limits": use.limits,
        "files": [*use.files],
    }


def describe_outcome(row: Mapping[str, Any]) -> str:
    if "error" in row:
        error = str(row["error"])
        return error if row["name"] in error else f"{row['name']}: {error}"
    pages, passages = count(row["pages"], "page"), count(row["passages"], "passage")
    return f"{row['name']}: {pages}, {passages}"


def show_outcomes(outcomes: Sequence[Mapping[str, Any]]) -> None:
    failed = [row for row in outcomes if "error" in row]
    if not outcomes:
        print_line("nothing chosen")
        return
    print_line("")
    print_table(
        ("database", "pages", "passages", "version", "state"),
        [
            (
                row["name"],
                str(row.get("pages", "")),
                str(row.get("passages", "")),
                row.get("version") or "",
                "failed" if "error" in row else "set up",
            )
            for row in outcomes
        ],
    )
    if failed:
        print_line(f"{len(failed)} of {len(outcomes)} failed: run the same command to try again")
