"""Recognise the licence named on a page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from lxml.etree import _Element

ATTRIBUTION = r"attribution(-noncommercial)?(-sharealike|-noderivatives|-noderivs)?"
CC = "CC-BY{}{}-{}"
VERSION = r",?(?: version)? v?"
# Patterns for addresses of licences, for sentences that name one, such as "Licensed under the
# 3-clause BSD License", and for distinctive parts of their texts, with single spaces.
KNOWN = (
    (r"creativecommons\.org/publicdomain/zero/1\.0|\bcc0 1\.0 universal", "CC0-1.0"),
    (
        r"(?:creativecommons\.org/licenses/|\bCC[ -])by(-nc)?(-sa|-nd)?(?:/|[ -]v?)([234]\.[05])\b",
        CC,
    ),
    (rf"\bCreative Commons {ATTRIBUTION}(?: licen[cs]e)?{VERSION}([234]\.[05])\b", CC),
    (rf"{ATTRIBUTION} ([34]\.0) international", CC),
    (rf"\bApache(?:\.org/licenses/LICENSE-|(?: Licen[cs]e)?{VERSION})2(?:\.0)?\b", "Apache-2.0"),
    (r"opensource\.org/licenses?/mit\b|\bMIT Licen[cs]e", "MIT"),
    ("permission is hereby granted, free of charge, to any person obtaining a copy", "MIT"),
    (r"\b([23])[ -]clause\b", "BSD-{}-Clause"),
    (r"gnu\.org/licenses/fdl-1\.3", "GFDL-1.3-only"),
    (rf"\b(?:Mozilla Public Licen[cs]e|MPL)(?:/|{VERSION})2\.0\b", "MPL-2.0"),
    (r"postgresql\.org/about/licen[cs]e|\bPostgreSQL Licen[cs]e", "PostgreSQL"),
    (r"docs\.python\.org/3/license\.html|\bPSF Licen[cs]e", "PSF-2.0"),
    ("python software foundation license version 2", "PSF-2.0"),
    (r"\bISC Licen[cs]e", "ISC"),
    ("permission to use, copy, modify, and/or distribute this software for any", "ISC"),
    ("this is free and unencumbered software released into the public domain", "Unlicense"),
)
OTHERS = re.compile(r"\bGNU\b|GPL|\bArtistic\b")  # a sentence does not identify their exact licence
SHORT = {"-noncommercial": "-NC", "-sharealike": "-SA", "-noderivatives": "-ND", "-noderivs": "-ND"}
BSD = "redistribution and use in source and binary forms"
NAMING = "/html/*/link[@rel = 'license']/@href | /html/*/meta[contains(@name, 'license')]/@content"
MAX_EXPRESSION = 100  # characters of an SPDX expression


def find_license(root: _Element) -> str:
    return next(filter(None, map(recognise, cast("list[str]", root.xpath(NAMING)))), "")


def recognise(named: str) -> str:
    known = canonicalize(named.strip()[:MAX_EXPRESSION])
    return known or ("" if OTHERS.search(named) else recognise_text(named))


def recognise_text(text: str) -> str:
    plain = " ".join(text.casefold().split())
    known = {
        spdx.format(*(SHORT.get(part, part.upper()) for part in found.groups("")))
        for pattern, spdx in KNOWN
        for found in re.finditer(pattern, plain, re.IGNORECASE)
    }
    if BSD in plain:
        known.add("BSD-3-Clause" if "neither the name" in plain else "BSD-2-Clause")
    return known.pop() if len(known) == 1 else ""


def canonicalize(license_: str) -> str:
    from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

    try:
        return canonicalize_license_expression(license_)
    except InvalidLicenseExpression:
        return ""
