"""Convert docstrings to HTML: Google, NumPy or Sphinx style, reStructuredText or markdown."""

import ast
import re
from collections.abc import Iterable, Mapping
from html import escape
from itertools import dropwhile, takewhile
from textwrap import dedent
from typing import Any

import griffe
from markdown_it import MarkdownIt

MAX_DOCSTRING = 100_000  # characters
TITLES = {
    "attributes": "Attributes",
    "other parameters": "Other parameters",
    "parameters": "Parameters",
    "raises": "Raises",
    "receives": "Receives",
    "returns": "Returns",
    "type parameters": "Type parameters",
    "warns": "Warns",
    "yields": "Yields",
}
# A docutils role: :func:`name`, :py:class:`~module.Name`, :doc:`text <target>`.
ROLE = re.compile(r":(?:[A-Za-z][\w+-]{0,40}:){1,2}`([^`\n]{1,300})`")
SUBSTITUTION = re.compile(r"`([^`<>\n]{1,200}) <([^`<>\s]{1,500})>`__?")
DIRECTIVE = re.compile(r"^([ ]*)\.\. ([\w:-]{1,40})::[ ]?(.*)$")
CODE_DIRECTIVES = frozenset(("code", "code-block", "sourcecode", "parsed-literal", "doctest"))
OPTION = re.compile(r"^\s+:[\w-]+:")
TITLE_MARKS = re.compile(r"^ {0,3}#{1,6} (?=\S)")
UNDERLINE = re.compile(r"^\s*([=~^\"'#*+-])\1{2,}\s*$")
FENCE = re.compile(r"^\s*(```|~~~)")
UNUSED = ["emphasis", "html_block", "html_inline", "heading", "lheading", "hr", "reference"]
RENDERER = MarkdownIt("commonmark").enable("table").disable(UNUSED)


def write_docstring(docstring: griffe.Docstring | None) -> str:
    if docstring is None or not docstring.value.strip():
        return ""
    if len(docstring.value) > MAX_DOCSTRING:
        return render(docstring.value[:MAX_DOCSTRING])
    try:
        return "".join(map(write_section, docstring.parse("auto")))
    except (ValueError, TypeError, AttributeError, LookupError, RecursionError, SyntaxError):
        return render(docstring.value)  # if a parser fails, the text stays unparsed


def write_section(section: Any) -> str:
    kind, value = str(section.kind.value), section.value
    if kind == "text":
        return render(value)
    if kind == "examples":
        kinds = ((str(kind.value), text) for kind, text in value)
        parts = (f"<pre>{escape(t)}</pre>" if k == "examples" else render(t) for k, t in kinds)
        return write_title("Examples") + "".join(parts)
    if kind in ("admonition", "deprecated"):
        return write_title(section.title or kind.title()) + render(value.description)
    if kind in TITLES:
        return write_title(section.title or TITLES[kind]) + write_items(value)
    return "".join(render(section.description) for section in value if section.description)


def write_title(title: str) -> str:
    return f"<p><strong>{escape(title)}</strong></p>"


def write_items(items: Iterable[Any]) -> str:
    written = []
    for item in items:
        name, default = getattr(item, "name", ""), getattr(item, "value", None)
        kind = f"<code>{escape(str(item.annotation))}</code>" if item.annotation else ""
        label = f"<code>{escape(name)}</code>{kind and f' ({kind})'}" if name else kind
        if default not in (None, ""):
            label += f", default <code>{escape(str(default))}</code>"
        written.append(f"<li>{label and f'<p>{label}</p>'}{render(item.description or '')}</li>")
    return f"<ul>{''.join(written)}</ul>"


def write_described(described: Mapping[str, str]) -> str:
    """Return the parameters' descriptions as an HTML list, or ""."""
    items = "".join(
        f"<li><p><code>{escape(name)}</code></p>{render(text)}</li>"
        for name, text in described.items()
    )
    return f"{write_title(TITLES['parameters'])}<ul>{items}</ul>" if items else ""


