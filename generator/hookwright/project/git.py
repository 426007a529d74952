"""Ask git, and have it do things, without what a user's configuration would make of them."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from hookwright_console.errors import RefusedError

TRUSTING = "safe.directory=*"  # for what is ours; a template may be anybody's
# Commits that only Hookwright sees: no identity, key or hook of the user's is asked for.
OWN = (
    *("-c", "user.name=Hookwright", "-c", "user.email=hookwright@localhost"),
    *("-c", "commit.gpgSign=false", "-c", "tag.gpgSign=false", "-c", "core.autocrlf=false"),
    *("-c", f"core.hooksPath={os.devnull}", "-c", "init.defaultBranch=main"),
    *("-c", TRUSTING, "-c", "gc.auto=0", "-c", "core.fsmonitor="),
)
# A repository may be a stranger's, and nothing that it brings along is run to look at it.
NO_MONITOR = {"core.fsmonitor": ""}
NO_HOOKS = {"core.hooksPath": os.devnull}
# What a hook of git's would have us work in, another repository.
FOREIGN = (
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR"),
    *("GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_SHALLOW_FILE"),
)


def has_git() -> bool:
    """Tell whether there is a git to run."""
    return shutil.which("git") is not None


def leave_foreign(environment: Mapping[str, str]) -> dict[str, str]:
    """Return variables without those that would have git work in another repository."""
    return {name: text for name, text in environment.items() if name not in FOREIGN}


def build_own(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of a git that others run for us, in repositories only we see."""
    settings = [word.split("=", 1) for word in OWN if "=" in word and word != TRUSTING]
    return configure(environment, dict(settings))


def configure(environment: Mapping[str, str], settings: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of a git that works where we say, with settings of ours."""
    own = leave_foreign(environment)
    given = own.get("GIT_CONFIG_COUNT", "")
    number = int(given) if given.isdecimal() else 0
    for place, (key, value) in enumerate(settings.items(), number):
        own |= {f"GIT_CONFIG_KEY_{place}": key, f"GIT_CONFIG_VALUE_{place}": value}
    return {**own, "GIT_CONFIG_COUNT": str(number + len(settings))}


def run_git(folder: Path, *arguments: str, given: bytes | None = None) -> str:
    """Run git in a folder, to its end even where Ctrl-C is pressed.

    Args:
        folder: Where it runs.
        arguments: What follows `git`.
        given: Its standard input.

    Returns:
        What it printed, less the white space around it.

    Raises:
        RefusedError: It failed, or there is no git.

    """
    return run_git_raw(folder, *arguments, given=given).decode("utf-8", "replace").strip()


def run_git_raw(
    folder: Path,
    *arguments: str,
    given: bytes | None = None,
    settings: Mapping[str, str] | None = None,
) -> bytes:
    """Run git as `run_git` does, with settings, and return the very bytes that it printed."""
    commits = find_verb(arguments) == "commit"  # the one that a user expects their hooks of
    own = {**NO_MONITOR, **({} if commits else NO_HOOKS), **(settings or {})}
    environment = configure(os.environ, own)
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
    except FileNotFoundError:
        raise RefusedError("there is no git: install it") from None
    with process:
        try:
            output, errors = process.communicate(given)
        except BaseException:
            process.terminate()  # by which it takes its locks away
            raise
    if process.returncode:
        reason = find_reason(errors.decode("utf-8", "replace"))
        raise RefusedError(f"git {find_verb(arguments)} in {folder}: {reason}")
    return output


def list_changed_files(folder: Path) -> list[str]:
    """Return the paths of what is not as it was committed in a folder, and run nothing for that.

    Raises:
        RefusedError: Git fails.

    """
    options = ["--porcelain", "--no-renames", "--untracked-files=normal", "-z"]
    options.append("--ignore-submodules=dirty")  # they have settings of their own
    filters = dict.fromkeys(list_filters(folder), "")
    status = run_git_raw(folder, "status", *options, "--", ".", settings=filters)
    return [os.fsdecode(line[3:]) for line in status.split(b"\0") if line]


def list_filters(folder: Path) -> list[str]:
    """Return the settings by which a repository itself, not the user, has its files filtered."""
    asked = ("config", "--show-scope", "--name-only", "-z", "--get-regexp", r"^filter\.")
    try:
        words = run_git(folder, *asked).split("\0")
    except RefusedError:  # there are none
        return []
    found = zip(words[::2], words[1::2], strict=False)
    return [key for scope, key in found if scope in {"local", "worktree"}]


def find_reason(said: str) -> str:
    """Return the line that says why git failed, of all that it said."""
    lines = said.strip().splitlines() or ["it says nothing"]
    for mark in ("fatal: ", "error: "):
        for line in lines:
            if line.startswith(mark):
                return line.removeprefix(mark)
    return lines[0]


def check_identity(folder: Path) -> None:
    """Check that git knows who commits.

    Raises:
        RefusedError: It does not.

    """
    try:
        run_git(folder, "var", "GIT_AUTHOR_IDENT")
    except RefusedError as refused:
        raise RefusedError(
            f"{refused}: set git config user.name and user.email, or add --no-commit"
        ) from None


def check_idle(folder: Path) -> None:
    """Check that git can commit some files of a repository.

    Raises:
        RefusedError: It is in the middle of something else.

    """
    names = ("index.lock", "MERGE_HEAD", "CHERRY_PICK_HEAD")
    asked = [word for name in names for word in ("--git-path", name)]
    for path in run_git(folder, "rev-parse", *asked).splitlines():
        if (folder / path).exists():
            raise RefusedError(
                f"git is in the middle of something, for {folder / path} is there: end that first, "
                "or add --no-commit"
            )


def is_ignored(folder: Path) -> bool:
    """Tell whether the repository around a folder does not look at it."""
    try:
        run_git(folder, "check-ignore", "--quiet", ".")
    except RefusedError:
        return False
    return True


def find_verb(arguments: tuple[str, ...]) -> str:
    """Return what git was asked to do, such as commit."""
    words = iter(arguments)
    for word in words:
        if word == "-c":
            next(words, None)
        else:
            return word
    return ""


def find_top(folder: Path) -> Path | None:
    """Return the top of the repository that a folder is in, or None where it is in none.

    Raises:
        RefusedError: It is somebody else's.

    """
    if not has_git():
        return None
    try:
        top = run_git_raw(folder, "rev-parse", "--show-toplevel")
    except RefusedError as refused:
        if "dubious ownership" in str(refused):
            raise RefusedError(
                f"the repository of {folder} is somebody else's: work as who owns it, or trust it "
                "by git config --global --add safe.directory"
            ) from None
        return None
    return Path(os.fsdecode(top.removesuffix(b"\n")))  # a name may end in white space


def is_tracked(path: Path) -> bool:
    """Tell whether a file is one that the repository around it keeps."""
    try:
        run_git(path.parent, "ls-files", "--error-unmatch", "--", path.name)
    except RefusedError:
        return False
    return True
