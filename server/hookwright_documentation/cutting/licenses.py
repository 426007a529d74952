"""Recognise the licence named on a page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.etree import _Element

# Patterns for addresses of licences, and for sentences that name one, such as "Licensed under the
# 3-clause BSD License".
ATTRIBUTION = r"(attribution)(-noncommercial)?(-sharealike|-noderivatives|-noderivs)?"
VERSION = r",?(?: version)? v?([234]\.[05])\b"
NAMED = (
    (r"creativecommons\.org/publicdomain/zero/1\.0", "CC0-1.0"),
    (r"creativecommons\.org/licenses/(by(?:-nc)?(?:-sa|-nd)?)/([234]\.[05])", "CC-{}-{}"),
    (r"apache\.org/licenses/LICENSE-2\.0", "Apache-2.0"),
    (r"opensource\.org/licenses?/mit\b", "MIT"),
    (r"opensource\.org/licenses?/bsd-([23])-clause", "BSD-{}-Clause"),
    (r"gnu\.org/licenses/fdl-1\.3", "GFDL-1.3-only"),
    (r"mozilla\.org/(?:en-US/)?MPL/2\.0", "MPL-2.0"),
    (r"postgresql\.org/about/licen[cs]e", "PostgreSQL"),
    (r"docs\.python\.org/3/license\.html", "PSF-2.0"),
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
BSD = "redistribution and use in source and binary forms"
# Distinctive parts of licence texts, with single spaces.
TEXTS = (
    (r"apache license version 2\.0", "Apache-2.0"),
    ("permission is hereby granted, free of charge, to any person obtaining a copy", "MIT"),
    (r"mozilla public license,? version 2\.0", "MPL-2.0"),
    ("permission to use, copy, modify, and/or distribute this software for any", "ISC"),
    ("this is free and unencumbered software released into the public domain", "Unlicense"),
    (r"cc0 1\.0 universal", "CC0-1.0"),
    ("python software foundation license version 2", "PSF-2.0"),
    (rf"{ATTRIBUTION} ([34]\.0) international", "CC-{}{}{}-{}"),
)
NAMING = "/html/*/link[@rel = 'license']/@href | /html/*/meta[contains(@name, 'license')]/@content"
MAX_EXPRESSION = 100  # characters of an SPDX expression
BLANKS = re.compile(r"\s+")


def find_license(root: _Element) -> str:
    return next(filter(None, map(recognise, cast("list[str]", root.xpath(NAMING)))), "")


def recognise(named: str) -> str:
    return canonicalize(named.strip()[:MAX_EXPRESSION]) or recognise_notice(named)


def recognise_notice(notice: str) -> str:
    known = set[str]() if OTHERS.search(notice) else find_all(NAMED, notice)
    return known.pop() if len(known) == 1 else ""


def find_all(patterns: Iterable[tuple[str, str]], text: str) -> set[str]:
    return {
        spdx.format(*(PARTS.get(part.lower(), part.upper()) for part in found.groups("")))
        for pattern, spdx in patterns
        for found in re.finditer(pattern, text, re.IGNORECASE)
    }


def recognise_text(text: str) -> str:
    plain = BLANKS.sub(" ", text.casefold())
    known = find_all(TEXTS, plain)
    if BSD in plain:
        known.add("BSD-3-Clause" if "neither the name" in plain else "BSD-2-Clause")
    return known.pop() if len(known) == 1 else ""


def canonicalize(license_: str) -> str:
    from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

    try:
        return canonicalize_license_expression(license_)
    except InvalidLicenseExpression:
        return ""
