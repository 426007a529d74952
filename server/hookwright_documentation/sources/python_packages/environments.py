"""Find the packages installed in a Python environment by reading only its files.

The folders are those that Python's `site` module uses; METADATA and RECORD describe a distribution
(PyPA, "Recording installed projects"). Nothing is imported, and .pth files are not read.
"""

import csv
import os
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from packaging.metadata import RawMetadata, parse_email
from packaging.utils import canonicalize_name

from hookwright_console.errors import RefusedError
from hookwright_console.files.regular import read_regular, read_start, walk
from hookwright_console.text import shorten
from hookwright_documentation.cutting.licenses import canonicalize, recognise

SITE_FOLDERS = (
    *("lib/python3*/site-packages", "lib64/python3*/site-packages", "Lib/site-packages"),
    *("lib/python3*/dist-packages", "lib/pypy3*/site-packages"),
)
SOURCES = (".py", ".pyi")
COMPILED = (".so", ".pyd")
OWN_FOLDERS = (".venv", "venv")  # usual names of environment folders in projects
DESCRIPTIONS = {".dist-info": "METADATA", ".egg-info": "PKG-INFO"}
NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?\Z")
VERSION = re.compile(r"[A-Za-z0-9.+_!-]{1,40}\Z")  # an agent reads it: too short for a sentence
CLASSIFIED = {
    "License :: OSI Approved :: Apache Software License": "Apache-2.0",
    "License :: OSI Approved :: ISC License (ISCL)": "ISC",
    "License :: OSI Approved :: MIT License": "MIT",
    "License :: OSI Approved :: Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "License :: OSI Approved :: Python Software Foundation License": "PSF-2.0",
    "License :: OSI Approved :: The Unlicense (Unlicense)": "Unlicense",
}
SITE_LABELS = ("documentation", "docs", "homepage", "home")
MAX_NAMES = 100_000  # bytes of package names
NO_API = frozenset(("tests", "_vendor", "vendored", "__pycache__", "node_modules"))
NO_API_FILES = ("test_", "conftest.", "__main__.")


@dataclass(frozen=True)
class Distribution:
    """A distribution installed in an environment."""

    name: str
    version: str  # the distribution's version, or ""
    license: str  # its licence's SPDX identifier, or ""
    sites: tuple[str, ...]  # URLs of its documentation and its home page
    description: Path  # folder that contains its metadata, next to its modules


def find_environment(start: Path) -> Path | None:
    """Return the environment active in the shell, or else the project's, or None."""
    if active := os.environ.get("VIRTUAL_ENV"):
        return Path(active)
    places = (folder / name for folder in (start, *start.parents) for name in OWN_FOLDERS)
    return next((place for place in places if (place / "pyvenv.cfg").is_file()), None)


def find_site_folders(environment: Path) -> list[Path]:
    if environment.is_file():  # the user specified bin/python
        environment = environment.parent.parent
    found = [folder for pattern in SITE_FOLDERS for folder in sorted(environment.glob(pattern))]
    folders = [folder for folder in found if folder.is_dir()] or [environment]
    return list({folder.resolve(): folder for folder in folders}.values())


def find_distribution(name: str, folders: list[Path]) -> Distribution | None:
    """Return the distribution with this name, or else the one with this package, or None."""
    if not NAME.match(name):
        return None
    described = [found for folder in folders for found in list_descriptions(folder)]
    wanted, top = canonicalize_name(name), name.partition(".")[0]
    named = (path for path in described if canonicalize_name(path.stem.split("-")[0]) == wanted)
    owners = (
        path
        for path in described
        if any(module.parts[0] in (top, f"{top}.py") for module in list_recorded(path))
    )
    found = next(chain(named, owners), None)
    return read_description(found) if found else None


def list_descriptions(folder: Path) -> list[Path]:
    found = sorted(folder.glob("*.*-info"))
    return [path for path in found if (path / DESCRIPTIONS.get(path.suffix, ".")).is_file()]


def read_description(description: Path) -> Distribution | None:
    """Return the distribution that a metadata folder describes, or None if it is damaged."""
    file = DESCRIPTIONS[description.suffix]
    try:
        raw, _ = parse_email(read_regular(description / file))
    except (OSError, ValueError, RecursionError):
        return None
    name, version = raw.get("name", ""), raw.get("version", "")
    if not NAME.match(name):
        return None
    return Distribution(
        name,
        version if VERSION.match(version) else "",
        find_declared_license(raw),
        tuple(list_sites(raw)),
        description,
    )


