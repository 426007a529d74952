"""Read modules' definitions from source with griffe, without importing the modules.

Griffe's own loader is not used, because it reads .pth files and may import modules.
"""

import errno
import logging
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from importlib.util import decode_source
from pathlib import Path
from typing import Any, TypeVar

import griffe

from hookwright_console.files.regular import open_regular
from hookwright_documentation.sources.python_packages.environments import name_module

MAX_SOURCE = 2_000_000  # bytes of a module; its syntax tree takes a hundred times as much memory

T = TypeVar("T")
Reading = Callable[[str], AbstractContextManager[None]]  # limits the time for reading an item


class Definitions:
    """Reads packages' modules one at a time, and collects their definitions."""

    def __init__(self, empty: Path, reading: Reading) -> None:
        logging.getLogger("griffe").setLevel(logging.CRITICAL)
        # Modules by name, including all their definitions and imports.
        self.modules: dict[str, griffe.Module] = {}
        self.paths: dict[str, Path] = {}  # each module's file, relative to the package's folder
        self.unread: dict[str, str] = {}  # reasons for omitting modules, by file
        self.size = 0
        self._reading = reading
        self._extensions = griffe.load_extensions()
        self._loader = griffe.GriffeLoader(
            extensions=self._extensions, search_paths=[empty], allow_inspection=False
        )
        self._collection = self._loader.modules_collection
        self._shared: dict[str, Any] = {
            "lines_collection": self._loader.lines_collection,
            "modules_collection": self._collection,
        }

    def attempt(self, name: str, take: Callable[[], T]) -> T | None:
        """Read an item within the time limit; if that fails for any reason, return None."""
        try:
            with self._reading(name):
                return take()
        except Exception as error:  # noqa: BLE001 - whatever is in a module
            self.unread[name] = explain_unread(error)
        return None

    def read(self, folder: Path, path: Path) -> None:
        """Read a module; a stub completes the definitions in a source that was read before."""
        self.attempt(path.as_posix(), lambda: self._read_module(folder, path))

    def link(self) -> None:
        for module in self._collection.members.values():
            self.attempt(f"{module.path} (its imports)", partial(self._link_package, module))

    def _link_package(self, module: griffe.Module) -> None:
        self._loader.expand_exports(module)
        self._loader.expand_wildcards(module, external=False)
        self._extensions.call("on_package", pkg=module, loader=self._loader)

    def _read_module(self, folder: Path, path: Path) -> None:
        if not (folder / path).resolve().is_relative_to(folder.resolve()):
            raise OSError(errno.EINVAL, "a link to elsewhere")
        with open_regular(folder / path) as file:
            body = file.read(MAX_SOURCE + 1)
        if len(body) > MAX_SOURCE:
            raise ValueError(f"over {MAX_SOURCE:,} bytes")
        self.size += len(body)
        name = name_module(path)
        *above, own = name.split(".")
        parent = self._find_parent(folder, above)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the compiler warns about invalid escapes, for example
            module = griffe.visit(
                own,
                folder / path,
                decode_source(body),
                extensions=self._extensions,
                parent=parent,
                docstring_parser="auto",
                **self._shared,
            )
        if known := self.modules.get(name):  # true if a module has both a source and a stub
            self.modules[name] = griffe.merge_stubs(known, module)
        else:
            self.paths[name] = path
            self._add(name, module, parent)

    def _find_parent(self, folder: Path, names: list[str]) -> griffe.Module | None:
        """Return the package of a module; create it if it has no file."""
        parent: griffe.Module | None = None
        for number, name in enumerate(names, 1):
            path = ".".join(names[:number])
            if path not in self.modules:
                place = folder / Path(*names[:number])
                package = griffe.Module(name, filepath=[place], parent=parent, **self._shared)
                self._add(path, package, parent)
            parent = self.modules[path]
        return parent

    def _add(self, path: str, module: griffe.Module, parent: griffe.Module | None) -> None:
        (parent or self._collection).set_member(module.name, module)
        self.modules[path] = module


def explain_unread(error: BaseException) -> str:
    if isinstance(error, SyntaxError):
        return f"line {error.lineno or 1} is not Python"
    if isinstance(error, RecursionError | MemoryError):
        return "nested too deeply, or too large"
    if isinstance(error, OSError):
        return error.strerror or "cannot be read"
    return str(error) if isinstance(error, ValueError) else "cannot be read"
