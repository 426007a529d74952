"""Import the bundled install.py and its modules, so that nothing is written twice."""

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from hookwright.template.store import find_template

__all__ = [
    "changes",
    "check",
    "client",
    "commands",
    "entries",
    "files",
    "install",
    "installation",
    "packages",
    "records",
    "scripts",
]


def load_modules(folder: Path, *wanted: str) -> list[ModuleType]:
    others = take_out()
    sys.path.insert(0, str(folder))
    try:
        names = (name if name == "install" else f"installer.{name}" for name in wanted)
        return [importlib.import_module(name) for name in names]
    finally:
        sys.path.remove(str(folder))
        take_out()
        sys.modules.update(others)


def take_out() -> dict[str, ModuleType]:
    names = [name for name in sys.modules if name.partition(".")[0] in {"install", "installer"}]
    return {name: sys.modules.pop(name) for name in names}


if TYPE_CHECKING:
    import install
    from installer import (
        changes,
        check,
        client,
        commands,
        entries,
        files,
        installation,
        packages,
        records,
        scripts,
    )
else:
    loaded = load_modules(find_template() / "template", *__all__)
    globals().update(zip(__all__, loaded, strict=True))
