"""`hookwright try` uses a hook's trace, not its debug lines or docstrings."""

import ast
import json
import shutil
from pathlib import Path

import pytest

from ...support.command_line import CommandLine
from ...support.hypothesis_profiles import mark_long
from ...support.installer import pretend_installed
from ...support.project import GITHUB_API, GITLAB, KUBERNETES, PULL_REQUEST, render

RUST = {**GITLAB, "name": "rust", "keywords": ["rust"], "with": ["cargo"], "unless": ["car"]}
ROUTES = {
    "ours": {"pattern": "//github[.]com/ours/", "action": "allow"},
    "other": {"pattern": "github", "message": "Never", "tool": "mcp__.*fetch"},
    "missing": {"pattern": "github", "message": "Never", "requires": "hookwright-missing"},
    "once": {**PULL_REQUEST, "once": True},
    "docs": {"pattern": "docs[.]example", "message": "Known", "action": "warn"},
    "api": GITHUB_API,
}
CALLS = [
    ["how to cache in gitlab on k8s"],
    ["rust"],
    ["rust cargo"],
    ["rust on a car"],
    ["weather"],
    ["https://github.com/a/b/pull/1"],
    ["https://github.com/ours/b"],
    ["https://docs.example/"],
    ["--bash", "curl https://api.github.com/users"],
    ["--tool", "WebSearch", "--input", '{"query": "x", "allowed_domains": 5}'],
    ["--tool", "WebSearch", "--input", '{"query": "x", "allowed_domains": ["docs.gitlab.com"]}'],
]
DOCUMENTED = (ast.Module, ast.FunctionDef)


class Rewording(ast.NodeTransformer):
    """Replaces all debug explanations and docstrings of a hook."""

    def visit_Call(self, call: ast.Call) -> ast.Call:  # name required by ast
        self.generic_visit(call)
        if isinstance(call.func, ast.Name) and call.func.id == "explain":
            call.args = [ast.Constant("reworded")]
        return call

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node):
            node.body[0] = ast.Expr(ast.Constant("Reworded."))
        return node


@pytest.fixture(scope="module")
def original(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    databases = [{**GITLAB, "domains": ["docs.gitlab.com"]}, KUBERNETES, RUST]
    folder = tmp_path_factory.mktemp("worded") / "my-hooks"
    return render(template, folder, databases=databases, routes=ROUTES)


@pytest.fixture(scope="module")
def reworded(original: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reworded") / "my-hooks"
    shutil.copytree(original, folder)
    for hook in (folder / "hooks").glob("*.py"):
        code = ast.unparse(Rewording().visit(ast.parse(hook.read_text("utf-8"))))
        assert "explain('reworded')" in code
        hook.write_text(code, "utf-8")
    return folder


@pytest.mark.long
@pytest.mark.parametrize("form", [["--json"], *mark_long([[]])])
def test_calls_are_answered_identically(
    hookwright_line: CommandLine, original: Path, reworded: Path, form: list[str]
) -> None:
    pretend_installed(reworded)
    for words in CALLS:
        first, second = (
            hookwright_line.output("try", *words, *form, "--project", folder)
            for folder in (original, reworded)
        )
        assert first == second


def test_corpus_is_counted_identically(
    hookwright_line: CommandLine, original: Path, reworded: Path
) -> None:
    pretend_installed(reworded)
    corpus = hookwright_line.folder / "corpus"
    corpus.write_text("\n".join(words[-1] for words in CALLS if len(words) < 3))
    first, second = (
        json.loads(hookwright_line.output("try", "--corpus", corpus, "--json", "--project", folder))
        for folder in (original, reworded)
    )
    assert first == second
    assert first["does"] == {"deny": 3, "warn": 1, "allow": 5}
    fired = {record["record"] for record in first["records"] if record["fired"]}
    assert {"gitlab", "kubernetes", "rust", "once", "docs"} <= fired
