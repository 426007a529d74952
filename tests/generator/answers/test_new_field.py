"""A field added to the schema takes effect everywhere."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from hookwright.project.rendered_hooks import read_databases, read_routes
from hookwright.project.rendered_hooks import read_tables as read_constants

from ...support.command_line import run_hookwright
from ...support.forked_scripts import Forks
from ...support.project import GITLAB, KUBERNETES, PULL_REQUEST, ROOT, copy_template, render
from ...support.pseudo_terminal import ENTER, open_terminal
from ...support.rendered_project import read_answers, read_tables

OWNER = {"type": "string", "description": "Who looks after it."}
OWNED: dict[str, Any] = {**GITLAB, "owner": "the tools team"}
ROUTE: dict[str, Any] = {**PULL_REQUEST, "owner": "the web team"}


@dataclass(frozen=True)
class Tree:
    """A copy of this repository with an extra schema field, and a project rendered from it."""

    folder: Path
    project: Path
    forks: Forks

    @property
    def path(self) -> str:
        return os.pathsep.join(str(self.folder / name) for name in ("generator", "console"))

    def run(self, *words: str | Path) -> str:
        completed = subprocess.run(
            [sys.executable, *words], capture_output=True, check=False, cwd=self.folder, text=True
        )
        assert completed.returncode == 0, completed.stdout + completed.stderr
        return completed.stdout

    def call(self, *words: str | Path, **environment: str) -> str:
        ended = run_hookwright(*words, folder=self.project, forks=self.forks, **environment)
        assert ended.code == 0, ended
        return ended.output


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    folder = copy_template(tmp_path_factory.mktemp("grown") / "tree")
    for part in ("console", "docs", "examples", "generator"):  # these contain compiled files
        shutil.copytree(ROOT / part, folder / part, dirs_exist_ok=True)
    path = folder / "generator" / "schema.json"
    schema = json.loads(path.read_text("utf-8"))
    for record in ("database", "route"):
        schema["definitions"][record]["properties"]["owner"] = OWNER
    path.write_text(json.dumps(schema, indent=2))
    project = folder.parent / "my-hooks"
    render(folder, project, databases=[OWNED, KUBERNETES], routes={"pr": ROUTE})
    return Tree(folder, project, Forks(prepare="tests.support.warm_hookwright"))


@pytest.fixture
def tree(grown: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    monkeypatch.setenv("PYTHONPATH", grown.path)
    return replace(grown, project=shutil.copytree(grown.project, tmp_path / "my-hooks"))


@pytest.mark.long
def test_field_is_rendered_with_its_record(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_tables(tree.project).databases[0]["owner"] == "the tools team"
    constants = read_constants(tree.project / "hooks" / "docsearch.py")
    assert read_databases(constants) == [OWNED, KUBERNETES]
    constants = read_constants(tree.project / "hooks" / "tool_routing.py")
    assert read_routes(constants)["pr"]["owner"] == "the web team"
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    tests = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "answers_and_tables_agree")
    assert "2 passed" in tree.run(*tests, tree.project)


@pytest.mark.long
def test_edit_preserves_the_field(tree: Tree, tmp_path: Path) -> None:
    script = tmp_path / "editor"
    script.write_text('#!/bin/sh\nsed -i "s/retry_window: 300/retry_window: 60/" "$1"\n')
    script.chmod(0o755)
    tree.call("edit", "--yes", EDITOR=str(script))
    answers = read_answers(tree.project)
    assert (answers["retry_window"], answers["databases"][0]) == (60, OWNED)


@pytest.mark.long
def test_field_has_an_option(tree: Tree) -> None:
    database = ("--keyword", "helm", "--path", "/docs/helm", "--tool", "mcp__x__y")
    owned = ("--owner", "me", "--yes")
    tree.call("add", "database", *database, "--description", "Helm documentation", *owned)
    assert read_tables(tree.project).databases[2]["owner"] == "me"
    for record in ("database", "route"):
        lines = tree.call("add", record, "--help").splitlines()
        assert any("--owner" in line and OWNER["description"] in line for line in lines)


@pytest.mark.long
def test_wizard_asks_for_the_field(tree: Tree) -> None:
    words = ("add", "database", "--domain", "x.org")
    with open_terminal(*words, folder=tree.project, forks=tree.forks) as terminal:
        terminal.answer("Which keywords", "tf" + ENTER)
        terminal.answer("What is it?")
        terminal.answer("Which tool", "mcp__leann__leann_search" + ENTER)
        terminal.answer("With which other arguments?")
        terminal.answer("Where is it?", "/docs/tf" + ENTER)
        terminal.answer("owner: Who looks after it.", "me" + ENTER)
        terminal.answer("What next?")
        terminal.answer("Add the database tf, as above?", "y" + ENTER)
        terminal.see("Add the database tf: done")
        terminal.end()
    assert read_answers(tree.project)["databases"][2]["owner"] == "me"


@pytest.mark.long
def test_field_is_listed(tree: Tree) -> None:
    listed = json.loads(tree.call("list", "--json"))
    assert listed == {"databases": [OWNED, KUBERNETES], "routes": {"pr": ROUTE}}


@pytest.mark.long
def test_field_is_documented(tree: Tree, tmp_path: Path) -> None:
    page = tmp_path / "answers.md"
    tree.run(tree.folder / "docs" / "write_answers.py", page)
    row = "| `owner` | `--owner` |  | Who looks after it. | a line of text |  |"
    assert page.read_text("utf-8").count(row) == 2


@pytest.mark.long
def test_invalid_field_value_is_rejected(tree: Tree, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"databases\[0\]: owner is 5, not text: put it in quotes"):
        render(tree.folder, tmp_path / "bad", databases=[{**GITLAB, "owner": 5}])


def test_documentation_is_up_to_date(tmp_path: Path) -> None:
    page = tmp_path / "answers.md"
    subprocess.run([sys.executable, ROOT / "docs" / "write_answers.py", page], check=True)
    same = page.read_text("utf-8") == (ROOT / "docs" / "answers.md").read_text("utf-8")
    assert same, "docs/answers.md is not up to date: run .venv/bin/python docs/write_answers.py"
