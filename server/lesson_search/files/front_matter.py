"""Read the YAML front matter of a Markdown file, and YAML as a node tree."""

import re

import yaml

from hookwright_console.errors import RefusedError
from hookwright_console.text import shorten
from lesson_search.records import check_text

MAX_LENGTH = 10_000  # characters
PLAIN_FIELD = re.compile(r"([A-Za-z][\w-]*):(.*)")
BLOCK = ("|", ">")  # prefix of a multi-line value

# The string or list of strings of each field, or None for any other value.
Fields = dict[str, str | tuple[str, ...] | None]


def read_tree(text: str) -> yaml.Node | None:
    """Return the root of a YAML document, or None if it is empty; raises YAMLError, ValueError.

    Nodes keep the original text: no, on and 3.10 are not parsed as booleans or numbers.
    """
    try:
        return yaml.compose(text, Loader=yaml.BaseLoader)
    except RecursionError:
        raise yaml.MarkedYAMLError(problem="nested too deeply") from None


def split_front_matter(text: str) -> tuple[str | None, str]:
    r"""Return a text's front matter, or None, and the rest; line ends must be \n."""
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        return None, text
    for number, line in enumerate(lines[1:], 1):
        if line.rstrip() in {"---", "..."}:
            return "\n".join(lines[1:number]), "\n".join(lines[number + 1 :])
    return None, text


def read_fields(front_matter: str) -> Fields:
    """Return the fields of a front matter, with numbers and dates as text; raises RefusedError.

    Only the YAML node tree is built, so tags and aliases cannot expand it.
    """
    check_length(front_matter)
    if front_matter.strip():
        check_text(front_matter)
    try:
        tree = read_tree(front_matter)
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        why = shorten(str(getattr(error, "problem", None) or error))
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        line = f" in line {mark.line + 2}" if mark else ""
        raise RefusedError(
            f"the front matter is not valid YAML ({why}{line}): put the value in quotes"
        ) from None
    if tree is None:
        return {}
    if not isinstance(tree, yaml.MappingNode) or not all(
        isinstance(key, yaml.ScalarNode) for key, _ in tree.value
    ):
        raise RefusedError("the front matter has no fields: write them as `name: value`")
    fields: Fields = {}
    for key, value in tree.value:
        if key.value in fields:
            raise RefusedError(
                f"the front matter has the field '{shorten(key.value)}' twice: remove one"
            )
        fields[key.value] = read_value(value)
    return fields


def read_value(node: yaml.Node) -> str | tuple[str, ...] | None:
    if isinstance(node, yaml.ScalarNode):
        return str(node.value)
    items = node.value if isinstance(node, yaml.SequenceNode) else [node]
    texts = tuple(item.value for item in items if isinstance(item, yaml.ScalarNode))
    return texts if len(texts) == len(items) else None


def read_loose_fields(front_matter: str) -> Fields:
    """Return the fields of a front matter that may be invalid YAML.

    Claude Code accepts `argument-hint: [file] [line]` and `description: Use it so: ...`, so invalid
    YAML is read line by line. Raises RefusedError if the name is a list or an object.
    """
    check_length(front_matter)
    try:
        return read_fields(front_matter)
    except RefusedError:
        found = map(PLAIN_FIELD.fullmatch, front_matter.split("\n"))
        pairs = [(field[1], field[2].strip()) for field in found if field]
        if any(key == "name" and value.startswith(("[", "{")) for key, value in pairs):
            raise
        return {name: value for name, value in pairs if not value.startswith(BLOCK)}


def check_length(front_matter: str) -> None:
    if len(front_matter) > MAX_LENGTH:
        raise RefusedError(
            f"the front matter has {len(front_matter):,} characters, more than {MAX_LENGTH:,}:"
            " shorten it"
        )
