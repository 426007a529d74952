"""Command groups that import a command's module only when it is called."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption
from typer.main import get_group

from hookwright_console.text import suggest
from hookwright_console.version import find_version


def show_version(context: typer.Context, *, shows: bool) -> None:
    if shows:
        print(f"{context.info_name} {find_version()}")
        raise typer.Exit


VersionOption = Annotated[
    bool,
    typer.Option(
        "--version", help="Show the version and exit.", callback=show_version, is_eager=True
    ),
]


def choose_nothing(*, version: VersionOption = False) -> None:
    """Parse the options of a program that has none of its own."""


@dataclass(frozen=True)
class Command:
    """A command in a program's command line."""

    summary: str  # summary line in the program's help
    place: str  # the function to run, or a typer application, as "module:name"


@dataclass(frozen=True)
class LazyCommands:
    """A program's commands; each command's module is imported when the command is called."""

    purpose: str  # the program's purpose, in one line
    commands: Mapping[str, Command]  # commands by name, in help order
    # Parses the program's own options and --version; None for only --version.
    callback: Callable[..., None] | None = None
    # The TyperCommand subclass that runs the commands; None for the default.
    kind: type[TyperCommand] | None = None

    def __call__(self, prog_name: str, *, standalone_mode: bool = True) -> Any:
        return build_app(self)(prog_name=prog_name, standalone_mode=standalone_mode)


class SuggestingGroup(TyperGroup):
    """Suggests a similar command for an unknown one."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0][:1].isalpha() and args[0] not in self.commands:
            hint = suggest(args[0], self.commands) or f"see {ctx.command_path} --help"
            ctx.fail(f"No such command '{args[0]}': {hint}")
        return super().resolve_command(ctx, args)


def build_app(lazy: LazyCommands) -> typer.Typer:
    class LazyGroup(SuggestingGroup):
        """Shows the commands' summaries, and imports only the command that is called."""

        def __init__(self, **settings: Any) -> None:
            super().__init__(**settings)
            name_values(self)
            for name, command in lazy.commands.items():
                self.add_command(TyperCommand(name, short_help=command.summary))

        def resolve_command(self, ctx: Any, args: list[str]) -> Any:
            name, command, rest = super().resolve_command(ctx, args)
            return name, load_command(lazy, name) if name else command, rest

    return typer.Typer(
        cls=LazyGroup,
        callback=lazy.callback or choose_nothing,
        help=lazy.purpose,
        no_args_is_help=True,
        add_completion=not lazy.callback,
        rich_markup_mode=None,
    )


def load_command(lazy: LazyCommands, name: str) -> Any:
    module, _, attribute = lazy.commands[name].place.partition(":")
    loaded = getattr(import_module(module), attribute)
    app = typer.Typer(rich_markup_mode=None)
    if isinstance(loaded, typer.Typer):
        app.add_typer(loaded, name=name, cls=SuggestingGroup)
    else:
        app.command(name, cls=lazy.kind)(loaded)
    loaded = get_group(app).commands[name]
    name_values(loaded)
    return loaded


def name_values(command: Any) -> None:
    """Return help with readable value names, such as KEYWORD, unless a metavar is set.

    Otherwise, Typer shows the names of Python types.
    """
    for parameter in command.params:
        if isinstance(parameter, TyperArgument):
            parameter.metavar = parameter.metavar or parameter.name.upper()
            setattr(parameter, "display_type_rich", lambda ctx: "")  # noqa: ARG005, B010 - a method
        elif isinstance(parameter, TyperOption) and not parameter.metavar:
            parameter.metavar = name_value(parameter)
    if isinstance(command, TyperGroup):
        for below in command.commands.values():
            name_values(below)


def name_value(option: TyperOption) -> str:
    """Return the displayed name for an option's value: its choices if any, otherwise its type."""
    kind = option.type_descriptor
    if kind.is_choice:
        return "|".join(str(getattr(choice, "value", choice)) for choice in kind.choices or ())
    limits = kind.parameter_info  # is_ranged fails for lists in Python 3.10
    if limits.min is not None or limits.max is not None:
        return "NUMBER"
    return option.opts[-1].lstrip("-").upper().rpartition("-")[2]
