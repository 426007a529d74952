"""Cached projects are identical to rendered ones."""

import os
from pathlib import Path

import copier
import pytest
from jinja2 import Environment

from .copier_cache import COMPILE, RENDER
from .project import GITLAB, KUBERNETES, ROUTES, copy_template, render
from .rendered_project import read_files


@pytest.mark.long
def test_projects_are_the_same(
    template: Path, both: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = {"databases": [GITLAB, KUBERNETES], "routes": ROUTES}
    again = render(template, tmp_path / "again" / "my-hooks", **answers)
    monkeypatch.setattr(Environment, "compile", COMPILE)
    monkeypatch.setattr(copier, "run_copy", RENDER)
    anew = render(template, tmp_path / "my-hooks", **answers)
    assert read_files(anew) == read_files(again) == read_files(both)
    modes, others = (
        {path.name: os.access(path, os.X_OK) for path in project.rglob("*")}
        for project in (anew, again)
    )
    assert modes == others


def test_another_template_is_rendered_anew(tmp_path: Path) -> None:
    answers = {"databases": [GITLAB, KUBERNETES]}
    own = copy_template(tmp_path / "template")
    project = render(own, tmp_path / "before" / "my-hooks", **answers)
    (own / "template" / "README.md.jinja").write_text("another", "utf-8")
    other = render(own, tmp_path / "after" / "my-hooks", **answers)
    assert (other / "README.md").read_text("utf-8") == "another"
    assert (project / "README.md").read_text("utf-8") != "another"
