"""Read YAML as a tree of nodes, without constructing values."""

import yaml
from yaml.composer import ComposerError

MAX_DEPTH = 20  # levels of nesting: deeper trees take ever longer to read


class Loader(yaml.BaseLoader):
    """Reads YAML with limited nesting."""

    _depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            mark = parent.start_mark if parent else None
            raise ComposerError(None, None, f"nested more than {MAX_DEPTH} deep", mark)
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node


def read_tree(text: str) -> yaml.Node | None:
    """Return the root of a YAML document, or None if it is empty.

    Nodes keep the text: no, on and 3.10 are not booleans or numbers here.
    """
    return yaml.compose(text, Loader=Loader)
