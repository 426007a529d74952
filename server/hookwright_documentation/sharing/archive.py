"""Write a database's pages to an archive, and read archives by untrusted authors.

An archive is a tar file of regular files, with the manifest first, compressed by bzip2 as one
stream. The same content always yields the same bytes: order, times, modes, owners and compression
are fixed, and unlike xz and gzip, bzip2 has had a single implementation with the same output since
2010. To verify an archive, reading writes its content again and compares the bytes. Headers follow
the ustar format of POSIX.1-1988 and are written here, because the output of Python's tarfile has
changed over time.
"""

import bz2
import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import BinaryIO

from hookwright_console.errors import RefusedError
from hookwright_console.terminal import track
from hookwright_console.text import remove_hidden, shorten
from hookwright_documentation.cutting import page_files
from hookwright_documentation.cutting.licenses import canonicalize
from hookwright_documentation.pages import Page
from hookwright_documentation.sharing.hidden_text import DroppedText, drop_hidden
from hookwright_documentation.sharing.manifest import (
    LICENSE,
    MANIFEST,
    MAX_ARCHIVE,
    MAX_LICENSE,
    MAX_LINES,
    MAX_MANIFEST,
    MAX_RATIO,
    MAX_UNPACKED,
    PAGES,
    ForeignArchiveError,
    SharedFile,
    SharedManifest,
    find_fault,
    format_manifest,
    parse_manifest,
)

LEVEL = 9
FIRST = 10_000_000  # unpacked bytes that an archive of any size may have

BLOCK = 512  # bytes; each entry is padded to a multiple of this size
END = bytes(2 * BLOCK)
NUMBER = b"0000000\0"
HEADER = re.compile(rb"([\w./-]{1,99})\0+0000644\0(?:0{7}\0){2}([0-7]{11})\0")


@dataclass(frozen=True)
class Archive:
    """A verified archive."""

    manifest: SharedManifest
    license_text: str  # the licence's text, or ""
    # The pages without invisible text; empty if the licence is unknown.
    pages: tuple[Page, ...]
    dropped: DroppedText  # invisible text that was removed
    sha256: str  # the archive's checksum, hexadecimal
    size: int  # length in bytes


def describe_files(contents: Iterable[tuple[str, bytes]]) -> tuple[SharedFile, ...]:
    return tuple(
        SharedFile(name, len(content), hashlib.sha256(content).hexdigest())
        for name, content in contents
    )


def list_contents(license_text: str, pages: Sequence[Page]) -> Iterator[tuple[str, bytes]]:
    """Yield an archive's files in order, except for the manifest."""
    if license_text:
        yield LICENSE, license_text.encode()
    for page in sorted(pages, key=lambda page: page_files.name_page(page.url)):
        yield PAGES + page_files.name_page(page.url), page_files.format_page(page).encode()


def write_archive(manifest: SharedManifest, license_text: str, pages: Sequence[Page]) -> bytes:
    """Return an archive; raises RefusedError if `read_archive` would refuse it."""
    name = manifest.recipe.name
    if fault := find_fault(manifest):
        raise RefusedError(f"{name} cannot be shared: {fault}: set it up again")
    described = (MANIFEST, format_manifest(manifest))
    size = len(described[1]) + sum(file.size + 2 * BLOCK for file in manifest.files)
    contents = list_contents(license_text, pages) if manifest.has_pages else ()
    packed = b""
    if size <= MAX_UNPACKED:
        packed = pack(chain([described], track("Packing", contents, len(manifest.files))))
    if not 0 < len(packed) <= MAX_ARCHIVE:
        raise RefusedError(
            f"{name} is too large to share: over {MAX_ARCHIVE:,} bytes, or {MAX_UNPACKED:,} of "
            "pages: narrow it with --prefix or --max-pages"
        )
    return packed


def pack(files: Iterable[tuple[str, bytes]]) -> bytes:
    compressor = bz2.BZ2Compressor(LEVEL)
    entries = (
        write_header(name, len(content)) + content + bytes(-len(content) % BLOCK)
        for name, content in files
    )
    return b"".join(map(compressor.compress, chain(entries, [END]))) + compressor.flush()


