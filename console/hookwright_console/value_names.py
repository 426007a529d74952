"""Name the values of options in help as people do, such as KEYWORD; typer names Python's types."""

from typing import Any

from typer.core import TyperArgument, TyperGroup, TyperOption


def name_values(command: Any) -> None:
    """Name the values in the help of a command and of those below it, where no metavar does."""
    for parameter in command.params:
        if isinstance(parameter, TyperArgument):
            parameter.metavar = parameter.metavar or parameter.name.upper()
            setattr(parameter, "display_type_rich", hide_type)  # noqa: B010 - a method
        elif isinstance(parameter, TyperOption) and not parameter.metavar:
            parameter.metavar = name_value(parameter)
    if isinstance(command, TyperGroup):
        for below in command.commands.values():
            name_values(below)


def name_value(option: TyperOption) -> str:
    """Return a name for the value of an option: its choices, or else what it is."""
    kind = option.type_descriptor
    if kind.is_choice:
        return "|".join(str(getattr(one, "value", one)) for one in kind.choices or ())
    limits = kind.parameter_info  # is_ranged ends with an error for a list in Python 3.10
    if limits.min is not None or limits.max is not None:
        return "NUMBER"
    return option.opts[-1].lstrip("-").upper().rpartition("-")[2]


def hide_type(ctx: object) -> str:  # noqa: ARG001 - as typer calls it
    """Show no type of an argument."""
    return ""
