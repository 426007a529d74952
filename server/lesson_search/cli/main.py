"""The command line: its verbs, and what becomes of their errors."""

import logging
import sys
from collections.abc import Callable

import typer

from hookwright_console.runner import run_to_end
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
    return run_to_end(app, "lesson-search")


if __name__ == "__main__":
    sys.exit(run())