def find_declared_license(raw: RawMetadata) -> str:
    expression, text = raw.get("license_expression", ""), raw.get("license", "")
    if known := canonicalize(expression) or recognise(text[:100]):
        return known
    named = {CLASSIFIED.get(classifier, "") for classifier in raw.get("classifiers", [])} - {""}
    return named.pop() if len(named) == 1 else ""


def list_sites(raw: RawMetadata) -> list[str]:
    labelled = {label.casefold().strip(): url for label, url in raw.get("project_urls", {}).items()}
    sites = [*map(labelled.get, SITE_LABELS), raw.get("home_page")]
    return list(filter(None, sites))


def list_recorded(description: Path) -> list[Path]:
    """Return the modules in a distribution's installation record, relative to its folder."""
    try:
        text = read_regular(description / "RECORD").decode("utf-8", "replace")
        rows = list(csv.reader(text.splitlines()))
    except (OSError, csv.Error):
        return []
    paths = [Path(row[0]) for row in rows if row and row[0].endswith((*SOURCES, *COMPILED))]
    return [path for path in paths if not path.is_absolute() and ".." not in path.parts]


@dataclass(frozen=True)
class PackageFiles:
    """The source files of a distribution or package."""

    name: str  # name specified by the user
    distribution: Distribution | None  # the distribution that contains the files, or None
    folder: Path  # folder that the paths are relative to
    paths: tuple[Path, ...]  # source files, relative to the folder
    compiled: tuple[str, ...]  # names of modules without a source file or stub

    @property
    def title(self) -> str:
        found = self.distribution
        return f"{found.name} {found.version}".strip() if found else self.name


def find_files(name: str, environment: Path) -> PackageFiles:
    """Return the source files of a distribution or package; raises RefusedError."""
    folders = find_site_folders(environment)
    recorded: list[Path] = []
    places = [(folder, [name]) for folder in folders if name.isidentifier()]
    if distribution := find_distribution(name, folders):
        recorded = list_recorded(distribution.description)
        packages = read_start(distribution.description / "top_level.txt", MAX_NAMES).split()
        places.insert(0, (distribution.description.parent, packages))
    for folder, names in places:
        if found := recorded or list(walk_packages(folder, names)):
            return choose_files(name, distribution, folder, found)
    if distribution:
        raise RefusedError(
            f"{distribution.name} has no Python source in {environment}: if it is installed in "
            "editable mode, give the folder of its sources with --python"
        )
    if name in sys.stdlib_module_names:
        raise RefusedError(f"{name} is in the standard library: run hookwright setup python")
    raise RefusedError(
        f"no package {shorten(name)} in {environment}: install it there, or use another "
        "environment with --python"
    )


def choose_files(
    name: str, distribution: Distribution | None, folder: Path, found: Iterable[Path]
) -> PackageFiles:
    # Packages precede the modules that they contain, and sources precede their stubs.
    every = {path for path in found if may_be_api(path)}
    wanted = sorted(every, key=lambda path: (name_module(path), path.suffix))
    paths = tuple(path for path in wanted if path.suffix in SOURCES)
    compiled = sorted({*map(name_module, wanted)} - {*map(name_module, paths)})
    return PackageFiles(name, distribution, folder, paths, tuple(compiled))


def may_be_api(path: Path) -> bool:
    is_excluded = NO_API.intersection(path.parts[:-1]) or path.name.startswith(NO_API_FILES)
    return not is_excluded and all(map(str.isidentifier, name_module(path).split(".")))


def name_module(path: Path) -> str:
    """Return the import name of the module in a file, which may not exist."""
    parts = [*path.parent.parts, path.name.partition(".")[0]]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def walk_packages(folder: Path, names: Iterable[str]) -> Iterator[Path]:
    """Yield the files of a folder's packages and modules; links out of the folder are skipped."""
    for name in names:
        for suffix in SOURCES:
            if (folder / f"{name}{suffix}").is_file():
                yield Path(f"{name}{suffix}")
        for here, inner, files in walk(folder / name):
            inner[:] = sorted(folder for folder in inner if folder not in NO_API)
            below = Path(here).relative_to(folder)
            for file in sorted(files):
                if file.endswith((*SOURCES, *COMPILED)):
                    yield below / file
