"""Read a data file as Copier does, but strictly, and write records as YAML that people can edit."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from hookwright_console.errors import RefusedError

LINE = 80  # characters after which a list is wrapped
SHORT = 6  # longest list that is written with one item per line
REFUSAL = "# >>> "  # starts a line with an error about the surrounding text
QUOTED = ("pattern", "contains")  # unquoted, these values would be cut off at a stray # or :
Place = tuple[str | int, ...]  # such as ("databases", 2, "keywords", 0)
MAX_DIGITS = 100  # parsing a longer number could take too long (quadratic time)


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


class MisplacedError(RefusedError):
    """An error in a text, with its line number, counted from 0."""

    def __init__(self, message: str, line: int, *details: str) -> None:
        super().__init__(message)
        self.line = line
        self.details = details


@dataclass(frozen=True)
class Document:
    """A data file's content: its value, and the line of each key and item."""

    value: Any
    lines: dict[Place, int]

    def find_line(self, place: Place) -> int:
        """Return the line of a place, or of its nearest container if the place is missing."""
        while place not in self.lines and place:
            place = place[:-1]
        return self.lines.get(place, 0)


class Loader(yaml.SafeLoader):
    """Safe YAML loader that also reads JSON with emoji escaped as surrogate pairs."""

    def compose_scalar_node(self, anchor: Any) -> yaml.ScalarNode:
        """Return a scalar with surrogate pairs joined."""
        node = super().compose_scalar_node(anchor)
        units = node.value.encode("utf-16", "surrogatepass")
        node.value = units.decode("utf-16", "surrogatepass")
        return node

    def construct_yaml_timestamp(self, node: yaml.ScalarNode) -> Any:
        """Return a date or time; for an invalid one, raise an error that contains its position."""
        try:
            return super().construct_yaml_timestamp(node)
        except (ValueError, OverflowError) as error:
            problem = f"a date cannot be read ({error}), put it in quotes"
            raise yaml.constructor.ConstructorError(
                problem=problem, problem_mark=node.start_mark
            ) from None


Loader.add_constructor("tag:yaml.org,2002:timestamp", Loader.construct_yaml_timestamp)


def read_document(text: str) -> Document:
    """Return a YAML or JSON value; raises MisplacedError for errors, aliases and duplicate keys."""
    try:
        loader = Loader(text)
        node = loader.get_single_node()
        if node is None:
            return Document(None, {(): 0})
        lines = dict(locate_nodes(node))
        return Document(loader.construct_document(node), lines)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        reason = f"this is not YAML ({error.problem or error.context}): fix it, or use quotes"
        raise MisplacedError(reason, mark.line if mark else 0) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position)
        raise MisplacedError(f"YAML cannot hold U+{error.character:04X}: remove it", line) from None
    except (ValueError, OverflowError) as error:
        raise MisplacedError(
            f"a number or a date cannot be read ({error}): put it in quotes", 0
        ) from None
    except RecursionError:
        raise MisplacedError("lists are nested too deeply: flatten them", 0) from None


def read_content(content: bytes, source: str) -> Any:
    """Return the value in a YAML or JSON file; raises RefusedError, which names the source."""
    try:
        return read_document(content.decode("utf-8-sig")).value
    except UnicodeDecodeError:
        raise RefusedError(f"{source} is not UTF-8: save it as UTF-8") from None
    except MisplacedError as wrong:
        raise RefusedError(f"{source}: line {wrong.line + 1}: {wrong}") from None


def locate_nodes(
    node: yaml.Node, place: Place = (), seen: set[int] | None = None
) -> Iterator[tuple[Place, int]]:
    """Yield each location in a YAML tree with its line; a mapping's entry has its key's line."""
    seen = set() if seen is None else seen
    line = node.start_mark.line
    if id(node) in seen:
        # A few lines of nested aliases can exhaust memory.
        raise MisplacedError("aliases (*name) are not supported: write out the value", line)
    seen.add(id(node))
    if not place:
        yield (), line
    if isinstance(node, yaml.SequenceNode):
        for number, item in enumerate(node.value):
            yield (*place, number), item.start_mark.line
            yield from locate_nodes(item, (*place, number), seen)
    elif isinstance(node, yaml.MappingNode):
        keys = set()
        for key, value in node.value:
            name = str(key.value)
            if (key.tag, name) in keys:
                raise MisplacedError(f"duplicate key {name}: remove one", key.start_mark.line)
            keys.add((key.tag, name))
            yield (*place, name), key.start_mark.line
            yield from locate_nodes(value, (*place, name), seen)
    elif node.tag.endswith((":int", ":float")) and len(node.value) > MAX_DIGITS:
        raise MisplacedError("a number is too long: put it in quotes", line)