def render(text: str) -> str:
    """Convert reStructuredText or markdown to HTML, without headings and raw HTML."""
    return str(RENDERER.render(write_markdown(text)))


def write_markdown(text: str) -> str:
    lines = dedent(text).expandtabs().split("\n")
    written: list[str] = []
    at, fenced = 0, False
    while at < len(lines):
        line = lines[at]
        at += 1
        if FENCE.match(line):
            fenced = not fenced
            written.append(line)
        elif fenced:
            written.append(line)
        elif UNDERLINE.match(line) and written and written[-1].strip():
            written.append("")  # separates a title's underline
        elif line.lstrip().startswith(">>> "):
            example = [line, *takewhile(str.strip, lines[at:])]
            written += fence(example)
            at += len(example) - 1
        elif found := DIRECTIVE.match(line):
            inner = take_block(lines[at:], len(found[1]))
            written += write_directive(found, inner)
            at += len(inner)
        elif line.rstrip().endswith("::"):
            stripped = line.rstrip().removesuffix(":").rstrip()
            inner = take_block(lines[at:], count_indent(line))
            written += [replace_roles(stripped) if stripped.strip() != ":" else "", *fence(inner)]
            at += len(inner)
        else:
            written.append(replace_roles(TITLE_MARKS.sub("", line)))
    return "\n".join(written)


def take_block(lines: list[str], indent: int) -> list[str]:
    """Return the first lines that are blank or indented more deeply."""
    return list(takewhile(lambda line: not line.strip() or count_indent(line) > indent, lines))


def write_directive(found: re.Match[str], block: list[str]) -> list[str]:
    head, name, rest = found.groups()
    content = list(dropwhile(OPTION.match, block))
    if name in CODE_DIRECTIVES:
        return fence(content)
    label = name.replace("-", " ").title()
    inner = dedent("\n".join(content)).split("\n") if content else []
    return [
        *("", f"{head}{label}: {replace_roles(rest.strip())}".rstrip(), ""),
        *(head + replace_roles(line) if line.strip() else "" for line in inner),
    ]


def fence(lines: list[str]) -> list[str]:
    """Return lines as a fenced block, or nothing if all are blank."""
    code = dedent("\n".join(lines)).strip("\n")
    marks = "`" * max([3, *(len(run) + 1 for run in re.findall("`{3,}", code))])
    return ["", marks, *code.split("\n"), marks, ""] if code.strip() else []


def count_indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def replace_roles(line: str) -> str:
    if "`" not in line:
        return line
    line = ROLE.sub(lambda found: f"`{name_role(found[1])}`", line)
    return SUBSTITUTION.sub(r"[\1](\2)", line)


def name_role(content: str) -> str:
    label = content.rpartition("<")[0].rstrip() if content.endswith(">") else ""
    last = content.rpartition(".")[2] if content.startswith("~") else content.lstrip("!")
    return label or last


def separate_descriptions(function: griffe.Function) -> dict[str, str]:
    """Replace each `Annotated[type, Doc("...")]` with its type, and return the descriptions."""
    described = {}
    for parameter in function.parameters:
        if not isinstance(annotation := parameter.annotation, griffe.ExprSubscript):
            continue
        inner = annotation.slice
        if read_last(annotation.left) != "Annotated" or not isinstance(inner, griffe.ExprTuple):
            continue
        parameter.annotation, *parts = inner.elements
        if text := next(filter(None, map(read_description, parts)), ""):
            described[parameter.name] = text
    return described


def read_last(name: object) -> str:
    return str(name).rpartition(".")[2]


def read_description(part: Any) -> str:
    is_call = isinstance(part, griffe.ExprCall) and part.arguments
    if not is_call or read_last(part.function) not in ("Doc", "doc"):
        return ""
    try:
        text = ast.literal_eval(str(part.arguments[0]))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return ""
    return text if isinstance(text, str) else ""
