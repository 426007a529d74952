"""Update a project to the newest version of its template."""

from typing import Annotated

import typer

from hookwright.cli.apply import apply
from hookwright.cli.new import find_template_source
from hookwright.cli.options import HERE, ChangeOptions, InProject, take_change_options
from hookwright.project.change import may_exist, plan_change
from hookwright.project.reader import open_project
from hookwright.project.template_store import find_kept_template, keep_template
from hookwright_console.errors import RefusedError


@take_change_options
def update(
    *,
    project: InProject = HERE,
    template: Annotated[
        str, typer.Option(help="Switch to this template, a path or a git URL.")
    ] = "",
    options: ChangeOptions,
) -> int:
    """Update a project to the newest template."""
    opened = open_project(project)
    source = find_template_source(template) if template else opened.source
    if template and not may_exist(source):
        raise RefusedError(f"no template at {source}: choose another --template")
    if not source or not may_exist(source) or source == str(find_kept_template()):
        source = str(keep_template())
    change = plan_change(opened, {}, "", source)
    return apply(change, "Update to the newest template", options)
