"""What a manifest names: a package, an image, an action, a provider or a command."""

import re
from dataclasses import dataclass

PYPI, NPM, GO, CRATES, GEMS, MAVEN = "pypi", "npm", "go", "crates", "gems", "maven"
IMAGES, ACTIONS, PROVIDERS, COMMANDS = "images", "actions", "providers", "commands"
NAME = re.compile(r"[A-Za-z0-9@_.][A-Za-z0-9@_./:+~-]{0,199}")
VERSION = re.compile(r"[A-Za-z0-9_.+!~-]{1,60}")
LIMITS = re.compile(r"[A-Za-z0-9_.+!~^<>=*|, -]{1,60}")
LOWEST = re.compile(r"(?:\^|~>?|~=|>=)? *v?(\d{1,9}(?:\.\d{1,9}){0,2})(?![\w.])", re.ASCII)
NUMBER = re.compile(r"v?(\d{1,9}(?:\.\d{1,9}){0,3})(?!\w)", re.ASCII)


@dataclass(frozen=True)
class Dependency:
    """A dependency as a manifest names it."""

    ecosystem: str  # A key of `packages` in recipes, such as pypi
    name: str
    version: str = ""  # the version in use, such as 4.2.1; "" where the manifest only limits it
    is_direct: bool = True  # whether the project itself asks for it; else a lock file lists it
    file: str = ""  # the manifest, relative to the project, with / between its parts
    limits: str = ""  # how the manifest limits it, such as ^3.4; "" where it does not

    @property
    def is_plain(self) -> bool:
        """Whether it can be a dependency: its name has no other characters than names have."""
        return bool(NAME.fullmatch(self.name))


def read_exact(requirement: object) -> str:
    """Return the version that a requirement such as =1.2.3 pins, or "" where it allows several."""
    text = requirement.strip() if isinstance(requirement, str) else ""
    text = text.removeprefix("==").removeprefix("=").strip().removeprefix("v")
    return text if text[:1].isdecimal() and VERSION.fullmatch(text) and "*" not in text else ""


def read_limits(requirement: object) -> str:
    """Return how a requirement such as ^3.4 limits a version, or "" where it pins or allows any."""
    text = " ".join(requirement.split()) if isinstance(requirement, str) else ""
    if read_exact(text) or not re.search(r"\d", text):
        return ""
    return text if LIMITS.fullmatch(text) else ""


def read_lowest(limits: str) -> str:
    """Return the major and minor version that a range such as ~=4.2.1 begins with, or "".

    Of several conditions that which gives a lower bound counts.
    """
    for part in limits.split(","):
        if found := LOWEST.match(part.strip()):
            return ".".join(found[1].split(".")[:2])
    return ""


def read_number(text: str) -> str:
    """Return the number that a tag such as v16-alpine or 3.12.1-slim begins with, or ""."""
    found = NUMBER.match(text)
    return found[1] if found else ""
