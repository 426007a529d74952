"""Read the requirements of pip, with the files that they include."""

import re
from collections.abc import Iterator
from dataclasses import replace

from hookwright_console.text import shorten
from hookwright_documentation.stack.dependency import Dependency
from hookwright_documentation.stack.folder import Manifest, UnreadableError
from hookwright_documentation.stack.manifests.python_projects import read_requirement

MAX_INCLUDES = 50
MAX_REQUIREMENT = 2_000  # characters of a requirement
INCLUDE = re.compile(r"(?:-r|-c|--requirement|--constraint)(?:\s*=\s*|\s+|(?<=-[rc]))(\S+)")
OPTION = re.compile(r"\s--?[a-z]")  # after a requirement, such as --hash
COMMENT = re.compile(r"(?:^|\s)#")
WHEEL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|[./\\]")  # a URL or a path


def read_requirements(manifest: Manifest) -> Iterator[Dependency]:
    """Yield the dependencies of a file of requirements, and of those that it includes.

    What pip-compile wrote for a file with the end .in is a lock file, and so are constraints.
    """
    seen = {manifest.path}
    waiting = [(manifest, not is_compiled(manifest))]
    while waiting:
        current, is_direct = waiting.pop()
        for line in join_lines(current.text):
            if found := INCLUDE.match(line):
                path = current.locate(found[1].strip("\"'"))
                if path in seen or "://" in found[1]:
                    continue
                seen.add(path)
                if len(seen) > MAX_INCLUDES:
                    current.folder.warnings.append(
                        f"{manifest.path}: stopped after {MAX_INCLUDES} included files"
                    )
                    return
                is_constraint = line.startswith(("-c", "--c"))
                if included := include(current, path):
                    waiting.append((included, is_direct and not is_constraint))
            elif not line.startswith("-") and not WHEEL.match(line):
                text = OPTION.split(line, maxsplit=1)[0]
                dependency = read_requirement(text) if len(text) <= MAX_REQUIREMENT else None
                if dependency:
                    yield replace(dependency, is_direct=is_direct, file=current.path)


def include(manifest: Manifest, path: str) -> Manifest | None:
    """Return a file that another one includes, or None where it is not read."""
    try:
        return Manifest(path, manifest.folder.read(path), manifest.folder)
    except UnreadableError as error:
        told = f"includes {shorten(path)}: {shorten(str(error))}"
        manifest.folder.warnings.append(f"{manifest.path} {told}")
        return None


def is_compiled(manifest: Manifest) -> bool:
    return manifest.name.endswith(".txt") and manifest.has_beside(f"{manifest.name[:-4]}.in")


def join_lines(text: str) -> Iterator[str]:
    """Yield the lines without comments and blanks; a backslash at the end goes on with the next."""
    parts: list[str] = []
    for line in text.splitlines():
        parts.append(line.removesuffix("\\"))
        if not line.endswith("\\"):
            yield from strip_comment("".join(parts))
            parts = []
    yield from strip_comment("".join(parts))


def strip_comment(line: str) -> Iterator[str]:
    text = COMMENT.split(line, maxsplit=1)[0].strip()
    if text:
        yield text
