"""Read YAML into its tree of nodes, and construct nothing of it."""

import yaml
from yaml.composer import ComposerError

DEEPEST = 20  # lists and mappings within each other: more take longer and longer to read


class Loader(yaml.BaseLoader):
    """Reads what is not nested too deep."""

    _depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Return the node that comes next, or raise where it is within too many others."""
        self._depth += 1
        if self._depth > DEEPEST:
            mark = parent.start_mark if parent else None
            raise ComposerError(None, None, f"nested more than {DEEPEST} deep", mark)
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node


def read_tree(text: str) -> yaml.Node | None:
    """Return the root of a YAML document, or None where it is empty.

    Nodes keep what was written: no, on and 3.10 are no booleans or numbers here.

    Raises:
        yaml.YAMLError, ValueError, OverflowError: It is none, or is nested too deep.

    """
    return yaml.compose(text, Loader=Loader)
