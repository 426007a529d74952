"""Read manual pages on this computer (man:NAME), formatted by mandoc or groff.

A manual page can contain code and is not trusted: it may only include other pages, and groff
executes no commands (-S).
"""

import bz2
import glob
import gzip
import lzma
import os
import re
import shutil
import subprocess
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

from hookwright_console.errors import RefusedError, ReportedError
from hookwright_console.files.regular import open_regular
from hookwright_console.terminal import count
from hookwright_console.text import shorten
from hookwright_documentation.pages import FetchedPage
from hookwright_documentation.sources import plain_text, results
from hookwright_documentation.sources.registry import CrawlOptions, CrawlReport, Source
from hookwright_documentation.sources.site_files import VERSION

MANUAL = "man:"  # prefix, followed by page names
SCHEME = "man://"
NAME = re.compile(r"(?:(\d\w{0,9}|[ln])/)?([^\s/()]{1,100})(?:\((\d\w{0,9}|[ln])\))?\Z")
FILE = re.compile(r"(.+)\.(\d\w*|[ln])(\.gz|\.bz2|\.xz)?\Z")
IN_MANUALS = re.compile(r"/man/(?:[^/]+/)?man\w+/[^/]+\Z")  # folders that package managers link to
INCLUDED = re.compile(rb"^[.'][ \t]*so[ \t]+\"?([^\s\"]+).*$", re.MULTILINE)
MDOC = re.compile(rb"^[.'][ \t]*Dd\b", re.MULTILINE)
MAX_SOURCE, MAX_OUTPUT = 10_000_000, 20_000_000  # bytes of a page's source, and of its output
MAX_INCLUDED = 100  # maximum number of pages that a page includes, directly or indirectly
# Limits for formatting: CPU seconds per process, file size in blocks of 512 bytes or more, and
# memory in KB (not on macOS).
LIMITED = ("/bin/sh", "-c", 'ulimit -t 20; ulimit -f 40000; ulimit -v 500000; exec "$@"', "sh")
TIME_LIMIT = 20.0  # seconds for formatting a page
# Each paragraph is formatted as a single line, so text in several lines is code. Requests that read
# files or run programs are removed after groff has read its own macros.
PRELUDE = b"""
.nh
.na
.ss 12 0
.de hy
..
.de ad
..
.de ss
..
.rm so mso nx cf trf psbb hpf hpfa open opena pso sy pi soquiet msoquiet
"""
MACROS = {True: b".do mso doc.tmac", False: b".do mso an.tmac\n.do mso an-old.tmac"}
GROFF = ("groff", "-S", "-t", "-Kutf8", "-Tutf8", "-P-cbou", "-rLL=5000n", "prelude", "page")
MANDOC = ("mandoc", "-T", "utf8", "-O", "width=1000", "page")
HTML = "text/html; charset=utf-8"
OPENERS: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
NUMBER = re.compile(r"(?<![\w.-])v?(\d+(?:\.\d+)+[\w.+~-]*)|(?<=[A-Za-z] )(\d{1,3})\Z")
REFERENCE = re.compile(r"(?<![\w.+:-])([\w.+:-]{1,100})\((\d\w{0,9})\)")


def recognise(text: str) -> Source | None:
    if not text.startswith(MANUAL):
        return None
    matches = list(map(NAME.match, list_manuals(text)))
    fault = "" if matches and all(matches) else "SOURCE: name manual pages, such as man:jq"
    found = (match[2] for match in matches if match and not glob.has_magic(match[2]))
    return Source(text, fault=fault, keywords=tuple(dict.fromkeys(found)), is_local=True)


def take(options: CrawlOptions, folder: Path, progress: Callable[[int, int], None]) -> CrawlReport:
    tool = next((command for command in (MANDOC, GROFF) if shutil.which(command[0])), None)
    if not tool:
        raise ReportedError(
            "neither mandoc nor groff is installed: install one, or pipe the text: "
            "man jq | hookwright setup jq -"
        )
    roots = list_roots()
    paths = find_manuals(options, roots)
    store = results.start(options, folder)
    known = {name_address(*path) for path in paths}
    versions: set[str] = set()

    def format_pages() -> Iterator[FetchedPage]:
        for (name, section), path in paths.items():
            try:
                body, version = format_page(read_source(path, roots), tool)
            except (RefusedError, OSError) as error:
                store.left[path.name] = str(error)
                continue
            versions.add(version)
            url = name_address(name, section)
            page = plain_text.wrap_page(f"{name}({section})", link(body, known - {url}))
            yield FetchedPage(url, HTML, page)

    urls = store.put_all(format_pages(), progress, len(paths))
    if not urls:
        name, reason = next(iter(store.left.items()))
        raise ReportedError(f"{shorten(options.source)}: {shorten(name)}: {reason}")
    version = versions.pop() if len(versions) == 1 else ""
    choices = (f"read {count(len(urls), 'manual page')} by {tool[0]}",)
    report = CrawlReport(SCHEME, options.language, version, choices=choices)
    return results.finish(report, urls, store)


def list_manuals(source: str) -> list[str]:
    return [page for name in source.removeprefix(MANUAL).split(",") if (page := name.strip())]


def name_address(name: str, section: str) -> str:
    return f"{SCHEME}{quote(name, safe='')}.{section}"


