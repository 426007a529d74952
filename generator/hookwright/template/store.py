"""Keep the bundled template in a repository from which Copier can update projects.

A project remembers its template's location. The location cannot be the installed package, which
contains only one version and is removed on uninstall. The template is therefore copied to a git
repository in the user's data folder, with a tag for each version.

A release also knows the repository that it was published from. Its projects remember that
repository, so that Copier can also update them on other machines; on this machine, they are
rendered from the copy.
"""

import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

from hookwright import __version__
from hookwright.git import OWN, has_git, run_git
from hookwright_console.errors import RefusedError
from hookwright_console.files.atomic import ignoring_interrupts, replacing
from hookwright_console.files.regular import read_regular
from hookwright_console.files.user_folders import find_state_folder, find_user_folder

PACKAGE = Path(__file__).parents[1]
PACKAGED = PACKAGE / "bundled"  # in a wheel
CHECKOUT = PACKAGE.parents[1]
SCHEMA = "generator/schema.json"
ORDINARY_WORDS = "generator/ambiguous.json"
# Modules that the command line and rendered projects share; a wheel contains them once.
RENDERED = "generator/hookwright/"
PARTS = (
    *("copier.yml", "template", "generator/clients", "generator/hooks", "generator/macros"),
    *("generator/runtime", SCHEMA, ORDINARY_WORDS),
    f"{RENDERED}installer",
)
NAME = "hookwright"
RELEASE = re.compile(r"v?(\d+)\.(\d+)\.(\d+)")
REPOSITORY = "Repository, "  # precedes its address in a release's metadata
KNOWN = "templates"  # in the state folder: one address per line


def find_template() -> Path:
    """Return the folder of the template bundled with this version."""
    return PACKAGED if PACKAGED.exists() else CHECKOUT


def find_checks(source: str) -> Path:
    """Return the folder of the template that checks answers; for a URL, the bundled one."""
    own = Path(source)
    return own if own.is_absolute() and os.access(own / "copier.yml", os.R_OK) else find_template()


@cache
def find_repository() -> str:
    """Return the git URL that this release was published from; "" for any other build."""
    try:
        addresses = metadata(NAME).get_all("Project-URL") or ()
    except PackageNotFoundError:
        return ""
    found = (line.removeprefix(REPOSITORY) for line in addresses if line.startswith(REPOSITORY))
    address = next(found, "").rstrip("/")
    return f"{address.removesuffix('.git')}.git" if address else ""


def find_own_source() -> str:
    """Return the source for this version's projects: a release's repository, or our copy."""
    kept = str(keep_template())
    is_release = find_newest(kept) == f"v{__version__}"
    return find_repository() if is_release and find_repository() else kept


def is_own(source: str) -> bool:
    """Return whether a template is this program's own, and so is also in the kept copy."""
    return source in {str(find_kept_template()), find_repository() or None}


def read_release(version: str) -> tuple[int, ...]:
    """Return the three numbers at the start of a version, or ()."""
    release = RELEASE.match(version)
    return tuple(map(int, release.groups())) if release else ()


def find_kept_template() -> Path:
    """Return the folder of the user's kept template, which may not exist yet."""
    return find_user_folder("data") / "template"


def keep_template() -> Path:
    """Copy the template to the user's data folder as its newest version; return the folder.

    Without git it is a plain folder: projects can be rendered from it, but not updated.
    """
    kept = find_kept_template()
    files = read_template(find_template())
    is_whole = (kept / ".git").exists() == has_git() == bool(find_newest(str(kept)))
    if is_whole and read_template(kept) == files:
        return kept
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept.parent, prefix=".template-") as name:
            build_template(Path(name, "template"), kept, files)
            replace_folder(Path(name, "template"), kept, Path(name, "former"))
    except OSError as error:
        raise RefusedError(
            f"{kept} cannot be written ({error.strerror}): fix that, or set XDG_DATA_HOME"
        ) from None
    return kept


