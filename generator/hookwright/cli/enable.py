"""Enable a record of a project that is disabled."""

from hookwright.answers.disabling import describe_disabled
from hookwright.answers.disabling import enable as enable_record
from hookwright.answers.records import find_key, read_record, replace_record
from hookwright.cli.apply import apply
from hookwright.cli.current_project import open_to_change
from hookwright.cli.options import HERE, ChangeOptions, InProject, take_change_options
from hookwright.cli.record_names import RecordName
from hookwright.project.change import plan_change
from hookwright_console.errors import RefusedError


@take_change_options
def enable(
    name: RecordName,
    *,
    project: InProject = HERE,
    options: ChangeOptions,
) -> int:
    """Enable a database or a route that is disabled."""
    opened = open_to_change(project, yes=options.yes)
    key = find_key(opened, name)
    record = read_record(opened, key)
    if not describe_disabled(record):
        raise RefusedError(f"{name} is already enabled: hookwright list shows what is disabled")
    change = plan_change(opened, replace_record(opened, key, enable_record(record)))
    return apply(change, f"Enable {name}", options)
