"""Read images, actions and providers from Dockerfiles, compose files, workflows and Terraform."""

import re
from collections import deque
from collections.abc import Iterator, Mapping

from hookwright_documentation.stack.manifest import (
    ACTIONS,
    IMAGES,
    ITEM,
    PROVIDERS,
    Dependency,
    Manifest,
    UnreadableError,
    read_exact,
    read_number,
    read_yaml,
)

MAX_IMAGE = 1_000  # maximum characters per image name
ARGUMENT = re.compile(r"\s*ARG\s+(\w+)=(\S+)", re.IGNORECASE)
FROM = re.compile(r"\s*FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?", re.IGNORECASE)
COPY = re.compile(r"\s*COPY\s[^\n]{0,500}?--from=(\S+)", re.IGNORECASE)
VARIABLE = re.compile(r"\$(?:(\w+)|\{(\w+)(?::?-([^{}]*))?\})")
HOME = ("docker.io/", "index.docker.io/", "registry-1.docker.io/", "library/")
ACTION = re.compile(r"([\w.-]+/[\w.-]+)(?:/[^@\s]*)?@(\S+)")
DOCKER = "docker://"
MAX_DEPTH = 50  # maximum nesting of blocks
REQUIRED = "required_providers"
PROVIDER = "provider "  # start of the header of a provider block
ADDRESS = re.compile(r"(?:registry\.(?:terraform\.io|opentofu\.org)/)?([\w-]+/)?([\w-]+)")
# Comments, followed by groups for quoted strings, names and punctuation.
PART = re.compile(
    r'#[^\n]*|//[^\n]*|/\*.*?(?:\*/|\Z)|"((?:[^"\\\n]|\\.)*)"?|([\w-]+)|([{}=])', re.DOTALL
)
Block = tuple[str, ...]  # a block's header and those of its enclosing blocks


def fill(text: str, values: Mapping[str, str]) -> str:
    def replace(found: re.Match[str]) -> str:
        return values.get(found[1] or found[2]) or found[3] or found[0]

    return VARIABLE.sub(replace, text[:MAX_IMAGE])[:MAX_IMAGE]


def read_image(text: str) -> Iterator[Dependency]:
    """Yield the image named in a text, unless the name is known only at run time."""
    name, _, _ = fill(text, {}).strip("\"'").partition("@")
    before, slash, last = name.rpartition("/")
    last, _, tag = last.partition(":")
    name = f"{before}{slash}{last}"
    for start in HOME:
        name = name.removeprefix(start)
    if "$" not in f"{name}{tag}":
        yield Dependency(IMAGES, name.lower(), read_number(tag))


def read_dockerfile(manifest: Manifest) -> Iterator[Dependency]:
    values: dict[str, str] = {}
    stages = {"scratch"}
    for line in manifest.text.splitlines():
        if found := ARGUMENT.match(line):
            values[found[1]] = fill(found[2].strip("\"'"), values)
        elif found := FROM.match(line) or COPY.match(line):
            name = fill(found[1], values)
            if name.lower() not in stages and not name.isdecimal():
                yield from read_image(name)
            if found.re is FROM and found[2]:
                stages.add(found[2].lower())


def read_compose(manifest: Manifest) -> Iterator[Dependency]:
    for path, value in read_yaml(manifest.text):
        if path[-1:] == ("image",):
            yield from read_image(value)


def read_github(manifest: Manifest) -> Iterator[Dependency]:
    for path, value in read_yaml(manifest.text):
        match path:
            case (*_, "uses") if found := ACTION.fullmatch(value):
                yield Dependency(ACTIONS, found[1], read_number(found[2]))
            case _ if value.startswith(DOCKER):
                yield from read_image(value.removeprefix(DOCKER))
            case (*_, "container") | (*_, "container", "image") | (*_, "services", _, "image"):
                yield from read_image(value)


def read_gitlab(manifest: Manifest) -> Iterator[Dependency]:
    for path, value in read_yaml(manifest.text):
        match path:
            case (*_, "image") | (*_, "image", "name"):
                yield from read_image(value)
            case (*_, "services", key) | (*_, "services", key, "name") if key == ITEM:
                yield from read_image(value)


def read_blocks(text: str) -> Iterator[tuple[Block, str, str]]:
    """Yield each block when it starts, and each string assigned in a block with its name."""
    blocks: Block = ()
    before: deque[str] = deque(maxlen=2)
    for found in PART.finditer(text):
        quoted, word, sign = found.groups()
        if sign == "{":
            if len(blocks) == MAX_DEPTH:
                raise UnreadableError(f"it is over {MAX_DEPTH} blocks deep")
            blocks = (*blocks, before[0] if "=" in before else " ".join(before))
            yield blocks, "", ""
            before.clear()
        elif sign == "}":
            blocks = blocks[:-1]
            before.clear()
        elif quoted is not None and "=" in before:
            if blocks:
                yield blocks, before[0], quoted
            before.clear()
        elif found.lastindex:
            before.append(quoted or word or sign or "")


def read_terraform(manifest: Manifest) -> Iterator[Dependency]:
    required: dict[Block, dict[str, str]] = {}
    for blocks, name, value in read_blocks(manifest.text):
        header = blocks[-1]
        if not name and header.startswith(PROVIDER):
            yield from read_provider(header.removeprefix(PROVIDER))
        elif REQUIRED in blocks[-2:-1]:
            fields = required.setdefault(blocks, {"source": header})
            fields |= {name: value} if name else {}
    for fields in required.values():
        yield from read_provider(fields["source"], fields.get("version", ""))


def read_terraform_lock(manifest: Manifest) -> Iterator[Dependency]:
    for blocks, name, value in read_blocks(manifest.text):
        if name == "version" and blocks[-1].startswith(PROVIDER):
            yield from read_provider(blocks[-1].removeprefix(PROVIDER), value, is_direct=False)


def read_provider(
    address: str, version: str = "", *, is_direct: bool = True
) -> Iterator[Dependency]:
    """Yield the provider with a Terraform registry address such as hashicorp/aws or aws."""
    if found := ADDRESS.fullmatch(address):
        name = f"{found[1] or ''}{found[2]}".lower()
        yield Dependency(PROVIDERS, name, read_exact(version), is_direct)
