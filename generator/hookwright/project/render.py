"""Render projects by Copier, and say what it says in one line."""

import os
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from hookwright.project.git import build_own
from hookwright_console.errors import RefusedError

PREFIX = "Validation error for question "  # what Copier says before what a check of ours says


def render(source: str, destination: Path, answers: Mapping[str, Any], version: str = "") -> None:
    """Render a project from a template, without asking.

    Args:
        source: The template: the path of a folder or a repository, or a git URL.
        destination: The folder to render it into.
        answers: What the questions are answered with; the others get their defaults.
        version: The tag or commit of the template; "" for its newest version.

    Raises:
        RefusedError: An answer is refused, or the template cannot be had.

    """
    with wording_errors() as copier:
        copier.run_copy(
            source,
            destination,
            data=dict(answers),
            defaults=True,
            overwrite=True,
            quiet=True,
            vcs_ref=version or None,
        )


def update(folder: Path, answers: Mapping[str, Any], version: str | None) -> None:
    """Update a project that git keeps and that has no changes of its own.

    Args:
        folder: The project.
        answers: The answers that change.
        version: The template's version to go to; None for the one that it is of, "" for the
            newest.

    Raises:
        RefusedError: An answer is refused, or the template cannot be had.

    """
    with wording_errors() as copier:
        copier.run_update(
            folder,
            data=dict(answers),
            defaults=True,
            overwrite=True,
            quiet=True,
            vcs_ref=copier.VcsRef.CURRENT if version is None else version or None,
        )


@contextmanager
def wording_errors() -> Iterator[Any]:
    """Yield Copier, whose errors become ours, and which prints nothing."""
    import copier
    import copier.errors
    import yaml
    from plumbum import ProcessExecutionError

    with warnings.catch_warnings(), tempfile.TemporaryFile("w+") as sink, isolating_git():
        warnings.simplefilter("ignore")
        with redirect_stdout(sink), redirect_stderr(sink):
            try:
                yield copier
            except ProcessExecutionError as error:
                lines = (error.stderr or "").strip().splitlines() or [str(error)]
                raise RefusedError(f"the template cannot be had: {lines[-1].strip()}") from None
            except (copier.errors.CopierError, ValueError, TypeError, yaml.YAMLError) as error:
                raise RefusedError(word(str(error))) from None


@contextmanager
def isolating_git() -> Iterator[None]:
    """Have Copier's git work where Copier says, without hooks and settings of the user's."""
    from plumbum import local

    before = dict(os.environ)
    own = build_own(before)
    with local.env():  # what Copier runs gets these variables, what others run for it, our own
        local.env.clear()
        local.env.update(own)
        try:
            os.environ.clear()
            os.environ.update(own)
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)


def word(message: str) -> str:
    """Return what Copier says of an error in one line: of a refused answer what our check says."""
    _, found, rest = message.partition(PREFIX)
    text = rest.partition(": ")[2] if found else message
    return " ".join(text.split())
