"""Update a project to the newest version of its template."""

from dataclasses import replace
from typing import Annotated

import typer

from hookwright import __version__
from hookwright.answers.schema import RECORDS
from hookwright.answers.validation import format_fault, list_faults
from hookwright.cli.apply import apply
from hookwright.cli.current_project import (
    ChangeOptions,
    agree_to_template,
    open_current,
    take_change_options,
)
from hookwright.cli.new import find_template_source
from hookwright.cli.terminal import print_note
from hookwright.project.change import may_exist, plan_change, plan_restore
from hookwright.project.rendered_hooks import list_edited
from hookwright.template.store import (
    find_own_source,
    find_template,
    is_own,
    read_release,
    remember,
)
from hookwright_console.errors import RefusedError


@take_change_options
def update(
    *,
    template: Annotated[
        str, typer.Option(help="Switch to this template, a path or a git URL.")
    ] = "",
    restore: Annotated[
        bool, typer.Option("--restore", help="Undo edits to the hooks instead.")
    ] = False,
    options: ChangeOptions,
) -> int:
    """Update a project to the newest template."""
    if restore and template:
        raise typer.BadParameter("--restore and --template cannot be combined")
    named = find_template_source(template) if template else ""
    if named:
        remember(named)
    opened = open_current(options.project, yes=options.yes)
    if not named:
        agree_to_template(opened, yes=options.yes)
    if restore:
        options = replace(options, diff=True)  # git may not track these files
        return apply(plan_restore(opened), "Restore the rendered hooks", options)
    source = named or opened.source
    if is_own(source) and read_release(opened.version) > read_release(__version__):
        raise RefusedError(
            f"{opened.name} was rendered from template {opened.version}, and this is Hookwright "
            f"{__version__}: "
            "update Hookwright first"
        )
    if not source or not may_exist(source) or is_own(source):
        source = find_own_source()
    change = plan_change(opened, {}, "", source)
    for question in RECORDS.keys() & opened.answers.keys():
        for fault in list_faults(find_template(), question, opened.answers[question]):
            edit = opened.name_command("edit")
            print_note(f"{format_fault(find_template(), fault)} ({edit})")
    kept = list_edited(opened) if not change.files else ()
    line = "was edited by hand and is kept: --restore undoes the edit"
    print_note(*(f"hooks/{name}.py {line}" for name in kept))
    return apply(change, "Update to the newest template", options)
