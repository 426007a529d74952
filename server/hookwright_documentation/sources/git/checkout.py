"""Read a git repository's documentation like a folder's."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from hookwright_console.errors import ReportedError
from hookwright_console.files.regular import read_start
from hookwright_console.network.addresses import shorten_url
from hookwright_console.text import name_some, shorten
from hookwright_documentation.cutting.licenses import recognise_text
from hookwright_documentation.cutting.text_files import GFM
from hookwright_documentation.sources import results
from hookwright_documentation.sources.folder import TYPES, collect, find_pages
from hookwright_documentation.sources.git.cloning import Git
from hookwright_documentation.sources.git.repository import Repository, find_repository
from hookwright_documentation.sources.registry import CrawlOptions, CrawlReport
from hookwright_documentation.sources.site.scope import describe_choices

REPOSITORY = "repository"  # in the crawl's folder while the crawl runs
PLACES = ("docs", "doc", "documentation", "website/docs", "site/docs", "www/docs", "docs-site")
README = "readme"
LICENSES = ("license", "licence", "copying", "unlicense")
MAX_LICENSE = 20_000  # bytes of a licence
SHORT = 10  # characters shown of a commit ID
SPHINX = "conf.py"  # if next to reStructuredText pages, they may end in .txt
MAX_SHOWN = 5  # maximum number of folders listed in a message


def take(options: CrawlOptions, folder: Path, progress: Callable[[int, int], None]) -> CrawlReport:
    repository = find_repository(options)
    work = folder / REPOSITORY
    shutil.rmtree(work, ignore_errors=True)
    try:
        report = read_repository(options, repository, Git(repository, work, options), folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    progress(report.pages, report.pages)
    return report


def read_repository(
    options: CrawlOptions, repository: Repository, git: Git, folder: Path
) -> CrawlReport:
    """Read the pages in the documentation's folder of a repository, or only the README."""
    git.clone()
    files = list_files(git)
    place, hint = find_place(files, repository)
    git.run("sparse-checkout", "set", "--cone", "--stdin", stdin=f"{place}\n" if place else "")
    git.run("checkout", "--quiet", "--force", "HEAD")
    commit = git.read("rev-parse", f"--short={SHORT}", "HEAD")
    branch = repository.ref or git.read("rev-parse", "--abbrev-ref", "HEAD")
    address, top = repository.find_address(branch), git.clone_folder
    took = f"took {place or 'the README'} of {shorten_url(repository.url)} at {branch} ({commit})"
    took += "" if place else hint
    source = top / place
    store = results.start(options, folder)
    types = TYPES | ({".txt": TYPES[".rst"]} if (source / SPHINX).is_file() else {})
    plain = {top / name for name in files}  # excludes links
    every = [path for path in find_pages(source, folder, types) if path in plain]
    if not place:
        every = [path for path in every if path.parent == top and is_named(path, README)]
    prefix = address + (f"{quote(place)}/" if place else "")
    variants = {
        end: f"{kind}; {GFM}" if "markdown" in kind else kind for end, kind in types.items()
    }
    options = replace(options, version="")  # the branch or tag
    pages, scope = collect(options, store, source, prefix, paths=every, types=variants)
    if not pages:
        raise ReportedError(
            f"{shorten_url(options.source)}: no markdown, reStructuredText or HTML in "
            f"{place or 'its README'}{hint or ': use another source'}"
        )
    report = CrawlReport(
        prefix,
        scope.language,
        repository.ref or commit,
        choices=(took, *describe_choices(scope, "", "")),
        license=find_license_file([source, top]),
    )
    return results.finish(report, pages, store)


def is_named(path: Path, *names: str) -> bool:
    return path.name.lower().partition(".")[0] in names


def list_files(git: Git) -> list[str]:
    listed = git.run("ls-tree", "-r", "-z", "HEAD").split(b"\0")
    rows = (row.partition(b"\t") for row in listed)
    return [name.decode("utf-8", "replace") for head, _, name in rows if head.startswith(b"100")]


def find_place(files: list[str], repository: Repository) -> tuple[str, str]:
    """Return the documentation's folder or "", and a hint at others; raises ReportedError."""
    pages = [path for path in map(PurePosixPath, files) if is_page(path)]
    folders = {str(folder) for path in pages for folder in path.parents}
    wanted = repository.folder
    place = next((place for place in ([wanted] if wanted else PLACES) if place in folders), "")
    tops = {path.parts[0] for path in pages if len(path.parts) > 1}
    others = sorted(shorten(top) for top in tops if not top.startswith("."))
    hint = f": it has pages in {name_some(others, MAX_SHOWN)} (--prefix)" if others else ""
    if wanted and not place:
        raise ReportedError(f"{shorten_url(repository.url)}: no pages in {shorten(wanted)}{hint}")
    return place, hint


def is_page(path: PurePosixPath) -> bool:
    return path.suffix.lower() in TYPES or path.name == SPHINX


def find_license_file(folders: list[Path]) -> str:
    """Return the SPDX identifier of a licence file in any of the folders, or ""."""
    paths = (path for folder in folders for path in sorted(folder.iterdir()))
    texts = (read_start(path, MAX_LICENSE) for path in paths if is_named(path, *LICENSES))
    return next(filter(None, map(recognise_text, texts)), "")