def list_roots() -> list[Path]:
    """Return the folders of manual pages: those in MANPATH, or else those that belong to PATH."""
    named = os.environ.get("MANPATH", "").split(os.pathsep)
    beside = (
        Path(folder).parent / place
        for folder in os.get_exec_path()
        for place in ("share/man", "man")
    )
    every = [*map(Path, filter(None, named)), *(() if all(named) else beside)]
    roots = dict.fromkeys(folder.resolve() for folder in every if folder.is_absolute())
    return list(filter(Path.is_dir, roots))


def find_manuals(options: CrawlOptions, roots: list[Path]) -> dict[tuple[str, str], Path]:
    """Return each page's file, by name and section; earlier folders take precedence."""
    pages: dict[tuple[str, str], Path] = {}
    language = f"{glob.escape(options.language)}*/" if options.language else ""
    for text in list_manuals(options.source):
        match = NAME.match(text)
        before, name, after = match.groups() if match else ("", text, "")
        section, is_pattern, is_found = before or after or "", glob.has_magic(name), False
        pattern = f"{language}man*/{name if is_pattern else glob.escape(name)}.*"
        for path in (path for root in roots for path in sorted(root.glob(pattern))):
            found = FILE.match(path.name)
            if found and found[2].startswith(section) and (is_pattern or found[1] == name):
                is_found = True
                pages.setdefault((found[1], found[2]), path)
        if not is_found:
            folders = ", ".join(map(str, roots[:3])) or "any folder of PATH"
            raise ReportedError(
                f"no manual page {shorten(text)} in {folders}: see man -k, or MANPATH"
            )
    return pages


def read_source(path: Path, roots: list[Path]) -> bytes:
    """Return a page's source with all included pages; raises OSError, RefusedError."""
    source, at = read_manual(path, roots), 0
    for _ in range(MAX_INCLUDED):
        if not (found := INCLUDED.search(source, at)):
            break
        at = found.start()
        included = include(found[1], path.parent.parent, roots)
        room = MAX_SOURCE - len(source)
        source = source[:at] + (included if len(included) <= room else b"") + source[found.end() :]
    return INCLUDED.sub(b"", source)


def include(name: bytes, folder: Path, roots: list[Path]) -> bytes:
    """Return the source of a page in a folder of manual pages, or b"" if it cannot be read."""
    named = PurePosixPath(os.fsdecode(name))
    if not named.is_absolute() and ".." not in named.parts:
        for suffix in ("", *OPENERS):
            with suppress(OSError, RefusedError):
                return read_manual(folder / f"{named}{suffix}", roots)
    return b""


def read_manual(path: Path, roots: list[Path]) -> bytes:
    place = path.resolve()
    if not (any(map(place.is_relative_to, roots)) or IN_MANUALS.search(place.as_posix())):
        raise RefusedError("is outside of the folders of manual pages")
    with open_regular(path) as file:
        packed = BytesIO(file.read(MAX_SOURCE + 1))
    try:
        with OPENERS.get(path.suffix, lambda file: file)(packed) as unpacked:
            body: bytes = unpacked.read(MAX_SOURCE + 1)
    except (OSError, EOFError, ValueError, MemoryError, zlib.error, lzma.LZMAError):
        raise RefusedError("cannot be decompressed") from None
    if len(body) > MAX_SOURCE:
        raise RefusedError(f"over {MAX_SOURCE // 1_000_000} MB")
    return body


def format_page(source: bytes, tool: tuple[str, ...]) -> tuple[str, str]:
    """Return a page's HTML, and the version in its footer or ""; raises RefusedError."""
    try:
        source.decode()
    except UnicodeDecodeError:  # older pages use Latin-1
        source = source.decode("latin-1").encode()
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        (place / "page").write_bytes(source)
        (place / "prelude").write_bytes(MACROS[bool(MDOC.search(source))] + PRELUDE)
        text = run_formatter(tool, place).decode("utf-8", "replace")
    lines = plain_text.drop_controls(text).split("\n")
    filled = [at for at, line in enumerate(lines) if line.strip()] or [0]
    header, footer = filled[0], filled[-1]
    body = plain_text.Layout(is_manual=True).write("\n".join(lines[header + 1 : footer]))
    if not body:
        raise RefusedError("has no text")
    return body, find_footer_version(lines[footer].strip().partition("  ")[0])


def run_formatter(command: tuple[str, ...], place: Path) -> bytes:
    """Return a formatter's output for a page, run in the folder; raises RefusedError."""
    path = shutil.which(command[0]) or command[0]
    with (place / "output").open("w+b") as output:
        try:
            subprocess.run(  # noqa: S603 - known words; the page is a file
                [*LIMITED, path, *command[1:]],
                check=False,
                cwd=place,
                env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8"},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.DEVNULL,
                timeout=TIME_LIMIT,
            )
        except subprocess.TimeoutExpired:
            raise RefusedError(f"takes over {TIME_LIMIT:g} s") from None
        output.seek(0)
        content = output.read(MAX_OUTPUT + 1)
    if len(content) > MAX_OUTPUT:
        raise RefusedError(f"over {MAX_OUTPUT // 1_000_000} MB")
    return content


def find_footer_version(footer: str) -> str:
    """Return the version in a footer such as `jq 1.6` or `systemd 252`, or ""."""
    found = NUMBER.search(footer)
    version = found[1] or found[2] if found else ""
    return version if VERSION.match(version) else ""


def link(body: str, known: set[str]) -> str:
    """Return HTML in which references such as git-log(1) link to the pages in the database."""

    def write_link(found: re.Match[str]) -> str:
        address = name_address(found[1], found[2])
        return f'<a href="{address}">{found[0]}</a>' if address in known else found[0]

    return REFERENCE.sub(write_link, body)
