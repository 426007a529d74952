"""Which artifact of a registry a database was pulled from."""

import json
from dataclasses import dataclass
from pathlib import Path

from hookwright_console.errors import ReportedError
from hookwright_console.regular_files import read_regular
from hookwright_documentation.databases import CURRENT, find_folder
from hookwright_documentation.origins import ORIGIN
from hookwright_documentation.sharing.references import Reference, parse_reference

PULLED = "pulled"  # in the origin of a generation


@dataclass(frozen=True)
class Pin:
    """Where a database was pulled from."""

    reference: Reference  # as the user gave it. With a digest it always leads to the same artifact
    digest: str  # sha256: and the checksum of the manifest that it led to

    def export(self) -> dict[str, str]:
        """Return it as the origin of a generation has it."""
        return {PULLED: str(self.reference), "digest": self.digest}


def read_pin(name: str, root: Path | None = None) -> Pin | None:
    """Return where a database was pulled from, also of a damaged one; None for others."""
    try:
        folder = find_folder(name, root)
        generation = folder / Path(read_regular(folder / CURRENT).decode().strip()).name
        origin = json.loads(read_regular(generation / ORIGIN))
        return Pin(parse_reference(origin[PULLED]), str(origin["digest"]))
    except (OSError, ValueError, KeyError, TypeError, RecursionError, ReportedError):
        return None
