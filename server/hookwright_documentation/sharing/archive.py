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
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from hookwright_console.errors import RefusedError
from hookwright_console.terminal import track
from hookwright_console.text import remove_hidden, shorten
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
FIRST = 10_000_000  # unpacked bytes that an archive of any size may have

BLOCK = 512  # bytes; each entry is padded to a multiple of this size
END = bytes(2 * BLOCK)
# name, mode, uid, gid, size, mtime, checksum, type, link, magic, version, user, group, device
# numbers, prefix, padding
LAYOUT = struct.Struct("100s8s8s8s12s12s8s1s100s6s2s32s32s8s8s155s12s")
NUMBER = b"0000000\0"
SIZE = slice(124, 135)
OCTAL = re.compile(rb"[0-7]{11}")


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


class Packer:
    """Compresses files into an archive, and computes its checksum and size."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self.size = 0
        self._write = write
        self._compressor = bz2.BZ2Compressor(LEVEL)
        self._digest = hashlib.sha256()

    def add(self, name: str, content: bytes) -> None:
        self._put(self._compressor.compress(write_header(name, len(content))))
        self._put(self._compressor.compress(content + bytes(-len(content) % BLOCK)))

    def finish(self) -> str:
        self._put(self._compressor.compress(END) + self._compressor.flush())
        return self._digest.hexdigest()

    def _put(self, content: bytes) -> None:
        self.size += len(content)
        self._digest.update(content)
        self._write(content)


def describe_files(license_text: str, pages: Sequence[Page]) -> tuple[SharedFile, ...]:
    """Return an archive's files in order, except for the manifest."""
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
) -> str:
    """Write an archive by passing bytes to `write`; return its hexadecimal SHA-256.

    Raises RefusedError if `read_archive` would refuse the archive.
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
        contents = list_contents(license_text, pages)
        for path, content in track("Packing", contents, len(manifest.files)):
            packer.add(path, content)
    digest = packer.finish()
    if packer.size > MAX_ARCHIVE:
        raise RefusedError(f"{name} is too large to share: over {MAX_ARCHIVE:,} bytes")
    return digest


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
    unpacked = ArchiveContent(packed, shown)
    manifest = parse_manifest(unpacked.read_manifest(), shown)
    files = manifest.files if manifest.has_pages else ()
    total = sum(listed.size for listed in files)
    if total > min(MAX_UNPACKED, FIRST + MAX_RATIO * len(packed)):
        raise ForeignArchiveError(
            f"{shown}: unpacks to {total:,} bytes from {len(packed):,}, too much for documentation"
        )
    license_text, pages, dropped, use = "", list[Page](), DroppedText(), ParserUse()
    for listed in track("Verifying", files):
        content = unpacked.read_file(listed.name, listed.size)
        if hashlib.sha256(content).hexdigest() != listed.sha256:
            raise ForeignArchiveError(f"{shown}: {listed.name} has the wrong SHA-256")
        if listed.name == LICENSE:
            license_text = read_license(content, shown)
        else:
            page, less = read_page(listed.name, content, manifest, shown, use)
            pages.append(page)
            dropped = dropped + less
    return Archive(manifest, license_text, tuple(pages), dropped, unpacked.finish(), len(packed))


class ArchiveContent:
    """An archive's content, read file by file and never beyond the requested size.

    The content is packed again, so that differences in the unread bytes are also detected.
    """

    def __init__(self, packed: bytes, shown: str) -> None:
        self._packed = packed
        self._decompressor = bz2.BZ2Decompressor()  # for a single stream
        self._packer = Packer(lambda _: None)
        self._sha256 = hashlib.sha256(packed).hexdigest()
        self._shown = shown

    def read_manifest(self) -> bytes:
        header = self._read(BLOCK)
        size = int(header[SIZE], 8) if OCTAL.fullmatch(header[SIZE]) else 0
        return self.read_file(MANIFEST, min(size, MAX_MANIFEST), header)

    def read_file(self, name: str, size: int, header: bytes = b"") -> bytes:
        """Return the content of the next file, which must have this name and size in bytes."""
        if (header or self._read(BLOCK)) != write_header(name, size):
            raise ForeignArchiveError(f"{self._shown}: does not have {name} where it should be")
        content = self._read(size)
        self._read(-size % BLOCK)
        self._packer.add(name, content)
        return content

    def finish(self) -> str:
        """Return the archive's checksum; raises RefusedError if we would write other bytes."""
        if self._read(len(END) + 1) != END:
            raise ForeignArchiveError(
                f"{self._shown}: has fewer or more files than its manifest lists"
            )
        if self._packer.finish() != self._sha256:
            raise ForeignArchiveError(
                f"{self._shown} has trailing data, or was not compressed by hookwright share export"
            )
        return self._sha256

    def _read(self, size: int) -> bytes:
        """Return up to this number of bytes; fewer only at the end."""
        if not size or self._decompressor.eof:
            return b""
        packed, self._packed = self._packed, b""
        try:
            content = self._decompressor.decompress(packed, size)
        except OSError:
            raise ForeignArchiveError(f"{self._shown}: is not a bzip2 archive") from None
        if len(content) < size and not self._decompressor.eof:
            raise ForeignArchiveError(f"{self._shown}: is truncated")
        return content


def read_license(content: bytes, shown: str) -> str:
    try:
        return clean_license(content.decode())
    except UnicodeDecodeError:
        raise ForeignArchiveError(f"{shown}: {LICENSE} is not UTF-8") from None


def clean_license(text: str) -> str:
    """Return a licence's visible text, truncated at a limit."""
    text = remove_hidden(text.replace("\r\n", "\n").replace("\r", "\n")).strip()
    return text.encode()[: MAX_LICENSE - 1].decode(errors="ignore") + "\n" if text else ""


def read_page(
    name: str, content: bytes, manifest: SharedManifest, shown: str, use: ParserUse
) -> tuple[Page, DroppedText]:
    """Return an archive's page, and the text removed from it; raises RefusedError."""
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
    """Return the header for a world-readable file, without owner and time."""
    fields = (
        *(name.encode("ascii"), b"0000644\0", NUMBER, NUMBER, b"%011o\0" % size),
        *(b"00000000000\0", b"        ", b"0", b"", b"ustar\0", b"00", b"", b"", NUMBER, NUMBER),
        *(b"", b""),
    )
    header = LAYOUT.pack(*fields)
    return LAYOUT.pack(*fields[:6], b"%06o\0 " % sum(header), *fields[7:])
