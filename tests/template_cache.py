"""Compile each Jinja template once in a process, however many projects are rendered of it.

Copier makes a new environment for each project, and Jinja remembers what it compiled in one of them
alone: most of a rendering is to compile the same macros again.
"""

from types import CodeType

from jinja2 import Environment

_compile = Environment.compile
_compiled: dict[object, CodeType] = {}


def remember_templates() -> None:
    """Have the environments of this process share what each of them compiles."""
    Environment.compile = compile_once  # type: ignore[assignment, method-assign]


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
    return _compiled[key]