def read_template(folder: Path) -> dict[str, tuple[bytes, bool]]:
    files = {}
    for part in PARTS:
        is_own = folder == PACKAGED and part.startswith(RENDERED)
        root = PACKAGE / part.removeprefix(RENDERED) if is_own else folder / part
        for path in [root] if root.is_file() else root.rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                name = (Path(part) / path.relative_to(root)).as_posix()
                files[name] = path.read_bytes(), os.access(path, os.X_OK)
    return dict(sorted(files.items()))


def build_template(folder: Path, kept: Path, files: Mapping[str, tuple[bytes, bool]]) -> None:
    folder.mkdir()
    if has_git() and (kept / ".git").is_dir():
        shutil.copytree(kept / ".git", folder / ".git", symlinks=True)
    elif has_git():
        run_git(folder, *OWN, "init", "--quiet", "--template=", "--object-format=sha1")
    write_files(folder, files)
    if has_git():
        tag = find_free_tag(folder)
        run_git(folder, *OWN, "add", "--all", "--force")
        run_git(folder, *OWN, "update-ref", "refs/heads/main", write_commit(folder, tag))
        run_git(folder, *OWN, "tag", tag, "main")


def write_commit(folder: Path, tag: str) -> str:
    """Commit the staged files, and return the hash.

    The commit has no parent and no date, so that a version has the same hash on every machine:
    rendered files contain the hash.
    """
    tree = run_git(folder, *OWN, "write-tree")
    author = "Hookwright <hookwright@localhost> 0 +0000"
    text = f"tree {tree}\nauthor {author}\ncommitter {author}\n\nTake {tag}\n".encode()
    return run_git(folder, *OWN, "hash-object", "-t", "commit", "-w", "--stdin", stdin=text)


def write_files(folder: Path, files: Mapping[str, tuple[bytes, bool]]) -> None:
    for path, (content, runs) in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
        (folder / path).chmod(0o755 if runs else 0o644)


def copy_template(folder: Path) -> Path:
    """Copy the bundled template to a new folder without git, and return the new folder."""
    write_files(folder, read_template(find_template()))
    return folder


def find_newest(source: str) -> str:
    """Return the newest version of this program's own template, or "" for others or without git."""
    kept = find_kept_template()
    if not is_own(source):
        return ""
    try:
        return run_git(kept, *OWN, "describe", "--tags", "--exact-match", "HEAD")
    except RefusedError:
        return ""


def is_newest(source: str, version: str) -> bool:
    """Return whether a template's version is that of the bundled template."""
    if not version or version != find_newest(source):
        return False
    return read_template(find_kept_template()) == read_template(find_template())


def has_commit(source: str, version: str) -> bool:
    """Return whether a local template has a tag or commit."""
    try:
        run_git(Path(source), *OWN, "rev-parse", "--verify", "--quiet", f"{version}^{{commit}}")
    except RefusedError:
        return False
    return True


def find_free_tag(folder: Path) -> str:
    taken = set(run_git(folder, *OWN, "tag", "--list").split())
    tag, number = f"v{__version__}", 0
    while tag in taken:
        number += 1
        tag = f"v{__version__}.post{number}"
    return tag


def replace_folder(folder: Path, kept: Path, former: Path) -> None:
    """Replace a folder by another, and move it to `former`."""
    with ignoring_interrupts():
        if kept.exists():
            kept.rename(former)
        folder.rename(kept)


def is_known(source: str) -> bool:
    """Return whether a template is local, or the user has agreed to its address before."""
    return not source or Path(source).is_absolute() or is_own(source) or source in read_known()


def read_known() -> list[str]:
    try:
        return read_regular(find_state_folder() / KNOWN).decode().splitlines()
    except (OSError, ValueError):
        return []


def remember(source: str) -> None:
    """Remember that the user agreed to an address; raises RefusedError."""
    if is_known(source):
        return
    path = find_state_folder() / KNOWN
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with replacing(path) as file:
            file.writelines(f"{address}\n" for address in (*read_known(), source))
    except OSError as error:
        raise RefusedError(f"cannot write {path} ({error.strerror}): fix that") from None
