"""Database names in registries, such as ghcr.io/acme/django:5.2."""

import re
from dataclasses import dataclass, replace
from pathlib import Path

from hookwright_console.errors import MisusedError, ReportedError
from hookwright_console.files.regular import read_object
from hookwright_console.text import shorten
from hookwright_documentation.databases import ORIGIN, find_database_folder, find_generation

# The OCI distribution specification's form, except that the registry's host is required.
REFERENCE = re.compile(
    r"(?P<host>[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*(?::[0-9]{1,5})?)/"
    r"(?P<repository>[a-z0-9]+(?:[._/-]{1,2}[a-z0-9]+)*)"
    r"(?::(?P<tag>[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?(?:@(?P<digest>sha256:[0-9a-f]{64}))?\Z"
)
DEFAULT_TAG = "latest"
MAX_LENGTH = 500  # characters
PULLED = "pulled"  # key in a generation's origin file


@dataclass(frozen=True)
class Reference:
    """An artifact's name in a registry."""

    host: str  # the registry, with its port if any
    repository: str  # path within the registry
    tag: str  # the tag, or "" if the reference has only a digest
    digest: str  # sha256: and the manifest's checksum; "" for the tag's current artifact

    def __str__(self) -> str:
        tag = f":{self.tag}" if self.tag else ""
        return f"{self.host}/{self.repository}{tag}" + (f"@{self.digest}" if self.digest else "")

    def pin(self, digest: str) -> "Reference":
        return replace(self, digest=digest)


def parse_reference(text: str) -> Reference:
    found = REFERENCE.match(text) if len(text) <= MAX_LENGTH else None
    if not found or not ("." in found["host"] or ":" in found["host"]):
        raise MisusedError(
            f"not a registry reference: '{shorten(text)}': use HOST/PATH:TAG, such as "
            "ghcr.io/acme/django:5.2"
        )
    tag = found["tag"] or ("" if found["digest"] else DEFAULT_TAG)
    return Reference(found["host"], found["repository"], tag, found["digest"] or "")


@dataclass(frozen=True)
class Pin:
    """Where a database was pulled from."""

    reference: Reference  # the user's reference; with a digest, it always refers to one artifact
    digest: str  # sha256: and the checksum of the manifest that it referred to

    def export(self) -> dict[str, str]:
        return {PULLED: str(self.reference), "digest": self.digest}


def read_pin(name: str, root: Path | None = None) -> Pin | None:
    """Return where a database, even a damaged one, was pulled from; None if it was not pulled."""
    try:
        origin = read_object(find_generation(find_database_folder(name, root)) / ORIGIN)
        return Pin(parse_reference(origin[PULLED]), str(origin["digest"]))
    except (KeyError, TypeError, ReportedError):
        return None
