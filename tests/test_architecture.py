"""Packages, folders and modules import in one direction only, so that each can be read alone."""

import ast
from collections.abc import Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from .support.project import ROOT

FOLDERS = ("console", "generator", "server")


@cache
def list_modules() -> dict[str, Path]:
    modules = {}
    for folder in FOLDERS:
        for package in (ROOT / folder).iterdir():
            for path in package.rglob("*.py") if (package / "__init__.py").exists() else ():
                parts = path.relative_to(ROOT / folder).with_suffix("").parts
                modules[".".join(parts).removesuffix(".__init__")] = path
    return modules


@cache
def list_imports(path: Path) -> list[str]:
    imports: list[str] = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            imports += [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            imports += [alias.name for alias in node.names]
    return imports


def cut(module: str, depth: int) -> str:
    return ".".join(module.split(".")[:depth])


def group(imports: Mapping[str, set[str]], depth: int) -> dict[str, set[str]]:
    """Return the imports of each package, folder or module at a depth, except imports of itself."""
    groups: dict[str, set[str]] = {}
    for module, used in imports.items():
        own = cut(module, depth)
        groups.setdefault(own, set()).update({cut(name, depth) for name in used} - {own})
    return groups


def test_imports_are_acyclic() -> None:
    modules = list_modules()
    assert len(modules) > 300
    imports = {
        module: {
            name if name in modules else name.rpartition(".")[0] for name in list_imports(path)
        }
        for module, path in modules.items()
    }
    deepest = max(module.count(".") for module in modules) + 1
    for depth in range(1, deepest + 1):
        groups = group(imports, depth)
        try:
            TopologicalSorter(groups).prepare()
        except CycleError as error:
            raise AssertionError(" -> ".join(error.args[1])) from None


def test_programs_do_not_import_each_other() -> None:
    others = {"hookwright": "lesson_search", "lesson_search": "hookwright"}
    for module, path in list_modules().items():
        used = {cut(name, 1) for name in list_imports(path)}
        assert others.get(cut(module, 1)) not in used, module
