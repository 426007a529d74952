"""Read the YAML front matter of a Markdown file: the fields between two lines of `---`."""

import re

import yaml

from hookwright_console.errors import RefusedError
from hookwright_console.text import show
from lesson_search.files.yaml_tree import read_tree
from lesson_search.validation import check_text

LONGEST = 10_000  # characters
PLAIN_FIELD = re.compile(r"([A-Za-z][\w-]*):(.*)")
BLOCK = ("|", ">")  # what begins a value of several lines

# A field's text, its list of texts, or None for what is neither.
Fields = dict[str, str | tuple[str, ...] | None]


def split_front_matter(text: str) -> tuple[str | None, str]:
    r"""Return the front matter of a text, or None where it has none, and what follows it.

    Args:
        text: A whole file, its lines ended by \n.

    """
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        return None, text
    for number, line in enumerate(lines[1:], 1):
        if line.rstrip() in {"---", "..."}:
            return "\n".join(lines[1:number]), "\n".join(lines[number + 1 :])
    return None, text


def read_fields(front_matter: str) -> Fields:
    """Return the fields of a front matter; a number or a date is the text that was written.

    Only the tree of YAML is built, and nothing constructed of it: neither a tag nor an alias can
    make more of the front matter than it is.

    Raises:
        RefusedError: It is too long, no YAML, no mapping, or has a field twice.

    """
    check_length(front_matter)
    if front_matter.strip():
        check_text(front_matter)
    try:
        tree = read_tree(front_matter)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f" in line {mark.line + 2}" if mark else ""
        raise RefusedError(
            f"the front matter is no valid YAML ({show(error.problem or 'unknown')}{line}): put"
            " the value in quotes"
        ) from None
    except (yaml.YAMLError, ValueError, OverflowError):
        raise RefusedError("the front matter is no valid YAML: mend it") from None
    if tree is None:
        return {}
    if not isinstance(tree, yaml.MappingNode):
        raise RefusedError("the front matter has no fields: write them as `name: value`")
    fields: Fields = {}
    for key, value in tree.value:
        if not isinstance(key, yaml.ScalarNode):
            raise RefusedError("the front matter has a field without a name: write `name: value`")
        if key.value in fields:
            raise RefusedError(
                f"the front matter has the field '{show(key.value)}' twice: take one out"
            )
        fields[key.value] = read_value(value)
    return fields


def read_value(node: yaml.Node) -> str | tuple[str, ...] | None:
    """Return a field's text or list of texts, or None for what is neither."""
    if isinstance(node, yaml.ScalarNode):
        text: str = node.value
        return text
    if not isinstance(node, yaml.SequenceNode):
        return None
    texts = [item.value for item in node.value if isinstance(item, yaml.ScalarNode)]
    return tuple(texts) if len(texts) == len(node.value) else None


def read_loose_fields(front_matter: str) -> Fields:
    """Return the fields of a front matter that need not be YAML.

    Claude Code takes `argument-hint: [file] [line]` and `description: Use it so: ...` as they
    stand, so what is no YAML is read line by line.

    Raises:
        RefusedError: It is too long.

    """
    check_length(front_matter)
    try:
        return read_fields(front_matter)
    except RefusedError:
        found = map(PLAIN_FIELD.fullmatch, front_matter.split("\n"))
        pairs = [(field[1], field[2].strip()) for field in found if field]
        return {name: value for name, value in pairs if not value.startswith(BLOCK)}


def check_length(front_matter: str) -> None:
    """Refuse a front matter that is too long."""
    if len(front_matter) > LONGEST:
        raise RefusedError(
            f"the front matter has {len(front_matter):,} characters, more than {LONGEST:,}:"
            " shorten it"
        )
