"""Find the packages installed in a Python environment by reading only its files.

The folders are those that Python's `site` module uses; METADATA and RECORD describe a distribution
(PyPA, "Recording installed projects"). Nothing is imported, and .pth files are not read.
"""

import csv
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from packaging.metadata import RawMetadata, parse_email
from packaging.utils import canonicalize_name

from hookwright_console.errors import RefusedError
from hookwright_console.files.regular import read_regular, walk
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
NO_API = frozenset(("tests", "_vendor", "vendored", "__pycache__", "node_modules"))
NO_API_FILES = ("test_", "conftest.", "__main__.")


@dataclass(frozen=True)
class Distribution:
    """A distribution installed in an environment."""

    name: str
    version: str  # the distribution's version, or ""
    license: str  # its licence's SPDX identifier, or ""
    sites: tuple[str, ...]  # URLs of its documentation and its home page
    folder: Path  # folder that contains its modules, such as site-packages
    description: Path  # folder that contains its metadata


def find_environment(start: Path) -> Path | None:
    """Return the environment active in the shell, or else the project's, or None."""
    if active := os.environ.get("VIRTUAL_ENV"):
        return Path(active)
    for folder in (start, *start.parents):
        for name in OWN_FOLDERS:
            if (folder / name / "pyvenv.cfg").is_file():
                return folder / name
    return None


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
    wanted = canonicalize_name(name)
    for description in described:
        stem = description.name.rpartition(".")[0].partition("-")[0]
        if canonicalize_name(stem) == wanted:
            return read_description(description)
    for description in described:
        owned = (path.parts[0] for path in list_recorded(description))
        if name.partition(".")[0] in {part.removesuffix(".py") for part in owned}:
            return read_description(description)
    return None


def list_descriptions(folder: Path) -> Iterator[Path]:
    try:
        found = sorted(folder.iterdir())
    except OSError:
        return
    for path in found:
        file = DESCRIPTIONS.get(path.suffix)
        if file and (path / file).is_file():
            yield path


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
        find_license(raw),
        tuple(list_sites(raw)),
        description.parent,
        description,
    )


def find_license(raw: RawMetadata) -> str:
    known = canonicalize(raw.get("license_expression", "")) or recognise(
        raw.get("license", "")[:100]
    )
    if known:
        return known
    named = {
        CLASSIFIED[classifier]
        for classifier in raw.get("classifiers", [])
        if classifier in CLASSIFIED
    }
    return named.pop() if len(named) == 1 else ""


def list_sites(raw: RawMetadata) -> Iterator[str]:
    labelled = {label.casefold().strip(): url for label, url in raw.get("project_urls", {}).items()}
    for label in SITE_LABELS:
        if label in labelled:
            yield labelled[label]
    if home := raw.get("home_page"):
        yield home


def list_recorded(description: Path) -> list[Path]:
    """Return the modules in a distribution's installation record, relative to its folder."""
    try:
        text = read_regular(description / "RECORD").decode("utf-8", "replace")
        rows = list(csv.reader(text.splitlines()))
    except (OSError, csv.Error):
        return []
    paths = [Path(row[0]) for row in rows if row and row[0].endswith((*SOURCES, *COMPILED))]
    return [path for path in paths if not path.is_absolute() and ".." not in path.parts]


def list_packages(distribution: Distribution) -> list[str]:
    if recorded := list_recorded(distribution.description):
        return sorted({path.parts[0].partition(".")[0] for path in recorded})
    try:
        text = read_regular(distribution.description / "top_level.txt").decode("utf-8", "replace")
        return text.split()
    except OSError:
        return []


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
        if not self.distribution:
            return self.name
        return f"{self.distribution.name} {self.distribution.version}".strip()


def find_files(name: str, environment: Path) -> PackageFiles:
    """Return the source files of a distribution or package; raises RefusedError."""
    folders = find_site_folders(environment)
    if distribution := find_distribution(name, folders):
        recorded = list_recorded(distribution.description)
        found = recorded or list(walk_packages(distribution.folder, list_packages(distribution)))
        if found:
            return choose_files(name, distribution, distribution.folder, found)
    for folder in folders:
        if name.isidentifier() and (found := list(walk_packages(folder, [name]))):
            return choose_files(name, distribution, folder, found)
    if distribution:
        raise RefusedError(
            f"{distribution.name} has no Python source in {environment}: if it is installed in "
            "editable mode, give the folder of its sources with --python"
        )
    raise RefusedError(
        f"no package {shorten(name)} in {environment}: install it there, or use another "
        "environment with --python"
    )


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
