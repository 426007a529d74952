"""The examples are valid answers, and the rendered one is what would be rendered now."""

import json
from pathlib import Path

import pytest
import yaml

from project import ROOT, render, run_hook, search_event
from refresh import RENDERED, render_example

EXAMPLES = ROOT / "examples"
ANSWERS = sorted([*EXAMPLES.glob("*.yml"), *EXAMPLES.glob("*.json")])


def read_tree(folder: Path) -> dict[str, bytes]:
    """Return the content of the files of a rendered project, but for what running it leaves."""
    paths = [path for path in folder.rglob("*") if path.is_file()]
    left = {"__pycache__", ".pytest_cache"}
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in paths
        if not left & set(path.parts)
    }


@pytest.mark.parametrize("path", ANSWERS, ids=lambda path: path.name)
def test_example_renders(template: Path, tmp_path: Path, config: Path, path: Path) -> None:
    """Each file of answers renders as it is, and each of its databases is found by its keywords."""
    answers = yaml.safe_load(path.read_text("utf-8"))
    hook = render(template, tmp_path / "project", **answers) / "hooks" / "docsearch.py"
    for database in answers["databases"]:
        for keyword in database["keywords"]:
            answer = run_hook(hook, search_event(f"how to {keyword}"), config)
            assert f"for {database['description']} at " in answer.output["additionalContext"]


def test_rendered_example_is_in_step(tmp_path: Path) -> None:
    """examples/rendered/ is what devops.yml renders to now."""
    if read_tree(render_example(tmp_path / "project")) != read_tree(RENDERED):
        pytest.fail("examples/rendered/ is out of step: run `make examples`", pytrace=False)


def test_rendered_example_names_no_folder() -> None:
    """Nothing in examples/rendered/ says where it was rendered."""
    _, _, answers = (RENDERED / ".copier-answers.yml").read_text("utf-8").partition("\n")
    assert not [key for key in json.loads(answers) if key.startswith("_")]
