"""Build the typer application of commands that are imported when they are called."""

from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

from hookwright_console.lazy_commands import VERSION, VERSION_HELP, LazyCommands
from hookwright_console.suggestions import suggest
from hookwright_console.value_names import name_values
from hookwright_console.version import find_version


class SuggestingGroup(TyperGroup):
    """Suggests a command for an unknown one."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the words call."""
        if args and args[0][:1].isalpha() and args[0] not in self.commands:
            hint = suggest(args[0], self.commands) or f"see {ctx.command_path} --help"
            ctx.fail(f"No such command '{args[0]}': {hint}")
        return super().resolve_command(ctx, args)


def build_app(lazy: LazyCommands) -> typer.Typer:
    """Return an application that knows only the names and summaries of its commands."""

    class LazyGroup(SuggestingGroup):
        """Shows a summary of each command, and imports the command that is called."""

        def __init__(self, **settings: Any) -> None:
            super().__init__(**settings)
            self.params.insert(0, build_version_option())
            name_values(self)
            for name, command in lazy.commands.items():
                self.add_command(TyperCommand(name, short_help=command.summary))

        def resolve_command(self, ctx: Any, args: list[str]) -> Any:
            name, command, rest = super().resolve_command(ctx, args)
            return name, load_command(lazy, name) if name else command, rest

    return typer.Typer(
        cls=LazyGroup,
        callback=lazy.callback or (lambda: None),
        help=lazy.purpose,
        no_args_is_help=True,
        add_completion=not lazy.callback,
        rich_markup_mode=None,
    )


def load_command(lazy: LazyCommands, name: str) -> Any:
    """Import a command, and return it as typer runs it."""
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


def build_version_option() -> Any:
    """Return the option of a program that shows its version."""

    def show_version(context: typer.Context, *, shows: bool) -> None:
        if shows:
            print(f"{context.info_name} {find_version()}")
            raise typer.Exit

    def take(
        *,
        version: Annotated[
            bool, typer.Option(VERSION, help=VERSION_HELP, callback=show_version, is_eager=True)
        ] = False,
    ) -> None:
        """Take the option."""

    app = typer.Typer(add_completion=False)
    app.command()(take)
    (option,) = typer.main.get_command(app).params
    option.expose_value = False
    return option
