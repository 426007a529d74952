"""Prepare an interpreter to run hookwright: import its modules and compile its template."""

import tempfile
from importlib import import_module
from pathlib import Path

import pytest

from hookwright.cli.main import COMMANDS
from hookwright.template.render import render
from hookwright.template.store import copy_template

from .copier_cache import install
from .project import GITLAB, ROUTES

for command in COMMANDS.values():
    import_module(command.place.partition(":")[0])
install(pytest.MonkeyPatch())
with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    answers = {"hooks": ["docsearch", "tool_routing", "lesson_search"], "databases": [GITLAB]}
    render(
        str(copy_template(folder / "template")), folder / "my-hooks", {**answers, "routes": ROUTES}
    )
