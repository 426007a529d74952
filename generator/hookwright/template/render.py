"""Render and update projects with Copier, and report its errors in one line."""

import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from hookwright.git import build_own, run_git
from hookwright.template.store import find_kept_template, is_own
from hookwright_console.errors import RefusedError

PREFIX = "Validation error for question "  # before a message of the template's checks
# A template that renders into a repository's .git folder could make git run a program.
LEFT_OUT = ("[.][Gg][Ii][Tt]",)
# A template reads this if Copier does not know the repository that it renders from.
ORIGIN = "_origin"
EXACT = ("-c", "core.autocrlf=false")
ANSWERS_TEMPLATE = "template/{{ _copier_conf.answers_file }}.jinja"


class AnswerError(RefusedError):
    """The template rejects an answer."""


@dataclass(frozen=True)
class ExportedVersion:
    """A template version in a folder without git, so that Copier need not clone it each time."""

    folder: Path
    answers: Mapping[str, str]  # a project's `_commit` and `_src_path`
    commit: str  # the version's commit hash


def render(
    source: str,
    destination: Path,
    answers: Mapping[str, Any],
    version: str = "",
    exported: ExportedVersion | None = None,
    *,
    again: bool = False,
) -> None:
    """Render a project from a template without asking.

    Missing answers get their defaults, and a version of "" is the template's newest. `exported` is
    the exported version, if any. With `again`, an existing project keeps answers that the template
    would reject in a new project.
    """
    data = {**answers, **({ORIGIN: vars(exported)} if exported else {})}
    folder = destination.absolute()
    # Copier would run git for each file that it writes.
    is_plain = Path(source).is_dir() and not Path(source, ".git").exists()
    with converting_errors(git=exported is None and not is_plain) as copier:
        copier.run_copy(
            str(exported.folder if exported else source),
            folder,
            data=data,
            defaults=True,
            exclude=LEFT_OUT,
            overwrite=again,
            quiet=True,
            vcs_ref=None if exported else version or None,
        )


def export_version(source: str, version: str, folder: Path) -> ExportedVersion | None:
    """Export a version of a local template to a new folder.

    A release's repository is exported from the kept copy. Returns None for another kind of
    template, or for a template that cannot write its location into the answers.
    """
    repository = str(find_kept_template()) if is_own(source) else source
    if not version or not (Path(repository) / ".git").exists():
        return None
    clone = ("clone", "--quiet", "--shared", "--no-checkout", repository, str(folder))
    try:
        run_git(folder.parent, *EXACT, *clone)
        run_git(folder, *EXACT, "checkout", "--quiet", "--detach", version)
        commit = run_git(folder, "rev-parse", "HEAD")
        shutil.rmtree(folder / ".git")
        tells = ORIGIN in (folder / ANSWERS_TEMPLATE).read_text("utf-8")
    except (RefusedError, OSError, ValueError):
        return None
    if not tells or (folder / ".gitmodules").exists():
        return None
    return ExportedVersion(folder, {"_commit": version, "_src_path": source}, commit)


@contextmanager
def converting_errors(*, git: bool) -> Iterator[Any]:
    """Yield Copier, with or without git; its errors become RefusedError, and it prints nothing."""
    import copier.errors  # takes half a second, which a rejected answer does not need
    import plumbum

    with (
        warnings.catch_warnings(),
        tempfile.TemporaryFile("w+") as sink,
        isolating_git(plumbum.local, git=git),
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
                # For a rejected answer, report only the check's message.
                _, _, detail = str(error).rpartition(PREFIX)
                line = detail.partition(": ")[2] if kind is AnswerError else detail
                raise kind(" ".join(line.split())) from None


@contextmanager
def isolating_git(local: Any, *, git: bool) -> Iterator[None]:
    """Run Copier's git without the user's hooks and settings, and outside any repository.

    The current folder may be in an untrusted repository, whose settings can name programs to run.
    """
    before = dict(os.environ)
    with (
        tempfile.TemporaryDirectory(prefix="hookwright-") as nowhere,
        local.cwd(nowhere),
        local.env(),  # os.environ applies to everything else
    ):
        own = build_own(before) | {"GIT_CEILING_DIRECTORIES": str(Path(nowhere).parent)}
        own |= {} if git else {"PATH": os.devnull}
        local.env.clear()
        local.env.update(own)
        try:
            os.environ.clear()
            os.environ.update(own)
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)
