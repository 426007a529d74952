"""Compile each template once in a process, and not again for each project that Copier renders."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType

import pytest
from jinja2 import Environment

COMPILE = Environment.compile
_compiled: dict[object, CodeType] = {}


@contextmanager
def caching() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Environment, "compile", compile_once)
        yield


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
