"""Render and update projects with Copier, and report its errors in one line."""

import os
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import yaml

from hookwright.project.git import build_own
from hookwright_console.errors import RefusedError

PREFIX = "Validation error for question "  # before the message of a template's check
# A template that renders into a repository's own folder could have git run a program.
LEFT_OUT = ("[.][Gg][Ii][Tt]",)


class AnswerError(RefusedError):
    """An answer that the template refuses."""


def render(source: str, destination: Path, answers: Mapping[str, Any], version: str = "") -> None:
    """Render a project from a template, without asking.

    Args:
        source: The template: the path of a folder or a repository, or a git URL.
        destination: The folder to render it into.
        answers: The answers to questions; the others get their defaults.
        version: The tag or commit of the template; "" for its newest version.

    Raises:
        RefusedError: An answer is refused, or the template cannot be fetched.

    """
    with converting_errors() as copier:
        copier.run_copy(
            source,
            destination,
            data=dict(answers),
            defaults=True,
            exclude=LEFT_OUT,
            overwrite=True,
            quiet=True,
            vcs_ref=version or None,
        )


def update(folder: Path, answers: Mapping[str, Any], version: str | None) -> None:
    """Update a project that is in git and has no uncommitted changes.

    Args:
        folder: The project.
        answers: The answers that change.
        version: The version of the template; None for the project's own, "" for the newest.

    Raises:
        RefusedError: An answer is refused, or the template cannot be fetched.

    """
    with converting_errors() as copier:
        copier.run_update(
            folder,
            data=dict(answers),
            defaults=True,
            exclude=LEFT_OUT,
            overwrite=True,
            quiet=True,
            vcs_ref=copier.VcsRef.CURRENT if version is None else version or None,
        )


@contextmanager
def converting_errors() -> Iterator[Any]:
    """Yield Copier; its errors become RefusedError, and it prints nothing."""
    import copier.errors  # half a second, which a refused answer does not wait for
    import plumbum

    with (
        warnings.catch_warnings(),
        tempfile.TemporaryFile("w+") as sink,
        isolating_git(plumbum.local),
    ):
        warnings.simplefilter("ignore")
        with redirect_stdout(sink), redirect_stderr(sink):
            try:
                yield copier
            except plumbum.ProcessExecutionError as error:
                lines = (error.stderr or "").strip().splitlines() or [str(error)]
                raise RefusedError(f"cannot fetch the template: {lines[-1].strip()}") from None
            except (copier.errors.CopierError, ValueError, TypeError, yaml.YAMLError) as error:
                kind = AnswerError if PREFIX in str(error) else RefusedError
                raise kind(word_copier_error(str(error))) from None


@contextmanager
def isolating_git(local: Any) -> Iterator[None]:
    """Run Copier's git without the user's hooks and settings, and in no repository around it.

    Args:
        local: The environment of what plumbum runs.

    """
    before = dict(os.environ)
    own = build_own(before)
    with local.env():  # os.environ is for everything else
        local.env.clear()
        local.env.update(own)
        try:
            os.environ.clear()
            os.environ.update(own)
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)


def word_copier_error(message: str) -> str:
    """Return an error of Copier in one line; for a refused answer, the message of the check."""
    _, found, rest = message.partition(PREFIX)
    text = rest.partition(": ")[2] if found else message
    return " ".join(text.split())
