"""Compile each template once in a process, and render each project once in a run of the tests.

Copier takes a quarter of a second for a project, and most tests begin with one that another test
began with, too.
"""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType
from typing import Any

import copier
import pytest
from jinja2 import Environment

COMPILE = Environment.compile
RENDER = copier.run_copy
FOLDER = "HOOKWRIGHT_TESTS_RENDERED"  # the variable that names where rendered projects are kept
_compiled: dict[object, CodeType] = {}


@contextmanager
def caching(folder: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(FOLDER, str(folder))
        install(patch)
        yield


def install(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Environment, "compile", compile_once)
    patch.setattr(copier, "run_copy", render_once)


def compile_once(
    environment: Environment, source: str, name: str | None = None, filename: str | None = None
) -> CodeType:
    """Return the code of a template, compiled where none like it was: see Environment.compile.

    The file's name is only for tracebacks, and another one in each clone of a template.
    """
    made_of = (type(environment), environment.undefined, *sorted(environment.extensions))
    key = (*made_of, environment.lexer, environment.autoescape, name, source)
    if key not in _compiled:
        _compiled[key] = COMPILE(environment, source, name, filename)
    else:
        environment.preprocess(source, name, filename)  # forgets the path before, if that yields
    return _compiled[key]


def render_once(
    src_path: str, dst_path: Path | str = ".", data: dict[str, Any] | None = None, **options: Any
) -> None:
    """Render a project, or copy it from where the same was rendered before: see copier.run_copy."""
    destination = Path(dst_path)
    source = identify(src_path, data or {})
    is_new = not destination.exists() or not any(destination.iterdir())
    if not source or not is_new or FOLDER not in os.environ:
        RENDER(src_path, dst_path, data, **options)
        return
    answers = {name: answer for name, answer in (data or {}).items() if name != "_origin"}
    key = [source, destination.absolute().name, answers, options]
    digest = hashlib.sha256(json.dumps(key, default=repr).encode()).hexdigest()
    kept = Path(os.environ[FOLDER], digest)
    if not kept.exists():
        RENDER(src_path, dst_path, data, **options)
        keep(destination, kept)
        return
    shutil.copytree(kept, destination, symlinks=True, copy_function=copy, dirs_exist_ok=True)


def identify(src_path: str, data: dict[str, Any]) -> object:
    """Return what tells a template from all others, or None for one that is in a repository."""
    if origin := data.get("_origin"):
        return origin["commit"], origin["answers"]
    if not Path(src_path).is_dir() or Path(src_path, ".git").exists():
        return None
    paths = (Path(folder, name) for folder, _, names in os.walk(src_path) for name in names)
    return sorted(
        (str(path), path.stat().st_mtime_ns, path.stat().st_size)
        for path in paths
        if path.suffix != ".pyc"
    )


def keep(rendered: Path, kept: Path) -> None:
    """Keep a project for others, unless one of them was faster."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=kept.parent, prefix="."))
    shutil.copytree(rendered, folder / "project", symlinks=True, copy_function=copy)
    try:
        (folder / "project").rename(kept)
    except OSError:
        shutil.rmtree(folder)


def copy(source: str, destination: str) -> None:
    """Copy a file as if it were rendered now."""
    shutil.copy(source, destination, follow_symlinks=False)
