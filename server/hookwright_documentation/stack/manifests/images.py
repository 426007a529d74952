"""Read images from Dockerfiles, compose files and workflows, and actions from workflows."""

import re
from collections.abc import Iterator, Mapping

from hookwright_documentation.stack.manifest import (
    ACTIONS,
    IMAGES,
    Dependency,
    Manifest,
    read_number,
)
from hookwright_documentation.stack.manifests.tables import ITEM, read_yaml

MAX_IMAGE = 1_000  # maximum characters per image name
ARGUMENT = re.compile(r"\s*ARG\s+(\w+)=(\S+)", re.IGNORECASE)
FROM = re.compile(r"\s*FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?", re.IGNORECASE)
COPY = re.compile(r"\s*COPY\s[^\n]{0,500}?--from=(\S+)", re.IGNORECASE)
VARIABLE = re.compile(r"\$(?:(\w+)|\{(\w+)(?::?-([^{}]*))?\})")
HOME = ("docker.io/", "index.docker.io/", "registry-1.docker.io/", "library/")
ACTION = re.compile(r"([\w.-]+/[\w.-]+)(?:/[^@\s]*)?@(\S+)")
DOCKER = "docker://"


def read_image(text: str) -> Dependency | None:
    """Return an image without registry and tag, or None if its name has an unresolved variable."""
    if "$" in text or len(text) > MAX_IMAGE:
        return None
    name, _, digest = text.strip("\"'").partition("@")
    before, slash, last = name.rpartition("/")
    last, _, tag = last.partition(":")
    name = f"{before}{slash}{last}"
    for start in HOME:
        name = name.removeprefix(start)
    return Dependency(IMAGES, name.lower(), read_number(tag)) if name or digest else None


def fill(text: str, values: Mapping[str, str]) -> str:
    def replace(found: re.Match[str]) -> str:
        return values.get(found[1] or found[2]) or found[3] or found[0]

    return VARIABLE.sub(replace, text[:MAX_IMAGE])[:MAX_IMAGE]


def read_dockerfile(manifest: Manifest) -> Iterator[Dependency]:
    values: dict[str, str] = {}
    stages = {"scratch"}
    for line in manifest.text.splitlines():
        if found := ARGUMENT.match(line):
            values[found[1]] = fill(found[2].strip("\"'"), values)
            continue
        found = FROM.match(line) or COPY.match(line)
        if not found:
            continue
        name = fill(found[1], values)
        image = None if name.lower() in stages or name.isdecimal() else read_image(name)
        if found.re is FROM and found[2]:
            stages.add(found[2].lower())
        if image:
            yield image


def read_compose(manifest: Manifest) -> Iterator[Dependency]:
    for path, value in read_yaml(manifest.text):
        if path[-1:] == ("image",) and (image := read_image(fill(value, {}))):
            yield image


def read_github(manifest: Manifest) -> Iterator[Dependency]:
    for path, value in read_yaml(manifest.text):
        match path:
            case (*_, "uses") if found := ACTION.fullmatch(value):
                yield Dependency(ACTIONS, found[1], read_number(found[2]))
            case _ if value.startswith(DOCKER):
                yield from read_images(value.removeprefix(DOCKER))
            case (*_, "container") | (*_, "container", "image") | (*_, "services", _, "image"):
                yield from read_images(value)


def read_gitlab(manifest: Manifest) -> Iterator[Dependency]:
    for path, value in read_yaml(manifest.text):
        match path:
            case (*_, "image") | (*_, "image", "name"):
                yield from read_images(value)
            case (*_, "services", key) | (*_, "services", key, "name") if key == ITEM:
                yield from read_images(value)


def read_images(text: str) -> Iterator[Dependency]:
    """Yield the image named in a text, unless the name is known only at run time."""
    image = read_image(fill(text, {}))
    if image:
        yield image
