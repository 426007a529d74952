"""Import modules of the bundled install.py, so that nothing is written twice."""

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from hookwright.project.template_store import find_template

__all__ = ["changes", "entries", "files", "installation"]


def load_modules(folder: Path, *wanted: str) -> list[ModuleType]:
    """Import modules from a folder, without leaving their names in sys.modules."""
    names = {path.stem for path in folder.glob("*.py")}
    others = {name: sys.modules.pop(name) for name in names & sys.modules.keys()}
    sys.path.insert(0, str(folder))
    try:
        return [importlib.import_module(name) for name in wanted]
    finally:
        sys.path.remove(str(folder))
        for name in names & sys.modules.keys():
            del sys.modules[name]
        sys.modules.update(others)


if TYPE_CHECKING:
    import changes
    import entries
    import files
    import installation
else:
    changes, entries, files, installation = load_modules(find_template() / "template", *__all__)
