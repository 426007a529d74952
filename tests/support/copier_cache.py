"""Do once in a process what Copier does again for each project of the same template.

It makes a new Jinja environment for each, which compiles the same macros again, and clones a
repository up to five times to update one project.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import CodeType

import copier._main
import copier._template
import pytest
from copier._vcs import clone, get_repo
from jinja2 import Environment

from hookwright.project.git import run_git

_compile = Environment.compile
_compiled: dict[object, CodeType] = {}


@contextmanager
def caching(folder: Path) -> Iterator[None]:
    """Have Copier take what this process has compiled and cloned before, in a `with` block.

    Args:
        folder: Where the clones are kept, which is not there yet.

    """

    def clone_once(url: str, ref: str = "HEAD", location: str | None = None) -> str:
        key = (url, ref, *read_refs(Path(url)))
        # At its HEAD, Copier takes what is not committed as well.
        if ref == "HEAD" or location is None or key == (url, ref):
            return clone(url, ref, location)
        if key not in cloned:
            cloned[key] = clone(url, ref, str(folder / str(len(cloned))))
            pack(Path(cloned[key]))
        return str(
            shutil.copytree(
                cloned[key], location, symlinks=True, copy_function=os.link, dirs_exist_ok=True
            )
        )

    cloned: dict[object, str] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Environment, "compile", compile_once)
        patch.setattr(copier._template, "clone", clone_once)  # noqa: SLF001 - no other way in
        # It asks git about each file that it writes, for file systems that keep no modes.
        patch.setattr(copier._main, "is_git_available", lambda: False)  # noqa: SLF001
        patch.setattr(copier._template, "get_repo", find_repository)  # noqa: SLF001
        yield


def find_repository(url: str) -> str | None:
    folder = Path(url)
    is_plain = (folder / "copier.yml").is_file() and not (folder / ".git").exists()
    return None if is_plain else get_repo(url)


def pack(repository: Path) -> None:
    run_git(repository, "gc", "--quiet", "--prune=now")
    shutil.rmtree(repository / ".git" / "hooks", ignore_errors=True)
    for path in (repository / ".git" / "objects").iterdir():
        with suppress(OSError):  # it is not empty
            path.rmdir()


def read_refs(repository: Path) -> list[tuple[str, bytes]]:
    """Return what the references of a repository on this machine are; none for any other."""
    folder = repository / ".git"
    paths = [folder / "HEAD", folder / "packed-refs", *sorted(folder.glob("refs/**/*"))]
    return [(str(path), path.read_bytes()) for path in paths if path.is_file()]


def compile_once(
    environment: Environment, source: str, name: str | None = None, filename: str | None = None
) -> CodeType:
    """Return the code of a template, compiled where none like it was: see Environment.compile.

    The file's name is only for tracebacks, and another one in each clone of a template.
    """
    made_of = (type(environment), environment.undefined, *sorted(environment.extensions))
    key = (*made_of, environment.lexer, environment.autoescape, name, source)
    if key not in _compiled:
        _compiled[key] = _compile(environment, source, name, filename)
    else:
        environment.preprocess(source, name, filename)  # forgets the path before, if that yields
    return _compiled[key]
