"""Parse and compile each template once per process, and render each project once per test run.

Copier takes a quarter of a second per project, and most tests start from a project that other tests
also use.
"""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from types import CodeType
from typing import Any

import copier
import pytest
from copier import _template
from jinja2 import Environment

COMPILE = Environment.compile
READ_CONFIG = _template.load_template_config
RENDER = copier.run_copy
FOLDER = "HOOKWRIGHT_TESTS_RENDERED"  # environment variable for the folder of rendered projects
_compiled: dict[object, CodeType] = {}
_configs: dict[bytes, dict[str, Any]] = {}


@contextmanager
def caching(folder: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(FOLDER, str(folder))
        install(patch)
        yield


def install(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Environment, "compile", compile_once)
    patch.setattr(_template, "load_template_config", read_config_once)
    patch.setattr(copier, "run_copy", render_once)


def read_config_once(path: Path, *, quiet: bool = False) -> dict[str, Any]:
    """Return a copier.yml's parsed content from a cache; parsing takes a fifth of Copier's time."""
    content = path.read_bytes()
    if content not in _configs:
        _configs[content] = READ_CONFIG(path, quiet)
    return deepcopy(_configs[content])


def compile_once(
    environment: Environment, source: str, name: str | None = None, filename: str | None = None
) -> CodeType:
    """Return a template's compiled code, from a cache if possible; replaces Environment.compile.

    The cache key omits the file name, which appears only in tracebacks and differs in each clone.
    """
    made_of = (type(environment), environment.undefined, *sorted(environment.extensions))
    key = (*made_of, environment.lexer, environment.autoescape, name, source)
    if key not in _compiled:
        _compiled[key] = COMPILE(environment, source, name, filename)
    else:
        environment.preprocess(source, name, filename)  # resets the path that an extension stores
    return _compiled[key]


def render_once(
    src_path: str, dst_path: Path | str = ".", data: dict[str, Any] | None = None, **options: Any
) -> None:
    """Render a project, or copy an identical one rendered earlier; replaces copier.run_copy."""
    destination = Path(dst_path)
    source = identify(src_path, data or {})
    is_new = not destination.exists() or not any(destination.iterdir())
    if not source or not is_new or FOLDER not in os.environ:
        RENDER(src_path, dst_path, data, **options)
        return
    answers = {name: answer for name, answer in (data or {}).items() if name != "_origin"}
    key = [source, destination.absolute().name, answers, options]
    digest = hashlib.sha256(json.dumps(key, default=repr).encode()).hexdigest()
    saved = Path(os.environ[FOLDER], digest)
    if not saved.exists():
        RENDER(src_path, dst_path, data, **options)
        keep(destination, saved)
        return
    shutil.copytree(saved, destination, symlinks=True, copy_function=copy, dirs_exist_ok=True)


def identify(src_path: str, data: dict[str, Any]) -> object:
    """Return a key that identifies a template, or None for a template in a git repository."""
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
    """Save a project for other tests, unless another process has already saved it."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=kept.parent, prefix="."))
    shutil.copytree(rendered, folder / "project", symlinks=True, copy_function=copy)
    try:
        (folder / "project").rename(kept)
    except OSError:
        shutil.rmtree(folder)


def copy(source: str, destination: str) -> None:
    """Copy a file and set its time to now, as if it had just been rendered."""
    shutil.copy(source, destination, follow_symlinks=False)
