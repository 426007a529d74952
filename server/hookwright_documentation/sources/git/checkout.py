"""Read a git repository's documentation like a folder's."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path, PurePosixPath

from hookwright_console.errors import ReportedError
from hookwright_console.files.regular import read_regular
from hookwright_console.network.addresses import shorten_url
from hookwright_console.text import shorten
from hookwright_documentation.cutting.licenses import recognise_text
from hookwright_documentation.cutting.text_files import GFM
from hookwright_documentation.sources import results
from hookwright_documentation.sources.folder import (
    TYPES,
    find_addresses,
    find_pages,
    find_scope,
    read_files,
)
from hookwright_documentation.sources.git.cloning import Git
from hookwright_documentation.sources.git.repository import Repository, find_repository
from hookwright_documentation.sources.registry import CrawlOptions, CrawlReport
from hookwright_documentation.sources.site.scope import describe_choices

REPOSITORY = "repository"  # in the crawl's folder while the crawl runs
PLACES = ("docs", "doc", "documentation", "website/docs", "site/docs", "www/docs", "docs-site")
README = "readme"
LICENSES = ("license", "licence", "copying", "unlicense")
SHORT = 10  # characters shown of a commit ID
SPHINX = "conf.py"  # if next to reStructuredText pages, they may end in .txt
MAX_SHOWN = 5  # maximum number of folders listed in a message


def take(options: CrawlOptions, folder: Path, progress: Callable[[int, int], None]) -> CrawlReport:
    repository = find_repository(options)
    work = folder / REPOSITORY
    shutil.rmtree(work, ignore_errors=True)
    try:
        progress(0, 1)
        limits = (options.max_bytes, options.time_limit)
        git = Git(repository, work, *limits, is_strangers=options.is_strangers)
        git.clone()
        files = list_files(git)
        place = repository.folder or find_place(files)
        if repository.folder:
            check_place(repository.folder, files, repository.url)
        git.run("sparse-checkout", "set", "--cone", "--stdin", given=f"{place}\n" if place else "")
        git.run("checkout", "--quiet", "--force", "HEAD")
        report = read_checkout(options, repository, git, folder, place=place, files=files)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    progress(report.pages, report.pages)
    return report


def read_checkout(
    options: CrawlOptions,
    repository: Repository,
    git: Git,
    folder: Path,
    *,
    place: str,
    files: list[str],
) -> CrawlReport:
    """Read the pages in a folder of a repository, or the README if `place` is ""."""
    commit = git.run("rev-parse", f"--short={SHORT}", "HEAD").decode().strip()
    branch = repository.ref or read_branch(git)
    address, top = repository.find_address(branch or commit), git.clone_folder
    took = f"took {place or 'the README'} of {shorten_url(repository.url)} at {branch} ({commit})"
    source = top / place
    store = results.start(options, folder)
    types = TYPES | ({".txt": TYPES[".rst"]} if (source / SPHINX).is_file() else {})
    plain = {top / name for name in files}  # excludes links
    every = [path for path in find_pages(source, folder, types) if path in plain]
    if not place:
        every = [path for path in every if path.parent == top and is_named(path, README)]
    found = find_addresses(top, address, every, store.left)
    prefix = address + (f"{place}/" if place else "")
    scope = find_scope(replace(options, version=""), source, prefix, found.values())
    taken = {path: url for path, url in found.items() if scope.takes(url)}
    variants = {
        end: f"{kind}; {GFM}" if "markdown" in kind else kind for end, kind in types.items()
    }
    pages = store.put_all(read_files(taken, variants, store.left), known=len(taken))
    if not pages:
        raise ReportedError(
            f"{shorten_url(options.source)}: no markdown, reStructuredText or HTML in "
            f"{place or 'its README'}: name another folder with --prefix"
        )
    report = CrawlReport(
        prefix,
        scope.language,
        repository.ref or commit,
        choices=(took, *describe_choices(scope, "", "")),
        license=find_license([source, top]),
    )
    return results.finish(report, pages, store)


def is_named(path: Path, *names: str) -> bool:
    return path.name.lower().partition(".")[0] in names


def list_files(git: Git) -> list[str]:
    listed = git.run("ls-tree", "-r", "-z", "HEAD").split(b"\0")
    rows = (row.partition(b"\t") for row in listed)
    return [name.decode("utf-8", "replace") for head, _, name in rows if head.startswith(b"100")]


def find_place(files: list[str]) -> str:
    """Return the documentation's folder, or "" if there is only a README."""
    for place in PLACES:
        if any(name.startswith(f"{place}/") and is_page(name) for name in files):
            return place
    return ""


def check_place(place: str, files: list[str], url: str) -> None:
    if any(name.startswith(f"{place}/") and is_page(name) for name in files):
        return
    folders = sorted({name.partition("/")[0] for name in files if "/" in name and is_page(name)})
    others = f": it has them in {', '.join(map(shorten, folders[:MAX_SHOWN]))}" if folders else ""
    raise ReportedError(f"{shorten_url(url)}: no pages in {shorten(place)}{others}")


def is_page(name: str) -> bool:
    path = PurePosixPath(name)
    return path.suffix.lower() in TYPES or path.name == SPHINX


def read_branch(git: Git) -> str:
    try:
        return git.run("symbolic-ref", "--short", "HEAD").decode("utf-8", "replace").strip()
    except ReportedError:
        return ""


def find_license(folders: list[Path]) -> str:
    """Return the SPDX identifier of a licence file in any of the folders, or ""."""
    for folder in folders:
        for path in sorted(folder.iterdir()):
            if is_named(path, *LICENSES) and path.is_file():
                text = read_regular(path)[:20_000].decode("utf-8", "replace")
                if found := recognise_text(text):
                    return found
    return ""
