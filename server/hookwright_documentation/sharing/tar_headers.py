"""The headers of the entries of an archive: plain files in the ustar form of POSIX.1-1988.

Python's tarfile has written the same file in more than one way; here each file has one form, so
that what reads a header need only write it again to see that nothing else is in it.
"""

import struct

BLOCK = 512  # bytes; an entry is padded to a multiple
END = bytes(2 * BLOCK)
# name, mode, uid, gid, size, mtime, checksum, type, link, magic, version, user, group, device's
# numbers, prefix, padding
LAYOUT = struct.Struct("100s8s8s8s12s12s8s1s100s6s2s32s32s8s8s155s12s")
MAX_NAME = 100  # bytes
NUMBER = b"0000000\0"
SIZE = slice(124, 135)


def write_header(name: str, size: int) -> bytes:
    """Return the header of a file that anyone may read, owned by nobody and of no time."""
    fields = (
        *(name.encode("ascii"), b"0000644\0", NUMBER, NUMBER, b"%011o\0" % size),
        *(b"00000000000\0", b"        ", b"0", b"", b"ustar\0", b"00", b"", b"", NUMBER, NUMBER),
        *(b"", b""),
    )
    header = LAYOUT.pack(*fields)
    return LAYOUT.pack(*fields[:6], b"%06o\0 " % sum(header), *fields[7:])


def read_header(header: bytes) -> tuple[str, int] | None:
    """Return the name and size of a file, or None if a header is not one that is written here."""
    try:
        name = header[:MAX_NAME].rstrip(b"\0").decode("ascii")
        size = int(header[SIZE], 8)
        return (name, size) if write_header(name, size) == header else None
    except (ValueError, struct.error):
        return None


def pad(size: int) -> bytes:
    """Return what follows the content of a file up to the next header."""
    return bytes(-size % BLOCK)
