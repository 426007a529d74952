"""Leave out what a library imports and never uses here."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType


@contextmanager
def leaving_out(modules: Mapping[str, Mapping[str, object]]) -> Iterator[None]:
    """Import stand-ins instead of modules until the end of the `with` block.

    Args:
        modules: The names that are imported from each module, and what stands in for them.

    """
    before = {name: sys.modules.get(name) for name in modules}
    for name, content in modules.items():
        sys.modules[name] = ModuleType(name)
        vars(sys.modules[name]).update(content)
    try:
        yield
    finally:
        for name, module in before.items():
            sys.modules.pop(name, None)
            if module is not None:
                sys.modules[name] = module
