"""Write docs/answers.md: tables of the questions and the record fields."""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import yaml

from hookwright.answers.schema import Rule, dereference, list_fields, read_record, read_schema
from hookwright.cli.add.field_options import find_type, name_option

PAGE = Path(__file__).with_name("answers.md")
BAR = r"\|"
INTRODUCTION = """\
# Answers

This page lists the questions of a project and the fields of its records. You can answer them when
`hookwright new` asks, in a file for `hookwright new --data-file`, with the options of
`hookwright add`, or in your editor with `hookwright edit`.

Do not edit this page. `docs/write_answers.py` generates it from `generator/schema.json`.
"""
RECORDS = {
    "database": (
        "A database",
        "An item of `databases`; `hookwright add database` has the options.",
    ),
    "route": ("A route", "A record of `routes`; `hookwright add route` has the options."),
    "test": ("A test of a route", "An item of a route's `tests`."),
    "server": ("An MCP server", "A record of `mcp_servers`."),
}
OPTIONS = ("database", "route")  # records that `hookwright add` has options for
QUESTION_HEADS = ("question", "asked for", "what it is", "takes")
FIELD_HEADS = ("field", "option", "required", "what it is", "takes", "example")


def write_page() -> str:
    """Return the page."""
    questions = read_schema()["properties"].items()
    lines = [INTRODUCTION, "## Questions", ""]
    lines += write_table(QUESTION_HEADS, [describe_question(*question) for question in questions])
    for record, (title, place) in RECORDS.items():
        lines += ["", f"## {title}", "", place, ""]
        fields = list_fields(record).items()
        lines += write_table(FIELD_HEADS, [describe_field(record, *field) for field in fields])
    return "\n".join(lines) + "\n"


def describe_question(name: str, rule: Rule) -> list[str]:
    hooks = ", ".join(map(code, rule.get("hooks", ())))
    return [code(name), hooks or "every project", rule["description"], describe_values(rule)]


def describe_field(record: str, name: str, rule: Rule) -> list[str]:
    has_option = record in OPTIONS and find_type(rule)
    whole = read_record(record)
    required = "yes" if name in whole["required"] else ""
    if name in whole.get("else", {}).get("required", ()):
        required = "yes, unless the action is `allow`"
    return [
        code(name),
        code(name_option(name, rule)) if has_option else "",
        required,
        rule["description"],
        describe_values(rule),
        write_example(rule),
    ]


def write_table(heads: Iterable[str], rows: Iterable[list[str]]) -> Iterator[str]:
    """Yield the lines of a markdown table, without empty columns."""
    columns = [column for column in zip(heads, *rows, strict=True) if any(column[1:])]
    head, *body = zip(*columns, strict=True)
    for row in (head, ["---"] * len(head), *body):
        yield f"| {' | '.join(cell.replace('|', BAR) for cell in row)} |"


def describe_values(rule: Rule) -> str:
    """Return the values that a rule accepts, such as "a list of up to 200 texts"."""
    if "enum" in rule:
        return f"one of {', '.join(map(code, rule['enum']))}"
    if "anyOf" in rule:
        return " or ".join(map(describe_values, rule["anyOf"]))
    if "const" in rule:
        return code(json.dumps(rule["const"]))
    kinds = rule.get("type", "string")
    kinds = [kinds] if isinstance(kinds, str) else kinds
    return " or ".join(DESCRIPTIONS[kind](rule) for kind in kinds)


def describe_number(rule: Rule) -> str:
    most = f" to {rule['maximum']}" if "maximum" in rule else ""
    return f"a number from {rule['minimum']}{most}"


def describe_list(rule: Rule) -> str:
    item = dereference(rule["items"])
    if "enum" in item:
        return f"a list of {', '.join(map(code, item['enum']))}"
    most = f"up to {rule['maxItems']:,} " if "maxItems" in rule else ""
    return f"a list of {most}{'records' if 'properties' in item else 'texts'}"


def describe_mapping(rule: Rule) -> str:
    return "records by name" if "propertyNames" in rule else "a mapping"


def describe_text(rule: Rule) -> str:
    return "text of several lines" if rule.get("lines") else "a line of text"


DESCRIPTIONS = {
    "array": describe_list,
    "boolean": lambda _: "true or false",
    "integer": describe_number,
    "number": describe_number,
    "object": describe_mapping,
    "string": describe_text,
}


def write_example(rule: Rule) -> str:
    if "examples" not in rule:
        return ""
    written = yaml.safe_dump(
        rule["examples"][0], default_flow_style=True, sort_keys=False, width=1000
    )
    return code(written.removesuffix("\n...\n").strip())


def code(text: str) -> str:
    return f"`` {text} ``" if "`" in text else f"`{text}`"


if __name__ == "__main__":
    page = Path(sys.argv[1]) if sys.argv[1:] else PAGE
    page.write_text(write_page(), "utf-8")
