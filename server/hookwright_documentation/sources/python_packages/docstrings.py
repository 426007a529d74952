"""Convert docstrings to HTML: Google, NumPy or Sphinx style, reStructuredText or markdown."""

import ast
import re
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from textwrap import dedent
from typing import TYPE_CHECKING, Any

import griffe

if TYPE_CHECKING:
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
        name = getattr(item, "name", "")
        kind = str(item.annotation) if item.annotation else ""
        default = getattr(item, "value", None)
        label = f"<code>{escape(name)}</code>" if name else ""
        if kind:
            label += f" (<code>{escape(kind)}</code>)" if name else f"<code>{escape(kind)}</code>"
        if default not in (None, ""):
            label += f", default <code>{escape(str(default))}</code>"
        text = render(item.description or "")
        written.append(f"<li><p>{label}</p>{text}</li>" if label else f"<li>{text}</li>")
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
    return str(open_renderer().render(write_markdown(text)))


@cache
def open_renderer() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    own = ["emphasis", "html_block", "html_inline", "heading", "lheading", "hr", "reference"]
    return MarkdownIt("commonmark").enable("table").disable(own)


def write_markdown(text: str) -> str:
    lines = dedent(text).expandtabs().split("\n")
    written: list[str] = []
    at, fenced = 0, False
    while at < len(lines):
        line = lines[at]
        at += 1
        if FENCE.match(line):
            fenced = not fenced
        if fenced or FENCE.match(line):
            written.append(line)
        elif UNDERLINE.match(line) and written and written[-1].strip():
            written.append("")  # separates a title's underline
        elif line.lstrip().startswith(">>> "):
            end = find_end(lines, at, lambda line: bool(line.strip()))
            written += fence(lines[at - 1 : end])
            at = end
        elif found := DIRECTIVE.match(line):
            at = write_directive(found, lines, at, written)
        elif line.rstrip().endswith("::"):
            stripped = line.rstrip().removesuffix(":").rstrip()
            written.append(replace_roles(stripped if stripped.strip() != ":" else ""))
            at = write_code(lines, at, count_indent(line), written)
        else:
            written.append(replace_roles(TITLE_MARKS.sub("", line)))
    return "\n".join(written)


def write_directive(found: re.Match[str], lines: list[str], at: int, written: list[str]) -> int:
    indent, name, rest = len(found[1]), found[2], found[3].strip()
    while at < len(lines) and OPTION.match(lines[at]) and count_indent(lines[at]) > indent:
        at += 1
    if name in CODE_DIRECTIVES:
        return write_code(lines, at, indent, written)
    label = name.replace("-", " ").title()
    written += ["", f"{found[1]}{label}: {replace_roles(rest)}".rstrip(), ""]
    end = find_end(lines, at, lambda line: not line.strip() or count_indent(line) > indent)
    inner = dedent("\n".join(lines[at:end])).split("\n") if end > at else []
    written += [" " * indent + replace_roles(line) if line.strip() else "" for line in inner]
    return end


def write_code(lines: list[str], at: int, indent: int, written: list[str]) -> int:
    end = find_end(lines, at, lambda line: not line.strip() or count_indent(line) > indent)
    code = dedent("\n".join(lines[at:end])).strip("\n")
    if code.strip():
        written += fence(code.split("\n"))
    return end


def fence(lines: list[str]) -> list[str]:
    code = dedent("\n".join(lines)).split("\n")
    marks = "`" * max([3, *(len(run) + 1 for run in re.findall("`{3,}", "\n".join(code)))])
    return ["", marks, *code, marks, ""]


def find_end(lines: list[str], at: int, goes_on: Any) -> int:
    while at < len(lines) and goes_on(lines[at]):
        at += 1
    return at


def count_indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def replace_roles(line: str) -> str:
    if "`" not in line:
        return line
    line = ROLE.sub(lambda found: f"`{name_role(found[1])}`", line)
    return SUBSTITUTION.sub(r"[\1](\2)", line)


def name_role(content: str) -> str:
    label = content.rpartition("<")[0].rstrip() if content.endswith(">") else ""
    if label:
        return label
    return content.rpartition(".")[2] if content.startswith("~") else content.lstrip("!")


def separate_descriptions(function: griffe.Function) -> dict[str, str]:
    """Replace each `Annotated[type, Doc("...")]` with its type, and return the descriptions."""
    described = {}
    for parameter in function.parameters:
        parts = list_parts(parameter.annotation)
        if not parts:
            continue
        parameter.annotation = parts[0]
        texts = (read_description(part) for part in parts[1:])
        if text := next(filter(None, texts), ""):
            described[parameter.name] = text
    return described


def list_parts(annotation: Any) -> list[Any]:
    if not isinstance(annotation, griffe.ExprSubscript):
        return []
    if str(annotation.left).rpartition(".")[2] != "Annotated":
        return []
    inner = annotation.slice
    return list(inner.elements) if isinstance(inner, griffe.ExprTuple) else []


def read_description(part: Any) -> str:
    if not isinstance(part, griffe.ExprCall) or not part.arguments:
        return ""
    if str(part.function).rpartition(".")[2] not in ("Doc", "doc"):
        return ""
    try:
        text = ast.literal_eval(str(part.arguments[0]))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return ""
    return text if isinstance(text, str) else ""
