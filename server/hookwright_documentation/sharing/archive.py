"""Write a database's pages to an archive, and read archives from untrusted authors.

An archive is a tar file of plain files, the manifest first, compressed by bzip2 in one stream. The
same content always yields the same bytes: order, times, modes, owners and compression are fixed,
and bzip2 has had a single implementation with the same output since 2010, unlike xz and gzip.
Reading writes the content again and compares the bytes. Headers are in the ustar form of
POSIX.1-1988; Python's tarfile has written the same file in more than one way.
"""

import bz2
import hashlib
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from hookwright_console.errors import RefusedError
from hookwright_console.text import shorten
from hookwright_documentation.cutting import page_files
from hookwright_documentation.cutting.licenses import canonicalize
from hookwright_documentation.pages import Page
from hookwright_documentation.sharing.hidden_text import DroppedText, ParserUse, drop_hidden
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
    format_manifest,
    list_faults,
    parse_manifest,
)

LEVEL = 9
CHUNK = 65_536  # bytes
FIRST = 10_000_000  # bytes that any archive may unpack to

Progress = Callable[[int, int], object]
BLOCK = 512  # bytes; an entry is padded to a multiple
END = bytes(2 * BLOCK)
# name, mode, uid, gid, size, mtime, checksum, type, link, magic, version, user, group, device's
# numbers, prefix, padding
LAYOUT = struct.Struct("100s8s8s8s12s12s8s1s100s6s2s32s32s8s8s155s12s")
MAX_NAME = 100  # bytes
NUMBER = b"0000000\0"
SIZE = slice(124, 135)


@dataclass(frozen=True)
class Archive:
    """A verified archive."""

    manifest: SharedManifest
    license_text: str  # text of the licence, or ""
    # The pages without their invisible text; empty if the licence is unknown.
    pages: tuple[Page, ...]
    dropped: DroppedText  # invisible text
    sha256: str  # hexadecimal checksum of the archive
    size: int  # length in bytes


