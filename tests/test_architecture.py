"""Packages use each other one way, so that each can be read without those that use it."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from .support.project import ROOT

FOLDERS = ("console", "generator", "server")
MUTUAL = {
    # What is added to a project knows what its answers may be; that is in its template.
    ("hookwright.answers", "hookwright.project"),
    # The text of a record in an editor says what its keywords mean, too.
    ("hookwright.answers", "hookwright.discovery"),
    # A client is described in the template, which `project` keeps; its installer knows the clients.
    ("hookwright.clients", "hookwright.project"),
}


def list_modules() -> dict[str, Path]:
    found = {}
    for folder in FOLDERS:
        for package in (ROOT / folder).iterdir():
            for path in package.rglob("*.py") if (package / "__init__.py").exists() else ():
                parts = path.relative_to(ROOT / folder).with_suffix("").parts
                found[".".join(parts).removesuffix(".__init__")] = path
    return found


def list_imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_no_two_packages_import_each_other() -> None:
    imports = {module: list(list_imports(path)) for module, path in list_modules().items()}
    assert len(imports) > 400
    for depth, known in ((1, set()), (2, MUTUAL)):
        used: defaultdict[str, set[str]] = defaultdict(set)
        for module, names in imports.items():
            own = ".".join(module.split(".")[:depth])
            used[own] |= {".".join(name.split(".")[:depth]) for name in names}
        mutual = {
            (one, other)
            for one in used
            for other in used[one]
            if one < other and one in used.get(other, ())
        }
        assert mutual == known
