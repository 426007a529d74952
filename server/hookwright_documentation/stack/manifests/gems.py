"""Read Gemfile and Gemfile.lock; neither is run."""

import re
from collections.abc import Iterator

from hookwright_documentation.stack.manifest import (
    COMMANDS,
    GEMS,
    Dependency,
    Manifest,
    read_exact,
    read_number,
)

GEM = re.compile(r"""\s*gem[\s(]+["']([^"']+)["'](?:\s*,\s*["']([^"']*)["'])?([^#\n]*)""")
LOCAL = re.compile(r"\bpath(?::|\s*=>)")
RUBY = re.compile(r"""\s*ruby[\s(]+["']([^"']+)["']""")
SPEC = re.compile(r" {4}(\S+) \(([^)\s]+)\)")


def read_gemfile(manifest: Manifest) -> Iterator[Dependency]:
    for line in manifest.text.splitlines():
        if found := GEM.match(line):
            if not LOCAL.search(found[3]):
                yield Dependency(GEMS, found[1], read_exact(found[2]))
        elif found := RUBY.match(line):
            yield Dependency(COMMANDS, "ruby", read_number(found[1]))


def read_gemfile_lock(manifest: Manifest) -> Iterator[Dependency]:
    section = ""
    for line in manifest.text.splitlines():
        if line and not line.startswith(" "):
            section = line
        elif section in ("GEM", "GIT") and (found := SPEC.fullmatch(line)):
            version = read_exact(found[2].partition("-")[0])  # after it comes the platform
            yield Dependency(GEMS, found[1], version, is_direct=False)
