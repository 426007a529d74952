"""Choose the source files of a package that hold its API."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from hookwright_console.folder_walk import walk
from hookwright_documentation.sources.python_packages.environments import (
    COMPILED,
    SOURCES,
    Distribution,
    explain_missing,
    find_distribution,
    find_site_folders,
    list_packages,
    list_recorded,
)

NO_API = frozenset(("tests", "_vendor", "vendored", "__pycache__", "node_modules"))
NO_API_FILES = ("test_", "conftest.", "__main__.")
MAX_FILES = 100_000  # that are looked at


@dataclass(frozen=True)
class PackageFiles:
    """The source files of a distribution or package."""

    name: str  # what the user called it
    distribution: Distribution | None  # the distribution; None for a package that none holds
    folder: Path  # the folder that the paths are relative to
    paths: tuple[Path, ...]  # the source files, below the folder
    compiled: tuple[str, ...]  # the modules that have no source or stub, by their names

    @property
    def title(self) -> str:
        """The name and version, for people and agents."""
        if not self.distribution:
            return self.name
        return f"{self.distribution.name} {self.distribution.version}".strip()


def find_files(name: str, environment: Path) -> PackageFiles:
    """Return the source files of a distribution, or of a package that can be imported.

    Raises:
        RefusedError: It is not there.

    """
    folders = find_site_folders(environment)
    if distribution := find_distribution(name, folders):
        recorded = list_recorded(distribution.description)
        found = recorded or list(walk_packages(distribution.folder, list_packages(distribution)))
        if found:
            return choose_files(name, distribution, distribution.folder, found)
    for folder in folders:
        if name.isidentifier() and (found := list(walk_packages(folder, [name]))):
            return choose_files(name, distribution, folder, found)
    raise explain_missing(name, environment, distribution)


def choose_files(
    name: str, distribution: Distribution | None, folder: Path, found: Iterable[Path]
) -> PackageFiles:
    wanted = sorted({path for path in found if may_be_api(path)})
    named = {name_module(path) for path in wanted}
    paths = tuple(path for path in wanted if path.suffix in SOURCES)
    sources = {name_module(path) for path in paths}
    return PackageFiles(name, distribution, folder, paths, tuple(sorted(named - sources)))


def may_be_api(path: Path) -> bool:
    parts = path.parts
    if NO_API.intersection(parts[:-1]) or path.name.startswith(NO_API_FILES):
        return False
    return all(part.isidentifier() for part in name_module(path).split("."))


def name_module(path: Path) -> str:
    """Return the name to import the module of a file by; the file need not be one."""
    parts = [*path.parent.parts, path.name.partition(".")[0]]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def walk_packages(folder: Path, names: Iterable[str]) -> Iterator[Path]:
    """Yield the files of packages and modules in a folder; links to elsewhere are not followed."""
    number = 0
    for name in names:
        for suffix in SOURCES:
            if (folder / f"{name}{suffix}").is_file():
                yield Path(f"{name}{suffix}")
        for here, inner, files in walk(folder / name):
            inner[:] = sorted(one for one in inner if one not in NO_API)
            below = Path(here).relative_to(folder)
            for file in sorted(files):
                number += 1
                if number > MAX_FILES:
                    return
                if file.endswith((*SOURCES, *COMPILED)):
                    yield below / file
