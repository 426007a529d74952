"""Name the commands of a program without importing them: that takes longer than to print help."""

import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typer.core import TyperCommand

INDENT = "  "
WIDTH = 80  # characters of a line of the help; where there are fewer, typer wraps it
VERSION = "--version"
VERSION_HELP = "Show the version and exit."
OPTIONS = {
    VERSION: (VERSION_HELP,),
    "--install-completion": ("Install completion for the current shell.",),
    "--show-completion": (
        "Show completion for the current shell, to copy it or",
        "customize the installation.",
    ),
    "--help": ("Show this message and exit.",),
}


@dataclass(frozen=True)
class Command:
    """A command of a program.

    Args:
        summary: Its line in the program's help.
        place: The function that runs it, or a typer application, as "module:name".

    """

    summary: str
    place: str


@dataclass(frozen=True)
class LazyCommands:
    """The commands of a program; a module is imported when its command is called.

    Args:
        purpose: What the program is for, in one line.
        commands: The commands by their names, in the order of the help.
        callback: Takes the options of the program itself; None where it has none.
        kind: The subclass of TyperCommand that runs them; None for TyperCommand.

    """

    purpose: str
    commands: Mapping[str, Command]
    callback: Callable[..., None] | None = None
    kind: "type[TyperCommand] | None" = None

    def __call__(self, prog_name: str, *, standalone_mode: bool = True) -> Any:
        """Run what the command line says, as a typer application does."""
        if sys.argv[1:] == [VERSION]:
            from hookwright_console.version import find_version

            print(f"{prog_name} {find_version()}")
            return 0
        is_wide = shutil.get_terminal_size().columns >= WIDTH
        if sys.argv[1:] == ["--help"] and not self.callback and is_wide:
            print(self.write_help(prog_name))
            return 0
        from hookwright_console.command_group import build_app

        return build_app(self)(prog_name=prog_name, standalone_mode=standalone_mode)

    def write_help(self, program: str) -> str:
        """Return the help of a program without options of its own, as typer writes it."""
        wide = max(map(len, OPTIONS)) + len(INDENT)
        options = [
            f"{INDENT}{name if not number else '':{wide}}{line}"
            for name, lines in OPTIONS.items()
            for number, line in enumerate(lines)
        ]
        wide = max(map(len, self.commands)) + len(INDENT)
        commands = [f"{INDENT}{name:{wide}}{one.summary}" for name, one in self.commands.items()]
        usage = f"Usage: {program} [OPTIONS] COMMAND [ARGS]..."
        parts = (usage, f"{INDENT}{self.purpose}", "Options:\n" + "\n".join(options))
        return "\n\n".join((*parts, "Commands:\n" + "\n".join(commands)))