class Packer:
    """Compresses files into an archive, and computes the archive's checksum and size."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self.size = 0
        self._write = write
        self._compressor = bz2.BZ2Compressor(LEVEL)
        self._digest = hashlib.sha256()

    def add(self, name: str, content: bytes) -> None:
        self._put(self._compressor.compress(write_header(name, len(content))))
        self._put(self._compressor.compress(content + pad(len(content))))

    def finish(self) -> str:
        self._put(self._compressor.compress(END) + self._compressor.flush())
        return self._digest.hexdigest()

    def _put(self, content: bytes) -> None:
        self.size += len(content)
        self._digest.update(content)
        self._write(content)


def describe_files(license_text: str, pages: Sequence[Page]) -> tuple[SharedFile, ...]:
    """Return the files of an archive, in order, except the manifest."""
    return tuple(
        SharedFile(name, len(content), hashlib.sha256(content).hexdigest())
        for name, content in list_contents(license_text, pages)
    )


def list_contents(license_text: str, pages: Sequence[Page]) -> Iterator[tuple[str, bytes]]:
    if license_text:
        yield LICENSE, license_text.encode()
    for page in sorted(pages, key=lambda page: page_files.name_page(page.url)):
        yield PAGES + page_files.name_page(page.url), page_files.format_page(page).encode()


def write_archive(
    manifest: SharedManifest,
    license_text: str,
    pages: Sequence[Page],
    write: Callable[[bytes], object],
    progress: Progress,
) -> str:
    """Write an archive by passing bytes to `write`, and return its SHA-256 in hex.

    Raises RefusedError for an archive that would be unreadable.
    """
    name = manifest.recipe.name
    for field, fault in list_faults(manifest):
        raise RefusedError(f"{name} cannot be shared: {field}: {fault}: set it up again")
    if sum(file.size for file in manifest.files) > MAX_UNPACKED:
        raise RefusedError(
            f"{name} is too large to share: over {MAX_UNPACKED:,} bytes of pages: "
            "narrow it with --prefix or --max-pages"
        )
    packer = Packer(write)
    packer.add(MANIFEST, format_manifest(manifest))
    if manifest.has_pages:
        for number, (path, content) in enumerate(list_contents(license_text, pages), 1):
            packer.add(path, content)
            progress(number, len(manifest.files))
    digest = packer.finish()
    if packer.size > MAX_ARCHIVE:
        raise RefusedError(f"{name} is too large to share: over {MAX_ARCHIVE:,} bytes")
    return digest


def read_archive(file: BinaryIO, shown: str, progress: Progress) -> Archive:
    """Return an archive's content, after verifying every byte; writes nothing.

    Raises RefusedError unless `write_archive` could have written the archive, within the limits.
    """
    unpacked = ArchiveContent(file, shown)
    packer = Packer(lambda _: None)
    content = unpacked.read_file(MANIFEST, MAX_MANIFEST)
    packer.add(MANIFEST, content)
    manifest = parse_manifest(content, shown)
    license_text, pages, dropped, use = "", list[Page](), DroppedText(), ParserUse()
    for number, listed in enumerate(manifest.files if manifest.has_pages else (), 1):
        content = unpacked.read_file(listed.name, listed.size)
        check_file(listed, content, shown)
        packer.add(listed.name, content)
        if listed.name == LICENSE:
            try:
                license_text = clean_license(content.decode())
            except UnicodeDecodeError:
                raise ForeignArchiveError(f"{shown}: {LICENSE} is not UTF-8") from None
        else:
            page, less = read_page(listed.name, content, manifest, shown, use)
            pages.append(page)
            dropped = dropped + less
        progress(number, len(manifest.files))
    unpacked.check_end()
    if packer.finish() != unpacked.sha256:
        raise ForeignArchiveError(f"{shown} was not compressed by hookwright share export")
    return Archive(manifest, license_text, tuple(pages), dropped, unpacked.sha256, packer.size)


class ArchiveContent:
    """An archive's content, read file by file and never further than requested."""

    def __init__(self, file: BinaryIO, shown: str) -> None:
        self._file = file
        self._shown = shown
        self._decompressor = bz2.BZ2Decompressor()
        self._digest = hashlib.sha256()
        self._packed = self._unpacked = 0
        self._rest = b""

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest()

    def read_file(self, wanted: str, most: int) -> bytes:
        """Return the next file's content, given its name and maximum size in bytes."""
        header = self._read(BLOCK)
        found = read_header(header)
        if not found or found[0] != wanted:
            name = shorten(header[:MAX_NAME].rstrip(b"\0").decode("ascii", "replace"))
            what = f"where {wanted} should be, has " + (f"'{name}'" if name else "no file")
            form = "" if found else ", which is not a regular file"
            raise ForeignArchiveError(f"{self._shown}: {what}{form}")
        name, size = found
        if size > most:
            raise ForeignArchiveError(
                f"{self._shown}: {name} has {size:,} bytes, expected up to {most:,}"
            )
        content = self._read(size)
        if self._read(len(pad(size))).strip(b"\0"):
            raise ForeignArchiveError(f"{self._shown}: has hidden data after {name}")
        return content

    def check_end(self) -> None:
        is_end = self._read(len(END)) == END
        if not is_end or self._read_some(1) or not self._decompressor.eof:
            raise ForeignArchiveError(f"{self._shown}: has more files than its manifest lists")
        if self._decompressor.unused_data or self._file.read(1):
            raise ForeignArchiveError(f"{self._shown}: has trailing data")

    def _read(self, size: int) -> bytes:
        parts = []
        while size > 0:
            part = self._read_some(size)
            if not part:
                raise ForeignArchiveError(f"{self._shown}: is truncated")
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _read_some(self, size: int) -> bytes:
        """Return some bytes of the content; b"" only at the end."""
        while not self._decompressor.eof:
            packed = b""
            if self._decompressor.needs_input:
                packed = self._file.read(CHUNK)
                self._packed += len(packed)
                self._digest.update(packed)
                if self._packed > MAX_ARCHIVE:
                    raise RefusedError(
                        f"{self._shown}: over {MAX_ARCHIVE:,} bytes: ask for a smaller one, "
                        "built with --prefix or --max-pages"
                    )
                if not packed:
                    raise ForeignArchiveError(f"{self._shown}: is truncated")
            try:
                content = self._decompressor.decompress(packed, min(size, CHUNK))
            except OSError:
                raise ForeignArchiveError(f"{self._shown}: is not a bzip2 archive") from None
            self._unpacked += len(content)
            ratio = MAX_RATIO * self._packed
            if self._unpacked > MAX_UNPACKED + MAX_MANIFEST or self._unpacked > FIRST + ratio:
                raise ForeignArchiveError(
                    f"{self._shown}: unpacks to over {self._unpacked:,} bytes from "
                    f"{self._packed:,}, too much for documentation"
                )
            if content:
                return content
        return b""


