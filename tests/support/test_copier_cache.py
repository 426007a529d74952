"""What is compiled once renders as what is compiled for each project."""

from pathlib import Path

import pytest
from jinja2 import Environment

from .copier_cache import COMPILE
from .dialects import EVERY_KIND, OTHERS
from .project import GITLAB, KUBERNETES, render
from .rendered_project import read_files


def test_projects_are_the_same(
    template: Path, dialects: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Environment, "compile", COMPILE)
    anew = render(
        template,
        tmp_path / "my-hooks",
        hooks=["docsearch", "tool_routing", "lesson_search"],
        clients=["claude", *OTHERS],
        databases=[GITLAB, KUBERNETES],
        routes=EVERY_KIND,
    )
    assert read_files(anew) == read_files(dialects)
