"""Import Chroma so that it goes by what we say alone, and by nothing that it finds around it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType


def import_chroma() -> ModuleType:
    """Return the package chromadb, whose settings are those that it is given.

    As it is, its settings come from the environment and from a file `.env` in the current folder
    first, which may be anybody's: such a file could send the lessons to another server.
    """
    import pydantic  # noqa: PLC0415 - as Chroma itself, which takes a second
    import pydantic_settings  # noqa: PLC0415

    reading = pydantic_settings.BaseSettings
    # It reads both as soon as it is imported, and fails where it does not like what it reads.
    pydantic_settings.BaseSettings = pydantic.BaseModel  # type: ignore[assignment,misc]
    try:
        import chromadb  # noqa: PLC0415
    finally:
        pydantic_settings.BaseSettings = reading  # type: ignore[misc]
    return chromadb


@contextmanager
def ignoring_proxies() -> Iterator[None]:
    """Have what is connected to meanwhile asked without the proxies that the environment names."""
    before = {name: os.environ.get(name) for name in ("NO_PROXY", "no_proxy")}
    os.environ.update(dict.fromkeys(before, "*"))
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name)
            if value is not None:
                os.environ[name] = value
