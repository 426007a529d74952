"""The command line: its verbs, and what becomes of their errors."""

import os
import sys

import typer

from hookwright.cli import doctor, edit, list_records, new, remove, stats, sync, try_calls, update
from hookwright.cli.add import add_app
from hookwright_console.runner import run_to_end

app = typer.Typer(
    name="hookwright",
    help="Send coding agents to the better place: make, change, try and check their hooks.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
# In the order in which they are needed.
app.command("new")(new.new)
app.add_typer(add_app, name="add")
app.command("edit")(edit.edit)
app.command("remove")(remove.remove)
app.command("list")(list_records.list_records)
app.command("try")(try_calls.try_calls)
app.command("doctor")(doctor.doctor)
app.command("stats")(stats.stats)
app.command("sync")(sync.sync)
app.command("update")(update.update)


def run() -> int:
    """Run what the command line says; return 0 for done, 1 for no or refused, 2 for misused."""
    leave_current_folder()
    return run_to_end(app, "hookwright")


def leave_current_folder() -> None:
    """Have no program found in the current folder, which may be a stranger's."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    os.environ["PATH"] = os.pathsep.join(filter(os.path.isabs, folders))
    os.environ["NoDefaultCurrentDirectoryInExePath"] = "1"  # noqa: SIM112 - as Windows has it


if __name__ == "__main__":
    sys.exit(run())
