"""Name a session's project: the git repository that contains its folder.

Only hooks that query a lesson server on another machine need this: a server on this machine finds
the project itself. Running git would take longer than the rest of the hook, so the hook reads its
files directly.
"""

from .event import environ  # type: ignore[attr-defined] # it is part of posix
from .lesson_hook import read_field

# --- rendered from here on ---


def describe_project(event: bytes) -> bytes:
    """Return the header that names the project of an event's folder, or b"".

    A remote's user, password and query are not sent.
    """
    try:
        names = find_project(read_field(event.decode(), "cwd"))
    except (ImportError, OSError, ValueError):  # on Windows, posix does not exist
        return b""
    encoded = [b"%" + name.encode().hex("%").encode() for name in names if name]
    return b"Hookwright-Repository: %s\r\n" % b",".join(encoded) if encoded else b""


def find_project(folder: str) -> "tuple[str, ...]":
    """Return the remote and root of the git repository that contains a folder, or ()."""
    while folder.startswith("/"):
        root, config = folder, read_text(folder + "/.git/config")
        link = "" if config else read_text(folder + "/.git")
        if link.startswith("gitdir: "):  # in a worktree or a submodule
            git = link[8:].strip()
            git = git if git.startswith("/") else folder + "/" + git
            common, _, name = git.rpartition("/worktrees/")
            if common and "/" not in name:
                git, root = common, common.removesuffix("/.git")
            config = read_text(git + "/config")
        if config:
            home = environ.get(b"HOME", b"").decode()
            if home and (root + "/").startswith(home + "/"):
                root = "~" + root[len(home) :]
            return find_remote(config), root
        folder = folder.rpartition("/")[0]
    return ()


def find_remote(config: str) -> str:
    """Return the host and path of a remote in a git configuration, preferably of origin, or ""."""
    remotes: dict[str, str] = {}
    section = ""
    for line in map(str.strip, config.split("\n")):
        key, _, url = line.partition("=")
        if line.startswith("["):
            section = line
        elif section.startswith('[remote "') and key.strip().lower() == "url":
            remotes.setdefault(section, url.strip(' \t"'))
    found = remotes.get('[remote "origin"]') or "".join([*remotes.values()][:1])
    return clean_remote(found.strip())


def clean_remote(url: str) -> str:
    """Return a remote's host and path, or "" if it is a local path or may contain a secret."""
    address = (url.split() or [""])[0]
    for sign in '?#;&"':
        address = address.partition(sign)[0]
    rest = url[len(address) :]
    scheme, is_url, named = address.partition("://")
    host, end, path = (named if is_url else address).partition("/" if is_url else ":")
    user, at, host = host.rpartition("@")
    name, colon, port = host.partition(":")
    known = scheme.lower() in ("https", "http", "ssh", "git") if is_url else at and is_host(user)
    if not known or not is_host(name) or not path or (colon and not port.isdigit()):
        return ""
    secret = any(sign in end + path + rest for sign in ("@", "%40", "::", "://", "\\"))
    return "" if secret or ":" in path else host + end + path


def is_host(text: str) -> bool:
    """Return whether a text may be the name of a host or user."""
    return text != "" and all(each.isalnum() or each in "_.-" for each in text)


def read_text(path: str) -> str:
    """Return the beginning of a regular file, or "" if it cannot be read."""
    from posix import O_NONBLOCK, O_RDONLY, close, open, read, stat  # noqa: A004 - those of os
    from stat import S_ISREG

    try:
        if not S_ISREG(stat(path).st_mode):  # even opening a device may have side effects
            return ""
        file = open(path, O_RDONLY | O_NONBLOCK)
    except OSError:
        return ""
    try:
        return read(file, 65_536).decode("utf-8", "replace")
    except OSError:
        return ""
    finally:
        close(file)
