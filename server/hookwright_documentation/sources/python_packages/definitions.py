"""Read modules' definitions from source with griffe, without importing the modules.

Griffe's own loader is not used, because it reads .pth files and may import modules.
"""

import errno
import logging
import warnings
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

import griffe

from hookwright_console.files.regular import open_regular
from hookwright_documentation.sources.python_packages.environments import name_module

MAX_SOURCE = 2_000_000  # bytes of a module; its syntax tree takes a hundred times as much memory

Reading = Callable[[str], AbstractContextManager[None]]  # limits the time for reading an item


@dataclass
class Definitions:
    """The definitions found in packages."""

    # Modules by name, including all their definitions and imports.
    modules: dict[str, griffe.Module] = field(default_factory=dict)
    # Each module's file, relative to the package's folder.
    paths: dict[str, Path] = field(default_factory=dict)
    unread: dict[str, str] = field(default_factory=dict)  # reasons for omitting modules, by file


class Reader:
    """Reads modules one at a time."""

    def __init__(self, empty: Path, reading: Reading) -> None:
        logging.getLogger("griffe").setLevel(logging.CRITICAL)
        self.found = Definitions()
        self.size = 0
        self._reading = reading
        self._extensions = griffe.load_extensions()
        self._loader = griffe.GriffeLoader(
            extensions=self._extensions, search_paths=[empty], allow_inspection=False
        )
        self._collection = self._loader.modules_collection

    def read(self, folder: Path, paths: Iterable[Path], go_on: Callable[[], bool]) -> None:
        """Read a package's modules; stubs complete the definitions in sources."""
        # Sort packages before the modules they contain.
        for path in sorted(paths, key=lambda path: (name_module(path), path.suffix)):
            if not go_on():
                return
            try:
                with self._reading(path.as_posix()):
                    self._read_module(folder, path)
            except Exception as error:  # noqa: BLE001 - whatever is in a module
                self.found.unread[path.as_posix()] = explain(error)

    def link(self) -> None:
        for module in self._collection.members.values():
            self._link_package(module)

    def _link_package(self, module: griffe.Module) -> None:
        try:
            with self._reading(module.path):
                self._loader.expand_exports(module)
                self._loader.expand_wildcards(module, external=False)
                self._extensions.call("on_package", pkg=module, loader=self._loader)
        except Exception as error:  # noqa: BLE001 - whatever is in a package
            self.found.unread[f"{module.path} (its imports)"] = explain(error)

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
                decode(body),
                extensions=self._extensions,
                parent=parent,
                docstring_parser="auto",
                lines_collection=self._loader.lines_collection,
                modules_collection=self._collection,
            )
        if known := self.found.modules.get(name):  # true if a module has both a source and a stub
            module = griffe.merge_stubs(known, module)
        else:
            self.found.paths[name] = path
            (parent or self._collection).set_member(own, module)
        self.found.modules[name] = module

    def _find_parent(self, folder: Path, names: list[str]) -> griffe.Module | None:
        """Return the package of a module; create it if it has no file."""
        parent: griffe.Module | None = None
        for number, name in enumerate(names, 1):
            path = ".".join(names[:number])
            module = self.found.modules.get(path)
            if module is None:
                module = griffe.Module(
                    name,
                    filepath=[folder / Path(*names[:number])],
                    parent=parent,
                    lines_collection=self._loader.lines_collection,
                    modules_collection=self._collection,
                )
                (parent or self._collection).set_member(name, module)
                self.found.modules[path] = module
            parent = module
        return parent


def decode(body: bytes) -> str:
    """Decode a source in its declared encoding, if any; raises SyntaxError, ValueError."""
    import io
    import tokenize

    encoding, _ = tokenize.detect_encoding(io.BytesIO(body).readline)
    return body.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")


def explain(error: BaseException) -> str:
    if isinstance(error, SyntaxError):
        return f"line {error.lineno or 1} is not Python"
    if isinstance(error, RecursionError | MemoryError):
        return "nested too deeply, or too large"
    if isinstance(error, UnicodeDecodeError):
        return "its encoding is unknown"
    if isinstance(error, OSError):
        return error.strerror or "cannot be read"
    return str(error) if isinstance(error, ValueError) else "cannot be read"
