"""Convert reStructuredText files to HTML, including those written for Sphinx.

docutils parses the files without reading other files or accepting raw HTML. Unknown directives and
roles are replaced by their text. The project's configuration is neither read nor executed.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from docutils import nodes
from docutils.core import publish_doctree, publish_from_doctree
from docutils.parsers.rst import Directive, directives, roles
from docutils.parsers.rst.languages import en
from docutils.writers.html5_polyglot import Writer

MAX_TEXT = 1_000_000  # characters
MAX_LINE = 10_000  # characters per line, docutils' limit
DIRECTIVE = re.compile(r"^[ \t]*\.\. ([\w:+.-]{1,60})::", re.MULTILINE)
NAME_END = re.compile(r"[\s(\[=]")
MODULES = frozenset(("currentmodule", "module"))
ROLE = re.compile(r":([a-zA-Z][\w:+.-]{0,59}):`")
PROSE_ROLES = frozenset(["abbr", "doc", "download", "guilabel", "numref", "ref", "term", "title"])
CODE = frozenset(["code", "code-block", "sourcecode", "parsed-literal", "prompt", "console"])
# Directives that refer to other content, or configure how pages are built.
DROPPED_NAMES = """
contents currentmodule default-domain figure highlight image include index literalinclude meta
module moduleauthor py:currentmodule py:module raw sectionauthor sectnum tabularcolumns toctree
"""
DROPPED = frozenset(DROPPED_NAMES.split())
CHANGES = {
    "deprecated": "Deprecated since version",
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "versionremoved": "Removed in version",
}
OBJECT_NAMES = """
attribute class classmethod confval data decorator decoratormethod describe django-admin envvar
event exception fieldlookup function method object option program property setting staticmethod
type templatefilter templatetag macro member struct enum var opcode
"""
OBJECTS = frozenset(OBJECT_NAMES.split())
OWN = CODE | DROPPED | OBJECTS | frozenset(CHANGES)  # override docutils' own directives
ANY_OPTIONS: dict[str, Any] = defaultdict(lambda: directives.unchanged, x=directives.unchanged)
SILENT = frozenset(("container", "hlist", "ifconfig", "only", "rst-class"))
SETTINGS = {
    "_disable_config": True,
    "embed_stylesheet": False,
    "file_insertion_enabled": False,
    "halt_level": 5,  # never halt
    "math_output": "LaTeX",
    "output_encoding": "unicode",
    "raw_enabled": False,
    "report_level": 5,  # report nothing
}


class AnyDirective(Directive):
    """A directive that docutils does not implement, or parses too strictly."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec = ANY_OPTIONS

    def run(self) -> Sequence[nodes.Node]:
        name, argument = self.name.casefold(), " ".join(self.arguments)
        if name.rpartition(":")[2] in MODULES:
            self.state.document.settings.places[:1] = [argument]
        if name in DROPPED or name.startswith("auto"):
            return []
        if name in CODE:
            text = "\n".join(self.content)
            return [nodes.literal_block(text, text)] if text.strip() else []
        if name in CHANGES:
            return [nodes.paragraph("", f"{CHANGES[name]} {argument}".rstrip()), *self.parse()]
        if name.rpartition(":")[2] in OBJECTS:
            return [self.define()]
        title = "" if name in SILENT else argument
        titles = [nodes.paragraph("", "", nodes.strong("", title))] if title else []
        return [*titles, *self.parse()]

    def parse(self) -> list[nodes.Node]:
        inner = nodes.Element()
        self.state.nested_parse(self.content, self.content_offset, inner)
        return inner.children

    def define(self) -> nodes.Node:
        item = nodes.definition_list_item()
        places: list[str] = self.state.document.settings.places
        names: list[str] = []
        for signature in (self.arguments or [""])[0].splitlines():
            plain = signature.strip().rstrip("\\").strip()
            term = nodes.term("", plain)
            own = NAME_END.split(plain, maxsplit=1)[0].strip(":")
            term["ids"] = [".".join(filter(None, (*places, own)))] if own else []
            names.append(own)
            item += term
        places.append(names[0] if names else "")
        item += nodes.definition("", *self.parse())
        places.pop()
        return nodes.definition_list("", item)


def read_role(name: str, raw: str, text: str, *_: Any) -> tuple[list[Any], list[Any]]:
    del raw
    plain = nodes.unescape(text)
    label = plain.rpartition("<")[0].rstrip() if plain.endswith(">") else ""
    shown = (label or plain).lstrip("!")
    if shown.startswith("~"):
        shown = shown.rpartition(".")[2]
    if name.casefold().rpartition(":")[2] in PROSE_ROLES:
        return [nodes.inline("", shown)], []
    return [nodes.literal("", shown)], []


def render_rest(text: str) -> str:
    """Convert a reStructuredText file to HTML; raises ValueError if that is not possible."""
    if len(text) > MAX_TEXT or max(map(len, text.splitlines()), default=0) > MAX_LINE:
        raise ValueError("too long")
    named = {name.casefold() for name in DIRECTIVE.findall(text)}
    for name in (named - set(en.directives)) | OWN:
        directives.register_directive(name, AnyDirective)
    for name in {name.casefold() for name in ROLE.findall(text)} - set(en.roles):
        roles.register_local_role(name, read_role)
    settings = {**SETTINGS, "places": [""]}  # names of the enclosing module and classes
    try:
        tree = publish_doctree(text, settings_overrides=settings)
        for literal in tree.findall(nodes.literal):
            literal["classes"].append("code")  # without this class, it is written as plain text
        html = publish_from_doctree(tree, writer=Writer(), settings_overrides=SETTINGS)
    except (RecursionError, AttributeError, LookupError, TypeError, AssertionError) as error:
        raise ValueError(str(error)) from None
    return str(html)
