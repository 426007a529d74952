"""Write records as YAML that people read and edit, and that is read back as it was."""

import sys
from collections.abc import Mapping
from typing import Any

import yaml

REFUSAL = "# >>> "  # begins a line that says what is wrong with the text around it
QUOTED = ("pattern", "contains")  # where a stray # or : would cut the value of who edits it


def write_yaml(value: object) -> str:
    """Return a value as YAML in block style, its long texts in lines of their own.

    Args:
        value: What JSON can hold.

    """

    class Dumper(yaml.SafeDumper):
        """Writes lists within their keys, and nothing by an alias."""

        def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002 - as the library has it
            super().increase_indent(flow=flow, indentless=False)

        def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - as above
            return True

    def write_text(dumper: Dumper, text: str) -> yaml.ScalarNode:
        style = None if text.isprintable() else "|" if is_plain_block(text) else '"'
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)

    def write_mapping(dumper: Dumper, mapping: Mapping[Any, Any]) -> yaml.MappingNode:
        node = dumper.represent_mapping("tag:yaml.org,2002:map", mapping.items())
        for key, field in node.value:
            if key.value in QUOTED and field.tag.endswith(":str") and not field.style:
                field.style = "'"
        return node

    Dumper.add_representer(str, write_text)
    Dumper.add_representer(dict, write_mapping)
    text: str = yaml.dump(value, Dumper=Dumper, allow_unicode=True, width=sys.maxsize)
    return text


def is_plain_block(text: str) -> bool:
    """Tell whether a text of several lines is read back as it is from a block of YAML."""
    lines = text.split("\n")
    ends = lines[-2:] != ["", ""]  # a block that keeps its empty lines takes what follows for more
    return (
        bool(lines[0])
        and ends
        and not any(
            line != line.strip() or not line.isprintable() or line.startswith(REFUSAL.strip())
            for line in lines
        )
    )
