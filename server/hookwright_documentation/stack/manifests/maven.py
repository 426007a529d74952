"""Read pom.xml and the strings in build.gradle without executing either."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hookwright_documentation.stack.manifest import (
    MAVEN,
    Dependency,
    Manifest,
    UnreadableError,
    read_exact,
)

if TYPE_CHECKING:
    from lxml.etree import _Element

PROPERTY = re.compile(r"\$\{([^{}]+)\}")
MAX_ELEMENTS = 20_000  # maximum number of elements of each kind
MAX_TEXT = 200  # maximum characters of a name or version
NOTATION = re.compile(r"""["']([\w.-]+):([\w.-]+)(?::([\w.+-]+))?(?:@\w+)?["']""")
PLUGIN = re.compile(
    r"""\bid[\s(]{1,9}["']([\w.-]+)["']\)?(?:\s{1,9}version\s{1,9}["']([\w.+-]+)["'])?"""
)


def read_pom(manifest: Manifest) -> Iterator[Dependency]:
    """Yield the parent, dependencies and plugins of a pom.xml; raises UnreadableError.

    Versions may be properties set in the same file. Entities are not expanded, and nothing is
    fetched.
    """
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(manifest.text.encode(), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise UnreadableError(f"it is not XML: {error}") from None
    properties = {
        "project.version": read_child(root, "version"),
        **{
            etree.QName(element).localname: (element.text or "").strip()[:MAX_TEXT]
            for holder in root.findall("{*}properties")
            for element in holder
            if isinstance(element.tag, str)
        },
    }
    for kind in ("parent", "dependency", "plugin"):
        for number, element in enumerate(root.iter(f"{{*}}{kind}")):
            if number == MAX_ELEMENTS:
                raise UnreadableError(f"it has over {MAX_ELEMENTS:,} dependencies")
            group = read_child(element, "groupId")
            name = read_child(element, "artifactId")
            version = PROPERTY.sub(
                lambda found: properties.get(found[1], ""), read_child(element, "version")
            )
            if group and name and "$" not in group:
                yield Dependency(MAVEN, f"{group}:{name}", read_exact(version))


def read_child(element: "_Element", name: str) -> str:
    return (element.findtext(f"{{*}}{name}") or "").strip()[:MAX_TEXT]


def read_gradle(manifest: Manifest) -> Iterator[Dependency]:
    for line in manifest.text.splitlines():
        code = line.partition("//")[0] if "://" not in line else line
        for found in NOTATION.finditer(code):
            yield Dependency(MAVEN, f"{found[1]}:{found[2]}", read_exact(found[3]))
        for found in PLUGIN.finditer(code):
            if "." in found[1]:  # names of Gradle's own plugins have no dot
                name = f"{found[1]}:{found[1]}.gradle.plugin"  # its published name
                yield Dependency(MAVEN, name, read_exact(found[2]))
