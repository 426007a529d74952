"""Read the API of installed packages as pages, like those of a site."""

import time
from collections.abc import Callable
from pathlib import Path

from hookwright_console.errors import ReportedError
from hookwright_console.terminal import count
from hookwright_console.text import name_some, shorten
from hookwright_documentation.sources import results
from hookwright_documentation.sources.python_packages import list_names
from hookwright_documentation.sources.python_packages.definitions import Reader, Reading
from hookwright_documentation.sources.python_packages.environments import (
    PackageFiles,
    find_environment,
    find_files,
)
from hookwright_documentation.sources.python_packages.module_pages import (
    SCHEME,
    is_public_path,
    write_pages,
)
from hookwright_documentation.sources.registry import CrawlOptions, CrawlReport, split

MAX_BYTES = 40_000_000  # bytes of sources; parsing takes ten times as much memory
MAX_SHOWN = 3  # maximum number of names listed in a note
ROOT = frozenset(("", "/"))


def take(
    options: CrawlOptions, folder: Path, progress: Callable[[int, int], None], reading: Reading
) -> CrawlReport:
    environment = Path(options.python) if options.python else find_environment(Path.cwd())
    if environment is None:
        raise ReportedError("no Python environment here: use one with --python, such as .venv")
    packages = [find_files(name, environment) for name in list_names(options.source)]
    store = results.start(options, folder)
    title = ", ".join(package.title for package in packages)
    titles = {path: package.title for package in packages for path in package.paths}
    reader = Reader(folder, reading)
    read_all(reader, packages, options, store.notes, progress)
    urls = store.put_all(write_pages(titles, reader.found, reading))
    if not urls:
        raise ReportedError(f"{shorten(title)}: {explain_nothing(reader, packages)}")
    (only,) = packages if len(packages) == 1 else (None,)
    found = only.distribution if only else None
    report = CrawlReport(
        SCHEME,
        "",
        found.version if found else "",
        tuple(list_left_out(reader, packages)),
        (f"read the API of {title} in {environment}, without importing it",),
        license=found.license if found else "",
        site=next(filter(is_own_site, found.sites), "") if found else "",
    )
    return results.finish(report, urls, store)


def read_all(
    reader: Reader,
    packages: list[PackageFiles],
    options: CrawlOptions,
    notes: list[str],
    progress: Callable[[int, int], None],
) -> None:
    number = sum(len(package.paths) for package in packages)
    most = min(options.max_bytes, MAX_BYTES)
    end = time.monotonic() + options.time_limit
    done = 0

    def go_on() -> bool:
        nonlocal done
        if reader.size >= most or time.monotonic() > end:
            return False
        done += 1
        progress(done, number)
        return True

    for package in packages:
        reader.read(package.folder, package.paths, go_on)
    if done < number:
        notes.append(f"stopped at {done:,} of {number:,} modules ({reader.size:,} bytes)")
    reader.link()


def list_left_out(reader: Reader, packages: list[PackageFiles]) -> list[str]:
    unread = dict(sorted(reader.found.unread.items()))
    notes = results.describe_left_out(unread, "module")
    every = (name for package in packages for name in package.compiled)
    compiled = [name for name in every if is_public_path(name)]
    if compiled:
        named = name_some([shorten(name) for name in compiled], MAX_SHOWN)
        notes.append(f"{count(len(compiled), 'module')} left out, compiled without a stub: {named}")
    return notes


def explain_nothing(reader: Reader, packages: list[PackageFiles]) -> str:
    if reader.found.unread:
        return f"{list_left_out(reader, packages)[0]}: use the URL of its documentation"
    if any(package.compiled for package in packages):
        return "compiled, without Python sources or stubs: use the URL of its documentation"
    return "no public module in it defines anything: use the URL of its documentation"


def is_own_site(url: str) -> bool:
    parts = split(url)
    return parts.scheme in ("http", "https") and parts.path in ROOT and not parts.query
