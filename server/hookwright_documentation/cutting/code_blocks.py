"""Write blocks of code: their lines as they stand, and their language."""

import re
from itertools import islice

from lxml.etree import _Element

from hookwright_console.text import remove_hidden
from hookwright_documentation.cutting import elements
from hookwright_documentation.cutting.elements import compile_path, read_text, remove
from hookwright_documentation.cutting.markdown import write_fence

LINES = compile_path(".//br | .//div | .//p | .//li | .//tr")
BROKEN = compile_path(".//code[.//br and not(ancestor::pre) and not(.//table)]")
LINE_CLASSES = ("line", "code-line", "view-line")
IN_LINES = compile_path(
    ".//div[" + " or ".join(f"contains(@class, '{c}')" for c in LINE_CLASSES) + "]/.."
)
NUMBERED = re.compile(r"[ \t]{0,20}(\d{1,7})")
LANGUAGE = r"([A-Za-z0-9+#.-]{1,20})(?![\w+#.-])"
NAMED = re.compile(
    r"(?:^|\s)(?:(?:mw-highlight-lang|highlight-source|highlight-text|highlight|language|lang|src"
    rf"|source)-|brush:\s*|(?:language|lang)\s+){LANGUAGE}"
)
HIGHLIGHTED = re.compile(r"highl|hljs|code|source|src|prettyprint", re.IGNORECASE)
CODE_SUFFIX = "code"  # as of phpcode
KNOWN_NAMES = """
abap ada agda apache applescript asm awk bash basic bat batch c c# c++ clojure cmake cobol coffee
coffeescript console cpp crystal cs csharp css cuda cypher d dart delphi diff django docker
dockerfile dot elixir elm erb erl erlang f# fish fortran fsharp gherkin gleam glsl go golang gradle
graphql groovy handlebars haskell hcl hs html http idris ini irb j java javascript jinja js json
json5 jsonc jsx julia kotlin kt latex less lisp llvm lua make makefile markdown matlab md mermaid
nasm nginx nim nix objc objectivec objective-c ocaml octave pascal perl php pl plsql postgresql
powershell prolog properties proto protobuf ps1 puppet purescript py pycon python python3 qml r
racket raku rb reason rest rst ruby rust rs scala scheme scss sed sh shell shell-session smalltalk
solidity sparql sql stylus svelte swift systemverilog tcl terraform tex toml ts tsx twig typescript
typst vala vb verilog vhdl vim vue wasm xml yaml yml zig zsh
"""
KNOWN = frozenset(KNOWN_NAMES.split())
NO_LANGUAGE = frozenset(
    ("default", "none", "notranslate", "text", "plaintext", "output", "source", "prewrap", "code")
)
HELD = (
    "div",
    "p",
    "pre",
    "table",
    "ul",
    "ol",
    "dl",
    *elements.HEADING_TAGS,
)  # what no line of code holds
LEVELS = 7  # elements around a block that may name its language, those of a table of line numbers


def lay_out_code(main: _Element) -> None:
    for code in BROKEN(main):
        for part in code.iter():
            part.text, part.tail = join_lines(part.text), join_lines(part.tail)
        code.tag = "pre"
    for block in IN_LINES(main):
        if not elements.has_class(block, "line-block") and all(
            elements.has_class(part, *LINE_CLASSES)
            and not any(True for _ in islice(part.iter(*HELD), 1, 2))
            for part in block
        ):
            block.tag = "pre"
    for block in list(main.iter("pre")):
        cell = next(block.iterancestors("td"), None)
        row = None if cell is None else cell.getparent()
        if row is not None and len(row) > 1 and "".join(read_text(block).split()).isdigit():
            remove(block)
            continue
        label, language = block.getprevious(), find_language(block)
        is_label = label is not None and label.tag not in ("pre", "br") and language
        if label is not None and is_label and read_text(label).strip().lower() == language:
            remove(label)


def join_lines(text: str | None) -> str | None:
    if not text or "\n" not in text:
        return text
    return elements.make_storable(text.replace("\n", " ")) if text.strip() else ""


def write_code_block(block: _Element) -> str:
    language = find_language(block)
    for line in LINES(block):
        end_line(line)
    code = read_text(block).replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ")
    lines = remove_numbers([line.rstrip() for line in remove_hidden(code).split("\n")], block)
    code = "\n".join(lines).strip("\n")
    return write_fence(code, language) if code else ""


def remove_numbers(lines: list[str], block: _Element) -> list[str]:
    found = [NUMBERED.match(line) for line in lines if line]
    if len(found) <= 1 or not all(found):
        return lines
    numbers = [int(number[1]) for number in found if number]
    parts = {
        text
        for one in block.iter()
        if not len(one) and (text := (one.text or "").strip()).isdigit()
    }
    if numbers != list(range(numbers[0], numbers[0] + len(numbers))) or not parts.issuperset(
        map(str, numbers)
    ):
        return lines
    return [NUMBERED.sub("", line, count=1).rstrip() for line in lines]


def end_line(line: _Element) -> None:
    after = line.tail or ""
    if line.tag != "br":
        last = line.getnext() is None and not after.strip()
        if last or after.startswith("\n") or read_text(line).endswith("\n"):
            return
    line.tail = elements.make_storable("\n" + after)


def find_language(block: _Element) -> str:
    first = list(block)[:1]
    own = [block, *(part for part in first if part.tag == "code")]
    for part in [block, *first, *islice(block.iterancestors(), LEVELS)]:
        classes = part.get("class") or ""
        named = [part.get("data-lang"), part.get("data-language"), *NAMED.findall(classes)]
        if part in own or HIGHLIGHTED.search(classes):
            bare = (name.lower().removesuffix(CODE_SUFFIX) for name in classes.split())
            named += [name for name in bare if name in KNOWN]
        lowered = (str(name).lower() for name in named if name)
        if language := next((name for name in lowered if name not in NO_LANGUAGE), ""):
            return language
    return ""
