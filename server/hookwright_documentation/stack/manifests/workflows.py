"""Read the actions and images of GitHub's and GitLab's workflows."""

import re
from collections.abc import Iterator

from hookwright_documentation.stack.dependency import ACTIONS, Dependency, read_number
from hookwright_documentation.stack.folder import Manifest
from hookwright_documentation.stack.manifests.images import fill, read_image
from hookwright_documentation.stack.manifests.tables import ITEM, read_yaml

ACTION = re.compile(r"([\w.-]+/[\w.-]+)(?:/[^@\s]*)?@(\S+)")
DOCKER = "docker://"


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
    """Yield the image that a text names, unless only a run knows it."""
    image = read_image(fill(text, {}))
    if image:
        yield image
