"""Read package.json."""

import re
from collections.abc import Iterator

from hookwright_documentation.stack.dependency import NPM, Dependency, read_exact, read_limits
from hookwright_documentation.stack.folder import Manifest
from hookwright_documentation.stack.manifests.tables import pick, read_json

TABLES = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
LOCAL = ("workspace:", "file:", "link:", "portal:", ".", "/")
ALIAS = re.compile(r"npm:(@?[^@]+)(?:@(.*))?")


def read_package(manifest: Manifest) -> Iterator[Dependency]:
    tables = read_json(manifest.text)
    for key in TABLES:
        for name, wanted in pick(tables, key).items():
            if not isinstance(wanted, str) or wanted.startswith(LOCAL):
                continue
            alias = ALIAS.match(wanted)
            real, version = (alias[1], alias[2] or "") if alias else (name, wanted)
            yield Dependency(NPM, real, read_exact(version), limits=read_limits(version))
