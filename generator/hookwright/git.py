"""Run git so that neither the user's configuration nor a repository's changes its behaviour."""

import os
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from hookwright_console.errors import RefusedError

TRUSTING = "safe.directory=*"  # for Hookwright's own repositories; templates may belong to anybody
# For repositories that only Hookwright sees: the user's identity, keys and hooks are not used.
OWN = (
    *("-c", "user.name=Hookwright", "-c", "user.email=hookwright@localhost"),
    *("-c", "commit.gpgSign=false", "-c", "tag.gpgSign=false", "-c", "core.autocrlf=false"),
    *("-c", f"core.hooksPath={os.devnull}", "-c", "init.defaultBranch=main"),
    *("-c", TRUSTING, "-c", "gc.auto=0", "-c", "core.fsmonitor="),
)
# A repository may be untrusted: reading it must not run any program that it configures.
NO_MONITOR = {"core.fsmonitor": ""}
NO_HOOKS = {"core.hooksPath": os.devnull}
# Git may fetch a missing object with a program that the repository configures.
NO_FETCH = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
FROM_DISK = {**NO_FETCH, "GIT_ALLOW_PROTOCOL": "file"}
# A git hook that runs Hookwright sets these variables to its own repository.
FOREIGN = (
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR"),
    *("GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_SHALLOW_FILE"),
)


def has_git() -> bool:
    return shutil.which("git") is not None