def check_file(expected: SharedFile, content: bytes, shown: str) -> None:
    if len(content) != expected.size:
        raise ForeignArchiveError(
            f"{shown}: {expected.name} has {len(content):,} bytes, expected {expected.size:,}"
        )
    if hashlib.sha256(content).hexdigest() != expected.sha256:
        raise ForeignArchiveError(f"{shown}: {expected.name} has the wrong SHA-256")


def clean_license(text: str) -> str:
    """Return a licence's visible text, up to a limit."""
    from hookwright_console.text import remove_hidden

    text = remove_hidden(text.replace("\r\n", "\n").replace("\r", "\n")).strip()
    return text.encode()[: MAX_LICENSE - 1].decode(errors="ignore") + "\n" if text else ""


def read_page(
    name: str, content: bytes, manifest: SharedManifest, shown: str, use: ParserUse
) -> tuple[Page, DroppedText]:
    """Return a page of an archive, and the text dropped from it; raises RefusedError."""
    where = f"{shown}: {name}"
    if (lines := content.count(b"\n")) > MAX_LINES:
        raise ForeignArchiveError(f"{where}: has {lines:,} lines, more than {MAX_LINES:,}")
    try:
        page = page_files.parse_page(content.decode(), name)
        is_same = page_files.format_page(page).encode() == content
        is_there = PAGES + page_files.name_page(page.url) == name
        kept, dropped = drop_hidden(page, use)
        page_files.check(kept, name)
    except UnicodeError:
        raise ForeignArchiveError(f"{where}: is not UTF-8") from None
    except RefusedError as refused:
        reason = str(refused).removeprefix(f"{name}: ").partition(f": {page_files.WAY_OUT}")[0]
        raise ForeignArchiveError(f"{where}: {reason}") from None
    if not (is_same and is_there):
        raise ForeignArchiveError(f"{where} is not a valid page file")
    if not kept.url.startswith(manifest.prefix):
        raise ForeignArchiveError(
            f"{where} comes from {shorten(kept.url)}, not from {shorten(manifest.prefix)}"
        )
    if kept.license and canonicalize(kept.license) != kept.license:
        raise ForeignArchiveError(f"{where}: license: not an SPDX identifier")
    return kept, dropped


def write_header(name: str, size: int) -> bytes:
    """Return the header of a world-readable file without owner and time."""
    fields = (
        *(name.encode("ascii"), b"0000644\0", NUMBER, NUMBER, b"%011o\0" % size),
        *(b"00000000000\0", b"        ", b"0", b"", b"ustar\0", b"00", b"", b"", NUMBER, NUMBER),
        *(b"", b""),
    )
    header = LAYOUT.pack(*fields)
    return LAYOUT.pack(*fields[:6], b"%06o\0 " % sum(header), *fields[7:])


def read_header(header: bytes) -> tuple[str, int] | None:
    """Return a file's name and size, or None for a header that we would not write."""
    try:
        name = header[:MAX_NAME].rstrip(b"\0").decode("ascii")
        size = int(header[SIZE], 8)
        return (name, size) if write_header(name, size) == header else None
    except (ValueError, struct.error):
        return None


def pad(size: int) -> bytes:
    """Return the padding between a file's content and the next header."""
    return bytes(-size % BLOCK)
