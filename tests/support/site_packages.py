"""A Python environment with a few installed packages, to test their API documentation."""

from pathlib import Path

CLIENT = '''\
"""Talk to Acme.

Connections are kept for a minute.
"""

from dataclasses import dataclass
from functools import cached_property

from ._inner import _Base

RETRIES = 3
TIMEOUT: float = 2.5
"""Seconds that an answer may take."""


@dataclass
class Options:
    """What a client may do."""

    speed: int = 1


class Client(_Base, Options):
    """Asks the server of Acme.

    Args:
        url: Where the server is.
        timeout: Seconds to wait.

    Raises:
        ValueError: The URL is wrong.
    """

    def __init__(self, url: str, *, timeout: float = TIMEOUT) -> None: ...

    def get(self, path: str, /, *rest: str, **words: int) -> bytes:
        """Return an answer.

        See :meth:`~acme.client.Client.put`, with ``__init__`` and *args::

            client.get("/x")

        .. versionadded:: 2.0
        """

    async def put(self, path: str) -> None:
        """Send something."""

    @cached_property
    def peer(self) -> str:
        """The address of the server."""

    def _hidden(self) -> None:
        """Nobody calls this."""
'''
PACKAGE = """\
from ._inner import join
from .client import Client

__all__ = ["Client", "join"]
__version__ = "2.1"
"""
INNER = '''\
def join(first, *, sep="/"):
    """Join parts.

    Parameters
    ----------
    first : str
        The first part.
    sep : str, optional
        What stands between them.

    Returns
    -------
    str
        The whole.

    Examples
    --------
    >>> join("a")
    'a'
    """


class _Base:
    def close(self) -> None:
        """End all connections."""

    def _own(self) -> None:
        """Not for others."""
'''
METADATA = """\
Metadata-Version: 2.4
Name: Acme-Client
Version: 2.1.0
License-Expression: MIT
Project-URL: Documentation, https://docs.acme.example/
Project-URL: Source, https://github.com/acme/client

# Acme
"""
TRAP = "raise SystemExit('imported')\n"
FILES = {
    "acme/__init__.py": TRAP + PACKAGE,
    "acme/client.py": CLIENT,
    "acme/_inner.py": INNER,
    "acme/tests/test_client.py": TRAP,
}


def write_environment(
    folder: Path,
    files: "dict[str, str | bytes]",
    metadata: str = METADATA,
    record: "tuple[str, ...] | None" = None,
) -> Path:
    """Write an environment with one distribution; return its folder.

    Args:
        folder: The environment's folder.
        files: The modules in site-packages.
        metadata: The distribution's metadata.
        record: The paths in the installer's RECORD; None for all paths in `files`.

    """
    site = folder / "lib" / "python3.11" / "site-packages"
    for name, text in files.items():
        path = site / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    described = site / "acme_client-2.1.0.dist-info"
    described.mkdir(parents=True, exist_ok=True)
    (described / "METADATA").write_text(metadata)
    names = files if record is None else record
    (described / "RECORD").write_text("".join(f"{name},sha256=x,1\n" for name in names))
    (site / "own.pth").write_text("import os; os._exit(9)\n/nowhere\n")
    (folder / "pyvenv.cfg").touch()
    return folder
