"""Add to a file in one step, so that hooks that run at the same time lose nothing."""

# --- rendered from here on ---


def append_line(path: str, line: bytes) -> int:
    """Add a line to the end of a private file; return how long the file is then.

    Raises OSError if the file cannot be written. A link or a pipe that somebody planted is neither
    followed nor waited for.
    """
    import os

    os.umask(0o077)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    flags = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | flags, 0o600)
    if os.write(file, line) < len(line):
        raise OSError(f"{path} is full")
    return os.lseek(file, 0, os.SEEK_CUR)
