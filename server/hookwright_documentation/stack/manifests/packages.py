"""Read manifests of Go, Ruby, Rust, npm, Maven and Gradle, lock files and version files.

Nothing is executed. A TOML parser would take a hundred times as long for a large lock file.
"""

import re
from collections.abc import Iterator, Mapping

from hookwright_console.objects import pick
from hookwright_documentation.stack.manifest import (
    COMMANDS,
    CRATES,
    GEMS,
    GO,
    MAVEN,
    NPM,
    PYPI,
    Dependency,
    Manifest,
    UnreadableError,
    read_exact,
    read_json,
    read_limits,
    read_number,
    read_toml,
    read_yaml,
)

REQUIRED = re.compile(r"(?:require\s+)?(\S+)\s+(v\S+)\s*(//\s*indirect)?")
GEM = re.compile(r"""\s*gem[\s(]+["']([^"']+)["'](?:\s*,\s*["']([^"']*)["'])?([^#\n]*)""")
LOCAL_GEM = re.compile(r"\bpath(?::|\s*=>)")
RUBY = re.compile(r"""\s*ruby[\s(]+["']([^"']+)["']""")
SPEC = re.compile(r" {4}(\S+) \(([^)\s]+)\)")
PACKAGE = "[[package]]"
FIELD = re.compile(r'(name|version|source|type) = (?:"([^"]*)"|\{ (editable|virtual|directory)\b)?')
OWN = {"editable", "virtual", "directory", "file"}  # source types of the project's own packages
CARGO_TABLES = ("dependencies", "dev-dependencies", "build-dependencies")
NPM_TABLES = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
LOCAL = ("workspace:", "file:", "link:", "portal:", ".", "/")
ALIAS = re.compile(r"npm:(@?[^@]+)(?:@(.*))?")
MODULES = "node_modules/"
YARN_KEY = re.compile(r'"?(@?[^@\s"]+)@[^\n]*:$')
YARN_VERSION = re.compile(r' {2}version:? "?([^"\s]+)"?$')
PNPM_KEY = re.compile(r"/?(@?[^@()/]+(?:/[^@()/]+)?)[@/]([^@()/]+)(?:\(.*)?$")
PROPERTY = re.compile(r"\$\{([^{}]+)\}")
MAX_ELEMENTS = 20_000  # maximum number of elements of each kind in a pom.xml
MAX_TEXT = 200  # maximum characters of a name or version in a pom.xml
NOTATION = re.compile(r"""["']([\w.-]+):([\w.-]+)(?::([\w.+-]+))?(?:@\w+)?["']""")
PLUGIN = re.compile(
    r"""\bid[\s(]{1,9}["']([\w.-]+)["']\)?(?:\s{1,9}version\s{1,9}["']([\w.+-]+)["'])?"""
)
NODE = (".nvmrc", ".node-version")
OTHER_NAMES = {"nodejs": "node", "golang": "go"}  # names in .tool-versions


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


def read_gemfile(manifest: Manifest) -> Iterator[Dependency]:
    for line in manifest.text.splitlines():
        if found := GEM.match(line):
            if not LOCAL_GEM.search(found[3]):
                yield Dependency(GEMS, found[1], read_exact(found[2]))
        elif found := RUBY.match(line):
            yield Dependency(COMMANDS, "ruby", read_number(found[1]))


def read_gemfile_lock(manifest: Manifest) -> Iterator[Dependency]:
    section = ""
    for line in manifest.text.splitlines():
        if line and not line.startswith(" "):
            section = line
        elif section in ("GEM", "GIT") and (found := SPEC.fullmatch(line)):
            version = read_exact(found[2].partition("-")[0])  # a platform may follow
            yield Dependency(GEMS, found[1], version, is_direct=False)


def read_locked(text: str) -> Iterator[Mapping[str, str]]:
    """Yield the fields of each package in a lock file of uv, Poetry or Cargo."""
    fields: dict[str, str] = {}
    for line in [*text.splitlines(), PACKAGE]:
        if line == PACKAGE:
            if "name" in fields:
                yield fields
            fields = {PACKAGE: ""}
        elif fields and (found := FIELD.match(line)):
            fields.setdefault(found[1], found[2] or found[3] or "")


def read_python_lock(manifest: Manifest) -> Iterator[Dependency]:
    for fields in read_locked(manifest.text):
        if not OWN.intersection((fields.get("source"), fields.get("type"))):
            version = read_exact(fields.get("version"))
            yield Dependency(PYPI, fields["name"], version, is_direct=False)


