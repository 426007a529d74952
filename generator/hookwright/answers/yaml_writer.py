"""Write records as YAML that people can read and edit, and that reads back unchanged."""

import sys
from collections.abc import Mapping
from typing import Any

import yaml

LINE = 80  # characters after which a list is wrapped
SHORT = 6  # longest list that is written with one item per line
REFUSAL = "# >>> "  # starts a line with an error about the surrounding text
QUOTED = ("pattern", "contains")  # unquoted, these values would be cut off at a stray # or :


def write_yaml(value: object, *, wraps: bool = True) -> str:
    """Return a value as block YAML; with `wraps`, items of long lists share lines."""
    dumper = Dumper if wraps else BlockDumper
    text: str = yaml.dump(value, Dumper=dumper, allow_unicode=True, width=LINE)
    return text


class Dumper(yaml.SafeDumper):
    """Writes indented list items, wraps long lists, and does not use aliases."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002 - as the library has it
        super().increase_indent(flow=flow, indentless=False)

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - as above
        return True

    def process_scalar(self) -> None:
        width, self.best_width = self.best_width, sys.maxsize  # only lists are wrapped
        super().process_scalar()
        self.best_width = width


class BlockDumper(Dumper):
    """Writes each list item on its own line."""


def write_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    """Return a text's node, in block style if it reads back unchanged."""
    style = None if text.isprintable() else "|" if is_plain_block(text) else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def write_mapping(dumper: yaml.SafeDumper, mapping: Mapping[Any, Any]) -> yaml.MappingNode:
    node = dumper.represent_mapping("tag:yaml.org,2002:map", mapping.items())
    for key, field in node.value:
        if key.value in QUOTED and field.tag.endswith(":str") and not field.style:
            field.style = "'"
    return node


def write_list(dumper: yaml.SafeDumper, items: list[Any]) -> yaml.SequenceNode:
    flows = len(items) > SHORT and all(isinstance(item, str | int | float) for item in items)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", items, flow_style=flows)


Dumper.add_representer(str, write_text)
Dumper.add_representer(dict, write_mapping)
Dumper.add_representer(list, write_list)
BlockDumper.add_representer(list, yaml.SafeDumper.represent_list)


def is_plain_block(text: str) -> bool:
    lines = text.split("\n")
    ends = lines[-2:] != ["", ""]  # otherwise a block with trailing blank lines absorbs the next
    return (
        bool(lines[0])
        and ends
        and not any(
            line != line.strip() or not line.isprintable() or line.startswith(REFUSAL.strip())
            for line in lines
        )
    )
