"""Read the files that say which version of a program a project uses."""

from collections.abc import Iterator

from hookwright_documentation.stack.manifest import COMMANDS, Dependency, Manifest, read_number

NODE = (".nvmrc", ".node-version")
OTHER_NAMES = {"nodejs": "node", "golang": "go"}  # of .tool-versions


def read_version(manifest: Manifest) -> Iterator[Dependency]:
    program = "node" if manifest.name in NODE else manifest.name[1:].removesuffix("-version")
    yield Dependency(COMMANDS, program, read_number(manifest.text[:100].strip()))


def read_tool_versions(manifest: Manifest) -> Iterator[Dependency]:
    for line in manifest.text.splitlines():
        name, _, version = line.partition("#")[0].strip().partition(" ")
        if name:
            yield Dependency(COMMANDS, OTHER_NAMES.get(name, name), read_number(version.strip()))
