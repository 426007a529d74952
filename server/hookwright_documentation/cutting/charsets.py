"""Find out how the bytes of a page are to be read, whatever its site says."""

import codecs
import re
from contextlib import suppress

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
DECLARED = re.compile(
    rb"<meta[^<>]{0,200}charset\s*=\s*(?:[\"']\s*)?([\w.:-]{1,40})", re.IGNORECASE
)
NAMED = re.compile(r"charset\s*=\s*(?:[\"']\s*)?([\w.:-]{1,40})", re.IGNORECASE)
HEAD = 4_096  # bytes in which a page may declare it
WITHOUT_ANY = "cp1252"  # as browsers read pages that declare nothing


def decode(body: bytes, content_type: str) -> str:
    """Return the text of a page; bytes that mean nothing become U+FFFD.

    Bytes that are UTF-8 are read as such, for servers and pages often declare another charset.
    """
    for mark, charset in MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(charset, errors="replace")
    for charset in ("utf-8", *find_charsets(body, content_type)):
        with suppress(LookupError, ValueError):
            return body.decode(charset)
    return body.decode(WITHOUT_ANY, errors="replace")


def find_charsets(body: bytes, content_type: str) -> list[str]:
    declared = [found[1] for found in DECLARED.finditer(body[:HEAD])]
    return NAMED.findall(content_type) + [name.decode("ascii", "ignore") for name in declared]
