"""Recognise the licence named on a page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

KNOWN = (
    (r"creativecommons\.org/publicdomain/zero/1\.0", "CC0-1.0"),
    (r"creativecommons\.org/licenses/(by(?:-nc)?(?:-sa|-nd)?)/([234]\.[05])", "CC-{}-{}"),
    (r"apache\.org/licenses/LICENSE-2\.0", "Apache-2.0"),
    (r"opensource\.org/licenses?/mit\b", "MIT"),
    (r"opensource\.org/licenses?/bsd-([23])-clause", "BSD-{}-Clause"),
    (r"gnu\.org/licenses/fdl-1\.3", "GFDL-1.3-only"),
    (r"mozilla\.org/(?:en-US/)?MPL/2\.0", "MPL-2.0"),
    (r"postgresql\.org/about/licen[cs]e", "PostgreSQL"),
    (r"docs\.python\.org/3/license\.html", "PSF-2.0"),
)
# Patterns for sentences that name a licence, such as "Licensed under the 3-clause BSD License".
ATTRIBUTION = r"(attribution)(-noncommercial)?(-sharealike|-noderivatives)?"
VERSION = r",?(?: version)? v?([234]\.[05])\b"
WORDS = (
    (r"\bMIT Licen[cs]e", "MIT"),
    (r"\bISC Licen[cs]e", "ISC"),
    (r"\bPSF Licen[cs]e", "PSF-2.0"),
    (r"\bPostgreSQL Licen[cs]e", "PostgreSQL"),
    (r"\bApache(?: Licen[cs]e)?,?(?: version)? v?2(?:\.0)?\b", "Apache-2.0"),
    (r"\b(?:Mozilla Public Licen[cs]e|MPL),?(?: version)? v?2\.0\b", "MPL-2.0"),
    (r"\b([23])-clause BSD\b", "BSD-{}-Clause"),
    (r"\bBSD[ -]([23])[ -]clause\b", "BSD-{}-Clause"),
    (rf"\bCreative Commons {ATTRIBUTION}(?: licen[cs]e)?{VERSION}", "CC-{}{}{}-{}"),
    (r"\bCC[ -](BY(?:-NC)?(?:-SA|-ND)?)[ -]v?([234]\.[05])\b", "CC-{}-{}"),
)
OTHERS = re.compile(r"\bGNU\b|GPL|\bArtistic\b")  # a sentence does not identify their exact licence
PARTS = {
    "attribution": "BY",
    "-noncommercial": "-NC",
    "-sharealike": "-SA",
    **dict.fromkeys(("-noderivatives", "-noderivs"), "-ND"),
}
PATTERNS = [(re.compile(pattern, re.IGNORECASE), spdx) for pattern, spdx in KNOWN]
WORD_PATTERNS = [(re.compile(pattern, re.IGNORECASE), spdx) for pattern, spdx in WORDS]
SPDX_NAMES = """
0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause CC-BY-3.0 CC-BY-4.0 CC-BY-SA-3.0 CC-BY-SA-4.0 CC0-1.0 ISC
MIT MPL-2.0 PSF-2.0 PostgreSQL Unlicense Zlib
"""
NAMES = {name.lower(): name for name in SPDX_NAMES.split()}
LICENSE_NAMES = frozenset(("license", "dcterms.license", "dc.rights.license"))  # in link or meta
CREATIVE_COMMONS = re.compile(
    r"(attribution)(-noncommercial)?(-sharealike|-noderiv(?:ative)?s)? ([34]\.0) international"
)
BSD = "redistribution and use in source and binary forms"
# Distinctive parts of licence texts, in lower case and with single spaces.
TEXTS = (
    ("apache license version 2.0", "Apache-2.0"),
    ("permission is hereby granted, free of charge, to any person obtaining a copy", "MIT"),
    ("mozilla public license version 2.0", "MPL-2.0"),
    ("mozilla public license, version 2.0", "MPL-2.0"),
    ("permission to use, copy, modify, and/or distribute this software for any", "ISC"),
    ("this is free and unencumbered software released into the public domain", "Unlicense"),
    ("cc0 1.0 universal", "CC0-1.0"),
    ("python software foundation license version 2", "PSF-2.0"),
)
BLANKS = re.compile(r"\s+")


def find_license(root: _Element) -> str:
    for part in root.iter("link", "meta"):
        kind = part.get("rel") if part.tag == "link" else part.get("name")
        named = part.get("href") if part.tag == "link" else part.get("content")
        if kind in LICENSE_NAMES and (spdx := recognise(named or "")):
            return spdx
    return ""


def recognise(named: str) -> str:
    if name := NAMES.get(named.strip().lower()):
        return name
    return next(find_all(PATTERNS, named), "")


def recognise_notice(notice: str) -> str:
    if OTHERS.search(notice):
        return ""
    known = {*find_all(PATTERNS + WORD_PATTERNS, notice)}
    return known.pop() if len(known) == 1 else ""


def find_all(patterns: list[tuple[re.Pattern[str], str]], text: str) -> Iterator[str]:
    for pattern, spdx in patterns:
        for found in pattern.finditer(text):
            parts = [(group or "").lower() for group in found.groups()]
            yield spdx.format(*(PARTS.get(part, part.upper()) for part in parts))


def recognise_text(text: str) -> str:
    plain = BLANKS.sub(" ", text.casefold())
    if spdx := next(find_all([(CREATIVE_COMMONS, "CC-{}{}{}-{}")], plain[:2_000]), ""):
        return spdx
    known = {spdx for words, spdx in TEXTS if words in plain}
    if BSD in plain:
        known.add("BSD-3-Clause" if "neither the name" in plain else "BSD-2-Clause")
    return known.pop() if len(known) == 1 else ""


def canonicalize(license_: str) -> str:
    from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

    try:
        return canonicalize_license_expression(license_)
    except InvalidLicenseExpression:
        return ""