def build_own(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment for git run by Copier, in repositories that only Hookwright sees."""
    settings = [word.split("=", 1) for word in OWN if "=" in word and word != TRUSTING]
    return configure(environment, dict(settings))


def configure(environment: Mapping[str, str], settings: Mapping[str, str]) -> dict[str, str]:
    own = {name: text for name, text in environment.items() if name not in FOREIGN}
    count = own.get("GIT_CONFIG_COUNT", "")
    number = int(count) if count.isdecimal() else 0
    for place, (key, value) in enumerate(settings.items(), number):
        own |= {f"GIT_CONFIG_KEY_{place}": key, f"GIT_CONFIG_VALUE_{place}": value}
    return {**own, "GIT_CONFIG_COUNT": str(number + len(settings))}


def run_git(folder: Path, *arguments: str, stdin: bytes | None = None) -> str:
    """Run git in a folder, shielded from Ctrl-C, and return its stripped output."""
    return run_git_raw(folder, *arguments, stdin=stdin).decode("utf-8", "replace").strip()


def run_git_raw(
    folder: Path,
    *arguments: str,
    stdin: bytes | None = None,
    settings: Mapping[str, str] | None = None,
) -> bytes:
    """Run git like `run_git` with settings, and return its exact output."""
    # Only a commit should run the user's git hooks and fetch missing objects.
    command = next(word for word in arguments if not word.startswith("-") and "=" not in word)
    commits = command == "commit"
    own = {**NO_MONITOR, **({} if commits else NO_HOOKS), **(settings or {})}
    limits = {} if commits else FROM_DISK if command == "clone" else NO_FETCH
    environment = configure(os.environ, own) | limits
    try:
        process = subprocess.Popen(  # noqa: S603 - no shell
            ["git", *arguments],  # noqa: S607 - the user's own
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**environment, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"},
            start_new_session=True,
        )
    except (FileNotFoundError, NotADirectoryError):
        missing = "git is missing: install it" if folder.is_dir() else f"{folder}: no such folder"
        raise RefusedError(missing) from None
    with process:
        try:
            output, errors = process.communicate(stdin)
        except BaseException:
            process.terminate()  # git then removes its locks
            raise
    if process.returncode:
        reason = find_reason(errors.decode("utf-8", "replace"))
        raise RefusedError(f"git {command} in {folder}: {reason}")
    return output


def list_changed_files(folder: Path, settings: Mapping[str, str]) -> list[str]:
    """Return the tracked files with uncommitted changes."""
    options = ["--porcelain", "--no-renames", "--untracked-files=no", "-z"]
    options.append("--ignore-submodules=dirty")  # submodules have their own settings
    status = run_git_raw(folder, "status", *options, "--", ".", settings=settings)
    return [os.fsdecode(line[3:]) for line in status.split(b"\0") if line]


def switch_off_filters(folder: Path) -> dict[str, str]:
    """Return settings that disable the repository's filters but keep the user's."""
    asked = ("config", "--show-scope", "--name-only", "-z", "--get-regexp", r"^filter\.")
    try:
        words = run_git(folder, *asked).split("\0")
    except RefusedError:  # no filters are configured
        return {}
    found = zip(words[::2], words[1::2], strict=False)
    return {key: "" for scope, key in found if scope in {"local", "worktree"}}


def find_reason(output: str) -> str:
    lines = output.strip().splitlines() or ["no reason given"]
    for mark in ("fatal: ", "error: "):
        for line in lines:
            if line.startswith(mark):
                return line.removeprefix(mark)
    return lines[0]


def check_committable(folder: Path) -> None:
    """Reject a commit if git does not know its author, or another operation is in progress."""
    try:
        run_git(folder, "var", "GIT_AUTHOR_IDENT")
    except RefusedError as refused:
        raise RefusedError(f"{refused}: set git config user.name and user.email") from None
    names = ("index.lock", "MERGE_HEAD", "CHERRY_PICK_HEAD")
    asked = [word for name in names for word in ("--git-path", name)]
    for path in run_git(folder, "rev-parse", *asked).splitlines():
        if (folder / path).exists():
            raise RefusedError(f"git is busy: {folder / path} exists: finish that first")


def commit_files(folder: Path, names: Sequence[str], message: str) -> bool:
    """Commit a folder's files, including ignored ones, and nothing else.

    Missing files are removed. Returns whether there was anything to commit.
    """
    paths = [f":(literal){name}" for name in names]
    run_git(folder, "add", "--all", "--force", "--", *paths)
    # A restored file may be identical to the committed version.
    staged = run_git_raw(folder, "diff", "--cached", "--name-only", "--no-renames", "--", *paths)
    if staged:
        run_git(folder, "commit", "--quiet", "-m", message, "--", *paths)
        unstage_committed(folder)
    return bool(staged)


def unstage_committed(folder: Path) -> None:
    """Reset the committed files in the index: the user's git hook may have changed them."""
    names = ("--no-renames", "--name-only", "-z")
    staged = run_git_raw(folder, "diff", "--cached", *names).split(b"\0")[:-1]
    changed = (
        run_git_raw(folder, "show", "--format=", *names, "HEAD").split(b"\0") if staged else []
    )
    if paths := [f":(top,literal){os.fsdecode(name)}" for name in changed if name in staged]:
        run_git(folder, "reset", "--quiet", "--", *paths)


def is_ignored(folder: Path) -> bool:
    try:
        run_git(folder, "check-ignore", "--quiet", ".")
    except RefusedError:
        return False
    return True


def find_top(folder: Path) -> Path | None:
    """Return the top folder of the repository around a folder, or None; reject another user's."""
    if not has_git():
        return None
    try:
        top = run_git_raw(folder, "rev-parse", "--show-toplevel")
    except RefusedError as refused:
        refuse_foreign(folder, refused)
        return None
    return Path(os.fsdecode(top.removesuffix(b"\n")))  # keep the name's own white space


def refuse_foreign(folder: Path, refused: RefusedError) -> None:
    """Explain what to do if git refuses to work in another user's repository."""
    if "dubious ownership" in str(refused):
        place = folder.resolve()
        owned = next(folder for folder in (place, *place.parents) if (folder / ".git").exists())
        trust = ("git", "config", "--global", "--add", "safe.directory", str(owned))
        raise RefusedError(
            f"{owned} belongs to another user: work as that user, or trust it: {shlex.join(trust)}"
        )


def is_tracked(path: Path) -> bool:
    """Return whether the repository around a file tracks it; reject another user's repository."""
    if not has_git():
        return False
    try:
        run_git(path.parent, "ls-files", "--error-unmatch", "--", path.name)
    except RefusedError as refused:
        refuse_foreign(path.parent, refused)
        return False
    return True
