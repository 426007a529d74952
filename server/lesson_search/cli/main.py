"""The command line: its verbs, and what becomes of their errors."""

import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path

import typer

from lesson_search.cli import (
    categories,
    delete,
    edit,
    evaluate,
    export,
    importing,
    ingest,
    listing,
    query,
    recategorize,
    reindex,
    serve,
    service,
    show,
)
from lesson_search.cli.options import remember_options, with_options
from lesson_search.cli.terminal import say

INTERRUPTED = 130  # what shells say of a command that Ctrl-C ended

VERBS: dict[str, Callable[..., int]] = {
    "serve": serve.serve,
    "ingest": ingest.ingest,
    "query": query.query,
    "list": listing.list_records,
    "show": show.show_record,
    "edit": edit.edit,
    "delete": delete.delete,
    "recategorize": recategorize.recategorize,
    "categories": categories.categories,
    "evaluate": evaluate.evaluate,
    "export": export.export,
    "import": importing.import_records,
    "reindex": reindex.reindex,
}

app = typer.Typer(
    name="lesson-search",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    callback=remember_options,
)
for name, verb in VERBS.items():
    app.command(name)(with_options(verb))
app.add_typer(service.app, name="service")


def run() -> int:
    """Run what the command line says; return 0 for done, 1 for no or refused, 2 for misused."""
    # Before a library has everything logged that any other does.
    logging.basicConfig(format="lesson-search: %(message)s", level=logging.WARNING)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        code = int(app(prog_name="lesson-search", standalone_mode=False) or 0)
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:
        # Who read the output has gone; so that Python does not say so at the end:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except typer.TyperException as error:
        say(" ".join(error.format_message().split()))
        return error.exit_code
    except Exception as error:  # noqa: BLE001 - none may reach the user as a traceback
        say(word(error))
        return 1
    if code == INTERRUPTED:
        say("stopped")
    return code


def word(error: Exception) -> str:
    """Return an error in words: our own are worded where they are raised."""
    if type(error).__module__.startswith("lesson_search."):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'the system'}: {error.strerror}"
    trace, place = error.__traceback__, ""
    while trace:
        place = f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"unexpected {type(error).__name__} at {place}: {error}: please report it"


if __name__ == "__main__":
    sys.exit(run())
