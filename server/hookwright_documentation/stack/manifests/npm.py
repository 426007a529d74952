"""Read package.json, package-lock.json, yarn.lock (both kinds) and pnpm-lock.yaml."""

import re
from collections.abc import Iterator

from hookwright_console.objects import pick
from hookwright_documentation.stack.manifest import (
    NPM,
    Dependency,
    Manifest,
    read_exact,
    read_limits,
)
from hookwright_documentation.stack.manifests.tables import read_json, read_yaml

TABLES = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
LOCAL = ("workspace:", "file:", "link:", "portal:", ".", "/")
ALIAS = re.compile(r"npm:(@?[^@]+)(?:@(.*))?")
MODULES = "node_modules/"
YARN_KEY = re.compile(r'"?(@?[^@\s"]+)@[^\n]*:$')
YARN_VERSION = re.compile(r' {2}version:? "?([^"\s]+)"?$')
PNPM_KEY = re.compile(r"/?(@?[^@()/]+(?:/[^@()/]+)?)[@/]([^@()/]+)(?:\(.*)?$")


def read_package(manifest: Manifest) -> Iterator[Dependency]:
    tables = read_json(manifest.text)
    for key in TABLES:
        for name, wanted in pick(tables, key).items():
            if not isinstance(wanted, str) or wanted.startswith(LOCAL):
                continue
            alias = ALIAS.match(wanted)
            real, version = (alias[1], alias[2] or "") if alias else (name, wanted)
            yield Dependency(NPM, real, read_exact(version), limits=read_limits(version))


def read_npm_lock(manifest: Manifest) -> Iterator[Dependency]:
    """Yield the packages of a package-lock.json, version 1 to 3."""
    tables = read_json(manifest.text)
    packages = pick(tables, "packages")
    for path in packages:
        if path.count(MODULES) == 1:  # packages at deeper paths are indirect dependencies
            version = pick(packages, path).get("version")
            name = path.partition(MODULES)[2]
            yield Dependency(NPM, name, read_exact(version), is_direct=False)
    older = {} if packages else pick(tables, "dependencies")
    for name in older:
        version = read_exact(pick(older, name).get("version"))
        yield Dependency(NPM, name, version, is_direct=False)


def read_yarn_lock(manifest: Manifest) -> Iterator[Dependency]:
    name = ""
    for line in manifest.text.splitlines():
        if line and not line.startswith((" ", "#")):
            found = YARN_KEY.match(line)
            name = found[1] if found else ""
        elif name and (found := YARN_VERSION.match(line)):
            yield Dependency(NPM, name, read_exact(found[1]), is_direct=False)
            name = ""


def read_pnpm_lock(manifest: Manifest) -> Iterator[Dependency]:
    seen = set()
    for path, _ in read_yaml(manifest.text):
        match path:
            case ("packages", key, *_) if key not in seen:
                seen.add(key)
                if found := PNPM_KEY.match(key):
                    yield Dependency(NPM, found[1], read_exact(found[2]), is_direct=False)