def read_archive(file: BinaryIO, shown: str) -> Archive:
    """Return an archive's content after verifying every byte; writes no files.

    Raises RefusedError unless `write_archive` could have written the archive and it is within the
    limits.
    """
    packed = file.read(MAX_ARCHIVE + 1)
    if len(packed) > MAX_ARCHIVE:
        raise RefusedError(
            f"{shown}: over {MAX_ARCHIVE:,} bytes: ask for a smaller one, "
            "built with --prefix or --max-pages"
        )
    (name, content), *files = unpack(packed, shown) or [("", b"")]
    if name != MANIFEST or len(content) > MAX_MANIFEST:
        raise ForeignArchiveError(f"{shown}: does not begin with {MANIFEST}")
    manifest = parse_manifest(content, shown)
    if describe_files(files) != (manifest.files if manifest.has_pages else ()):
        raise ForeignArchiveError(f"{shown}: does not have the files that its manifest lists")
    if pack(chain([(name, content)], track("Verifying", files))) != packed:
        raise ForeignArchiveError(
            f"{shown} is damaged, or was not written by hookwright share export"
        )
    license_text, pages, dropped = "", list[Page](), DroppedText()
    for name, content in track("Reading", files):
        if name == LICENSE:
            license_text = content.decode(errors="replace")
            if license_text.encode() != content:
                raise ForeignArchiveError(f"{shown}: {name} is not UTF-8")
        else:
            pages.append(read_page(name, content, manifest, shown, dropped))
    sha256 = hashlib.sha256(packed).hexdigest()
    return Archive(
        manifest, clean_license(license_text), tuple(pages), dropped, sha256, len(packed)
    )


def unpack(packed: bytes, shown: str) -> list[tuple[str, bytes]]:
    """Return an archive's files, up to the first bytes that `pack` would not have written."""
    most = min(MAX_UNPACKED, FIRST + MAX_RATIO * len(packed))
    try:
        decompressor = bz2.BZ2Decompressor()
        tar = decompressor.decompress(packed, most + 1)
    except OSError:
        raise ForeignArchiveError(f"{shown}: is not a bzip2 archive") from None
    if len(tar) > most:
        raise ForeignArchiveError(
            f"{shown}: unpacks to over {most:,} bytes from {len(packed):,}, too much for "
            "documentation"
        )
    if not decompressor.eof:
        raise ForeignArchiveError(f"{shown} is empty or incomplete")
    files, at = [], 0
    while header := HEADER.match(tar, at):
        start, size = at + BLOCK, int(header[2], 8)
        files.append((header[1].decode(), tar[start : start + size]))
        at = start + size + -size % BLOCK
    return files


def clean_license(text: str) -> str:
    """Return a licence's visible text, truncated at a limit."""
    text = remove_hidden(text.replace("\r\n", "\n").replace("\r", "\n")).strip()
    return text.encode()[: MAX_LICENSE - 1].decode(errors="ignore") + "\n" if text else ""


def read_page(
    name: str, content: bytes, manifest: SharedManifest, shown: str, dropped: DroppedText
) -> Page:
    """Return an archive's page without hidden text, which is counted; raises RefusedError."""
    where = f"{shown}: {name}"
    if (lines := content.count(b"\n")) > MAX_LINES:
        raise ForeignArchiveError(f"{where}: has {lines:,} lines, more than {MAX_LINES:,}")
    page = page_files.parse_page(content, name.removeprefix(PAGES))
    try:
        kept = drop_hidden(page, dropped) if page else None
    except RefusedError as refused:
        raise ForeignArchiveError(f"{where}: {refused}") from None
    if not kept or not page_files.is_valid(kept):
        raise ForeignArchiveError(f"{where} is not a valid page file")
    if not kept.url.startswith(manifest.prefix):
        raise ForeignArchiveError(
            f"{where} comes from {shorten(kept.url)}, not from {shorten(manifest.prefix)}"
        )
    if kept.license and canonicalize(kept.license) != kept.license:
        raise ForeignArchiveError(f"{where}: license: not an SPDX identifier")
    return kept


def write_header(name: str, size: int) -> bytes:
    """Return the header for a world-readable file, without owner and time."""
    # Name, mode, user, group, size and time; after the checksum: type, link, format, names of the
    # user and group, and device.
    start = name.encode("ascii").ljust(100, b"\0") + b"0000644\0" + 2 * NUMBER
    start += b"%011o\0" % size + b"00000000000\0"
    end = b"0".ljust(101, b"\0") + b"ustar\x0000".ljust(72, b"\0") + 2 * NUMBER
    end = end.ljust(BLOCK - len(start) - 8, b"\0")
    return start + b"%06o\0 " % sum(start + b" " * 8 + end) + end
