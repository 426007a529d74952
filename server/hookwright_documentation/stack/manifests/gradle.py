"""Read the dependencies that stand in build.gradle as texts; the file is not run."""

import re
from collections.abc import Iterator

from hookwright_documentation.stack.dependency import MAVEN, Dependency, read_exact
from hookwright_documentation.stack.folder import Manifest

NOTATION = re.compile(r"""["']([\w.-]+):([\w.-]+)(?::([\w.+-]+))?(?:@\w+)?["']""")
PLUGIN = re.compile(
    r"""\bid[\s(]{1,9}["']([\w.-]+)["']\)?(?:\s{1,9}version\s{1,9}["']([\w.+-]+)["'])?"""
)


def read_gradle(manifest: Manifest) -> Iterator[Dependency]:
    for line in manifest.text.splitlines():
        code = line.partition("//")[0] if "://" not in line else line
        for found in NOTATION.finditer(code):
            yield Dependency(MAVEN, f"{found[1]}:{found[2]}", read_exact(found[3]))
        for found in PLUGIN.finditer(code):
            if "." in found[1]:  # Gradle's own have none
                name = f"{found[1]}:{found[1]}.gradle.plugin"  # as it is published
                yield Dependency(MAVEN, name, read_exact(found[2]))
