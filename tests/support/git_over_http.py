"""Serve a bare repository as files over HTTP on the loopback interface."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from ssl import SSLContext

from .documentation_site import Answer, Site, serving
from .git_repository import git, git_save


def write_bare(folder: Path, files: "dict[str, str]", tag: str = "v1.0") -> Path:
    source = folder / "source"
    for name, text in files.items():
        path = source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git_save(source, tag)
    git(source, "branch", "--force", "--move", "main")
    bare = folder / "acme.git"
    git(folder, "clone", "--quiet", "--bare", str(source), str(bare))
    git(bare, "update-server-info")
    return bare


@contextmanager
def serving_files(bare: Path, context: SSLContext | None = None) -> Iterator[Site]:
    site = Site({})
    for path in bare.rglob("*"):
        if path.is_file():
            name = path.relative_to(bare).as_posix()
            answer = Answer(path.read_bytes(), "application/octet-stream")
            for query in ("", "?service=git-upload-pack"):
                site.answers[f"/acme.git/{name}{query}"] = answer
    with serving(site, context) as served:
        yield served


def hide_numbers(text: str) -> str:
    return re.sub(r"\b[0-9a-f]{10}\b", "HASH", text)
