"""Read go.mod."""

import re
from collections.abc import Iterator

from hookwright_documentation.stack.manifest import (
    COMMANDS,
    GO,
    Dependency,
    Manifest,
    read_exact,
    read_number,
)

REQUIRED = re.compile(r"(?:require\s+)?(\S+)\s+(v\S+)\s*(//\s*indirect)?")


def read_modules(manifest: Manifest) -> Iterator[Dependency]:
    block = ""
    for line in map(str.strip, manifest.text.splitlines()):
        word, *rest = line.split(maxsplit=1) or [""]
        if block:
            block = "" if line.startswith(")") else block
        elif rest and rest[0].startswith("("):
            block = word
            continue
        if "require" in (block, word) and (found := REQUIRED.match(line)):
            yield Dependency(GO, found[1], read_exact(found[2]), is_direct=not found[3])
        elif word == "go" and rest and not block:
            yield Dependency(COMMANDS, "go", read_number(rest[0]))