def read_cargo(manifest: Manifest) -> Iterator[Dependency]:
    tables = read_toml(manifest.text)
    targets = pick(tables, "target")
    holders = [tables, pick(tables, "workspace"), *(pick(targets, name) for name in targets)]
    every = [pick(holder, key).items() for holder in holders for key in CARGO_TABLES]
    for name, value in (item for items in every for item in items):
        table = value if isinstance(value, dict) else {"version": value}
        if "path" in table:
            continue
        wanted = table.get("version")
        if isinstance(wanted, str) and read_exact(wanted) == wanted.strip():
            wanted = f"^{wanted.strip()}"  # a bare 1.2 also allows 1.9
        named = str(table.get("package", name))
        yield Dependency(CRATES, named, read_exact(wanted), limits=read_limits(wanted))


def read_cargo_lock(manifest: Manifest) -> Iterator[Dependency]:
    for fields in read_locked(manifest.text):
        if "source" in fields:  # the project's own packages have no source
            version = read_exact(fields.get("version"))
            yield Dependency(CRATES, fields["name"], version, is_direct=False)


def read_package(manifest: Manifest) -> Iterator[Dependency]:
    tables = read_json(manifest.text)
    every = (item for key in NPM_TABLES for item in pick(tables, key).items())
    for name, wanted in every:
        if isinstance(wanted, str) and not wanted.startswith(LOCAL):
            alias = ALIAS.match(wanted)
            real, version = (alias[1], alias[2] or "") if alias else (name, wanted)
            yield Dependency(NPM, real, read_exact(version), limits=read_limits(version))


def read_npm_lock(manifest: Manifest) -> Iterator[Dependency]:
    """Yield the packages of a package-lock.json, version 1 to 3."""
    tables = read_json(manifest.text)
    packages = pick(tables, "packages")
    older = {} if packages else pick(tables, "dependencies")
    # Packages at deeper paths are indirect dependencies.
    names = {path: path.partition(MODULES)[2] for path in packages if path.count(MODULES) == 1}
    for key, name in (names or dict(zip(older, older, strict=True))).items():
        version = read_exact(pick(packages or older, key).get("version"))
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
    paths = (path for path, _ in read_yaml(manifest.text))
    keys = dict.fromkeys(path[1] for path in paths if path[:1] == ("packages",) and path[1:])
    for found in filter(None, map(PNPM_KEY.match, keys)):
        yield Dependency(NPM, found[1], read_exact(found[2]), is_direct=False)


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

    def read_child(element: etree._Element, name: str) -> str:
        return (element.findtext(f"{{*}}{name}") or "").strip()[:MAX_TEXT]

    properties = {"project.version": read_child(root, "version")}
    for element in root.iterfind("{*}properties/{*}*"):
        properties[etree.QName(element).localname] = (element.text or "").strip()[:MAX_TEXT]
    for kind in ("parent", "dependency", "plugin"):
        for number, element in enumerate(root.iter(f"{{*}}{kind}")):
            if number == MAX_ELEMENTS:
                raise UnreadableError(f"it has over {MAX_ELEMENTS:,} dependencies")
            parts = (read_child(element, name) for name in ("groupId", "artifactId", "version"))
            group, name, wanted = parts
            version = PROPERTY.sub(lambda found: properties.get(found[1], ""), wanted)
            if group and name and "$" not in group:
                yield Dependency(MAVEN, f"{group}:{name}", read_exact(version))


def read_gradle(manifest: Manifest) -> Iterator[Dependency]:
    for line in manifest.text.splitlines():
        code = line.partition("//")[0] if "://" not in line else line
        for found in NOTATION.finditer(code):
            yield Dependency(MAVEN, f"{found[1]}:{found[2]}", read_exact(found[3]))
        for found in PLUGIN.finditer(code):
            if "." in found[1]:  # names of Gradle's own plugins have no dot
                name = f"{found[1]}:{found[1]}.gradle.plugin"  # its published name
                yield Dependency(MAVEN, name, read_exact(found[2]))


def read_version(manifest: Manifest) -> Iterator[Dependency]:
    program = "node" if manifest.name in NODE else manifest.name[1:].removesuffix("-version")
    yield Dependency(COMMANDS, program, read_number(manifest.text[:100].strip()))


def read_tool_versions(manifest: Manifest) -> Iterator[Dependency]:
    for line in manifest.text.splitlines():
        name, _, version = line.partition("#")[0].strip().partition(" ")
        if name:
            yield Dependency(COMMANDS, OTHER_NAMES.get(name, name), read_number(version.strip()))
