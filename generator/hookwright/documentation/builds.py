"""What the commands that build documentation databases share: ask, explain, and tell."""

import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any

from hookwright_console.errors import RefusedError, ReportedError, StoppedError
from hookwright_console.extras import explain_missing
from hookwright_console.terminal import ask_yes, count, print_line
from hookwright_console.text import shorten_home
from hookwright_documentation.build import BuildResult
from hookwright_documentation.work import Loss

EXTRA = "docs"


def build_or_explain(run: Callable[[], int], *, keeps_stdout: bool) -> int:
    """Run what needs the extra [docs].

    With `keeps_stdout`, stdout is for JSON or an archive alone.
    """
    try:
        with redirect_stdout(sys.stderr if keeps_stdout else sys.stdout):
            return run()
    except ModuleNotFoundError as error:
        raise ReportedError(explain_missing(error.name or "a package", EXTRA)) from None
    except KeyboardInterrupt:
        raise StoppedError("stopped: run the same command again to go on") from None


def agree_to_loss(*, yes: bool) -> Callable[[Loss], None]:
    def agree(loss: Loss) -> None:
        if yes:
            return
        if not sys.stdin.isatty():
            raise RefusedError(f"{loss}, the old ones stay: add --yes to replace them")
        if not ask_yes(f"{loss}: replace the old ones?", default=False):
            raise RefusedError(f"{loss.name}: the old {loss.noun}s stay")

    return agree


def describe_built(built: BuildResult, *, is_chosen: bool = False) -> dict[str, Any]:
    """Return what is known of a database, for scripts; arguments as `tell_built`."""
    manifest = built.database.manifest
    return {
        "name": manifest.name,
        "changed": built.is_new,
        "engine": manifest.engine,
        "pages": manifest.pages,
        "passages": manifest.passages,
        "version": manifest.version,
        "license": manifest.license,
        "folder": str(built.database.folder.parent),
        "notes": list_notes(built, is_chosen=is_chosen),
    }


def list_notes(built: BuildResult, *, is_chosen: bool) -> list[str]:
    return [*(built.choices if is_chosen else ()), *built.notes]


def tell_built(built: BuildResult, *, is_asked: bool = True, is_chosen: bool = False) -> None:
    """Say what a database holds, and what the user should know.

    `is_asked` is whether its site was asked for changes, and `is_chosen` whether the user can
    choose a language and version here.
    """
    manifest = built.database.manifest
    held = f"{count(manifest.pages, 'page')}, {count(manifest.passages, 'passage')}"
    state = "nothing changed, " if is_asked and not built.is_new else ""
    place = shorten_home(str(built.database.folder.parent))
    print_line(f"{manifest.name}: {state}{held}, in {place}")
    for note in list_notes(built, is_chosen=is_chosen):
        print_line(f"  {note}")
