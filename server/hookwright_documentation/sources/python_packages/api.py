"""Read the API of installed packages as pages, like those of a site."""

import time
from collections.abc import Callable
from pathlib import Path

from hookwright_console.errors import ReportedError
from hookwright_console.terminal import count
from hookwright_console.text import name_some, shorten
from hookwright_documentation.sources import results
from hookwright_documentation.sources.python_packages import list_names
from hookwright_documentation.sources.python_packages.definitions import Definitions, Reading
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
    definitions = Definitions(folder, reading)
    most, end = min(options.max_bytes, MAX_BYTES), time.monotonic() + options.time_limit
    modules = [(package.folder, path) for package in packages for path in package.paths]
    for done, module in enumerate(modules):
        if definitions.size >= most or time.monotonic() > end:
            read = f"{done:,} of {len(modules):,} modules ({definitions.size:,} bytes)"
            store.notes.append(f"stopped at {read}")
            break
        progress(done + 1, len(modules))
        definitions.read(*module)
    definitions.link()
    urls = store.put_all(write_pages(titles, definitions))
    left = list_left_out(definitions, packages)
    if not urls:
        reason = left[0] if left else "no public module in it defines anything"
        raise ReportedError(f"{shorten(title)}: {reason}: use the URL of its documentation")
    found = packages[0].distribution if len(packages) == 1 else None
    report = CrawlReport(
        SCHEME,
        "",
        found.version if found else "",
        tuple(left),
        (f"read the API of {title} in {environment}, without importing it",),
        license=found.license if found else "",
        site=next(filter(is_own_site, found.sites), "") if found else "",
    )
    return results.finish(report, urls, store)


def list_left_out(definitions: Definitions, packages: list[PackageFiles]) -> list[str]:
    notes = results.describe_left_out(dict(sorted(definitions.unread.items())), "module")
    every = (name for package in packages for name in package.compiled)
    compiled = [shorten(name) for name in every if is_public_path(name)]
    if compiled:
        named = name_some(compiled, MAX_SHOWN)
        notes.append(f"{count(len(compiled), 'module')} left out, compiled without a stub: {named}")
    return notes


def is_own_site(url: str) -> bool:
    parts = split(url)
    return parts.scheme in ("http", "https") and parts.path in ROOT and not parts.query
