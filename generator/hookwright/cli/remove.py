"""Remove records from a project."""

from hookwright.answers.records import remove_records
from hookwright.cli.apply import apply
from hookwright.cli.options import HERE, ChangeOptions, InProject, take_change_options
from hookwright.cli.record_names import RecordNames
from hookwright.project.change import plan_change
from hookwright.project.reader import open_project


@take_change_options
def remove(
    names: RecordNames,
    *,
    project: InProject = HERE,
    options: ChangeOptions,
) -> int:
    """Remove databases and routes."""
    opened = open_project(project)
    change = plan_change(opened, remove_records(opened, names))
    title = f"Remove {', '.join(dict.fromkeys(names))}"
    return apply(change, title, options)
