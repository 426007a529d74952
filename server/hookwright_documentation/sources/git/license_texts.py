"""Recognise the texts of well known licences."""

import re

CREATIVE_COMMONS = re.compile(
    r"attribution(?P<nc>-noncommercial)?(?:-(?P<more>sharealike|noderivatives|noderivs))? "
    r"(?P<version>[34]\.0) international"
)
MORE = {None: "", "sharealike": "-SA", "noderivatives": "-ND", "noderivs": "-ND"}
BSD = "redistribution and use in source and binary forms"
# What of a text tells it from others, in lower case and with single blanks.
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


def recognise_text(text: str) -> str:
    """Return the SPDX identifier of the licence that a text is, or "" if that is not certain.

    Those of GNU give none, for the text does not say whether later versions hold.
    """
    plain = BLANKS.sub(" ", text.casefold())
    if found := CREATIVE_COMMONS.search(plain[:2_000]):
        noncommercial = "-NC" if found["nc"] else ""
        return f"CC-BY{noncommercial}{MORE[found['more']]}-{found['version']}"
    known = {spdx for words, spdx in TEXTS if words in plain}
    if BSD in plain:
        known.add("BSD-3-Clause" if "neither the name" in plain else "BSD-2-Clause")
    return known.pop() if len(known) == 1 else ""
