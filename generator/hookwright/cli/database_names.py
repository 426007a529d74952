"""The argument that names a documentation database, which a shell completes."""

from typing import Annotated

import typer

from hookwright_console.errors import RefusedError
from hookwright_console.text import suggest
from hookwright_documentation.databases import list_names

NO_DATABASES = "no documentation databases yet: make one with hookwright setup"


def complete_name(incomplete: str) -> list[str]:
    return [name for name in list_names() if name.startswith(incomplete)]


DatabaseName = Annotated[
    str, typer.Argument(help="A database in hookwright docs.", autocompletion=complete_name)
]


def refuse_unknown(name: str) -> RefusedError:
    known = list_names()
    if not known:
        return RefusedError(NO_DATABASES)
    near = suggest(name, known)
    return RefusedError(f"no documentation database '{name}': {near or 'see hookwright docs'}")
