"""Recognise the licence that a page names."""

import re

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
PATTERNS = [(re.compile(pattern, re.IGNORECASE), spdx) for pattern, spdx in KNOWN]
NAMES = {
    name.lower(): name
    for name in (
        *("0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC-BY-3.0", "CC-BY-4.0"),
        *("CC-BY-SA-3.0", "CC-BY-SA-4.0", "CC0-1.0", "ISC", "MIT", "MPL-2.0", "PSF-2.0"),
        *("PostgreSQL", "Unlicense", "Zlib"),
    )
}
META = frozenset(("license", "dcterms.license", "dc.rights.license"))


def find_license(root: _Element) -> str:
    """Return the SPDX identifier of the licence that a page's head names, or ""."""
    for element in root.iter("link", "meta"):
        if license_ := recognise(name_license(element)):
            return license_
    return ""


def name_license(element: _Element) -> str:
    """Return what a link or a meta of the head says of a licence, or ""."""
    if element.tag == "link":
        return (element.get("href") or "") if element.get("rel") == "license" else ""
    around = element.getparent()
    if element.get("name") not in META or around is None or around.tag != "head":
        return ""
    return element.get("content") or ""


def recognise(named: str) -> str:
    """Return the SPDX identifier of a licence by its address or name, or ""."""
    if name := NAMES.get(named.strip().lower()):
        return name
    for pattern, spdx in PATTERNS:
        if found := pattern.search(named):
            return spdx.format(*(part.upper() for part in found.groups()))
    return ""
