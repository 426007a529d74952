"""Read the pages in a folder: a built Sphinx or MkDocs site, or its sources."""

import codecs
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote
from urllib.request import url2pathname

from hookwright_console.errors import ReportedError
from hookwright_console.files.regular import find_whole_path, read_regular, walk
from hookwright_console.network.addresses import shorten_url
from hookwright_console.text import shorten
from hookwright_documentation.pages import FetchedPage, NamedTarget
from hookwright_documentation.sources import results
from hookwright_documentation.sources.registry import (
    OTHERS_FOLDERS,
    CrawlOptions,
    CrawlReport,
    Source,
    split,
)
from hookwright_documentation.sources.results import MAX_PAGE, PageStore
from hookwright_documentation.sources.site.markup import read_markup
from hookwright_documentation.sources.site.scope import Scope, build_scope, describe_choices
from hookwright_documentation.sources.site_files import read_objects

TYPES = {
    ".htm": "text/html",
    ".html": "text/html",
    ".markdown": "text/markdown; charset=utf-8",
    ".md": "text/markdown; charset=utf-8",
    ".mdx": "text/markdown; charset=utf-8",
    ".rst": "text/x-rst; charset=utf-8",
    ".xhtml": "application/xhtml+xml",
}
INVENTORY = "objects.inv"
NAMED = 5  # maximum number of folders listed in a note
HEAD = 8_192  # bytes examined to distinguish text from other content
CONTROLS = bytes({*range(0x20)} - {*b"\t\n\f\r\x1b"})
ODD_SHARE = 0.01  # share of control characters above which content is not text


def recognise(text: str) -> Source | None:
    if "://" in text:
        parts = split(text)
        if parts.scheme != "file":
            return None
        if parts.netloc not in ("", "localhost"):
            return Source(text, fault=f"{shorten(text)}: use a folder on this computer")
        text = url2pathname(parts.path)
    place = find_whole_path(text)
    repository = f"git+{place}" if (Path(place) / ".git").exists() else ""
    return Source(place, place, is_missing=not Path(place).is_dir(), repository=repository)


def take(options: CrawlOptions, folder: Path, progress: Callable[[int, int], None]) -> CrawlReport:
    source = Path(options.source).expanduser().resolve()
    if not source.is_dir():
        raise ReportedError(
            f"{shorten_url(options.source)}: no such folder (a URL begins with https://)"
        )
    address = (options.prefix or source.as_uri()).rstrip("/") + "/"
    store = results.start(options, folder)
    left: list[str] = []
    paths = list(find_pages(source, folder.resolve(), left_out=left))
    if left:
        store.notes.append(f"skipped third-party folders: {', '.join(map(shorten, left[:NAMED]))}")
    pages, scope = collect(options, store, source, address, paths=paths, progress=progress)
    if not pages:
        nothing = "no HTML, markdown or reStructuredText in it"
        reason = next(iter(results.describe_left_out(store.left)), nothing)
        raise ReportedError(
            f"{shorten_url(str(source))}: {reason}: use a folder with documentation, or its URL"
        )
    version, targets = read_sphinx_names(source, address)
    version = version or scope.version
    choices = describe_choices(scope, version, scope.version)
    report = CrawlReport(address, scope.language, version, choices=choices)
    return results.finish(report, pages, store, targets)


def collect(
    options: CrawlOptions,
    store: PageStore,
    source: Path,
    prefix: str,
    *,
    paths: Iterable[Path],
    types: Mapping[str, str] = TYPES,
    progress: Callable[[int, int], None] = lambda _done, _known: None,
) -> tuple[list[str], Scope]:
    """Store the pages in a folder's files, and return their addresses.

    The returned scope limits them to one language and one version.
    """
    found = {}
    for path in paths:
        name = path.relative_to(source).as_posix()
        try:
            found[path] = prefix + quote(name)
        except UnicodeEncodeError:
            store.left[name] = "the name is not UTF-8"
    language = options.language
    with suppress(OSError):
        language = language or read_markup(prefix, read_regular(source / "index.html")).language
    scope = build_scope(options, prefix, language)
    scope.note_links(found.values())
    files = {path: url for path, url in found.items() if scope.takes(url)}

    def read_pages() -> Iterator[FetchedPage]:
        for path, url in files.items():
            try:
                body = read_regular(path)
            except OSError as error:
                store.left[path.name] = error.strerror or "cannot be read"
                continue
            if len(body) > MAX_PAGE:
                store.left[path.name] = f"over {MAX_PAGE:,} bytes"
            elif not is_text(body):
                store.left[path.name] = "not text"
            else:
                yield FetchedPage(url, types[path.suffix.lower()], body)

    return store.put_all(read_pages(), progress, len(files)), scope


def is_text(body: bytes) -> bool:
    head = body[:HEAD]
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return True
    return b"\0" not in head and (
        len(head) - len(head.translate(None, CONTROLS)) <= ODD_SHARE * len(head)
    )


def read_sphinx_names(source: Path, prefix: str) -> tuple[str, list[NamedTarget]]:
    try:
        body = read_regular(source / INVENTORY)
    except OSError:
        return "", []
    return read_objects(FetchedPage(prefix + INVENTORY, "", body))


def find_pages(
    source: Path,
    work: Path,
    types: Collection[str] = TYPES,
    left_out: list[str] | None = None,
) -> Iterator[Path]:
    """Yield a folder's page files; links that lead out of the folder are skipped.

    Folders of third-party files, such as node_modules, are skipped.
    """
    for folder, names, files in walk(source):
        here = Path(folder)
        if left_out is not None:
            others = sorted(OTHERS_FOLDERS.intersection(names))
            left_out += [(here / name).relative_to(source).as_posix() for name in others]
        names[:] = sorted(
            name
            for name in names
            if not name.startswith(".") and name not in OTHERS_FOLDERS and here / name != work
        )
        for name in sorted(files):
            path = here / name
            if path.suffix.lower() not in types or name.startswith(".") or path.is_symlink():
                continue
            yield path
