"""Write code blocks with their language and unchanged lines."""

import re
from itertools import islice, pairwise

from lxml import etree
from lxml.etree import _Element
from pygments.lexers import get_all_lexers

from hookwright_console.text import remove_hidden
from hookwright_documentation.cutting import elements
from hookwright_documentation.cutting.elements import compile_path, read_text, remove
from hookwright_documentation.cutting.markdown import write_fence

LINES = compile_path(".//br | .//div | .//p | .//li | .//tr")
BROKEN = compile_path(".//code//br/ancestor::code[not(ancestor::pre) and not(.//table)]")
LINKS_AFTER = compile_path("self::*[not(text())]/code[1]/following-sibling::a")
LINE_CLASSES = ("line", "code-line", "view-line")
IN_LINES = compile_path(".//div/@class[contains(., 'line')]/../..")
NUMBERED = re.compile(r"[ \t]{0,20}(\d{1,7})")
MOST = 0.9  # minimum share of consecutive line numbers; some lines may be hidden
NUMBER_CLASS = re.compile(r"\bl(?:ine)?[-_]?n|gutter")
LANGUAGE = r"([A-Za-z0-9+#.-]{1,20})(?![\w+#.-])"
NAMED = re.compile(
    r"(?:^|\s)(?:(?:mw-highlight-lang|highlight-source|highlight-text|highlight|language|lang|src"
    rf"|source)-|brush:\s*|(?:language|lang)\s+){LANGUAGE}"
)
HIGHLIGHTED = re.compile(r"highl|hljs|code|source|src|prettyprint", re.IGNORECASE)
KNOWN = {alias for _, aliases, *_ in get_all_lexers(plugins=False) for alias in aliases}
NO_LANGUAGE = frozenset(
    ("default", "none", "notranslate", "text", "plaintext", "output", "source", "prewrap", "code")
)
HELD = ("div", "p", "pre", "table", "ul", "ol", "dl", *elements.HEADING_TAGS)  # never within code
LEVELS = 7  # ancestors of a block to search for its language; line numbers add several


def lay_out_code(main: _Element) -> None:
    for code in BROKEN(main):
        for part in code.iter():
            part.text, part.tail = join_lines(part.text), join_lines(part.tail)
        code.tag = "pre"
    for block in IN_LINES(main):
        lines = [part for part in block if is_line(part)]
        others = [part for part in block if not is_line(part)]
        is_code = len(lines) > len(others) and not elements.has_class(block, "line-block")
        if is_code and not any(other.tag in HELD[1:] for other in others):
            for part in others:  # other elements, such as tooltips
                remove(part)
            if block.tag == "td":
                etree.SubElement(block, "pre").extend(lines)
            else:
                block.tag = "pre"
    for block in list(main.iter("pre")):
        cell = next(block.iterancestors("td"), None)
        row = None if cell is None else cell.getparent()
        if row is not None and len(row) > 1 and "".join(read_text(block).split()).isdigit():
            remove(block)
            continue
        label = block.getprevious()
        named = "" if label is None or label.tag in ("pre", "br") else read_text(label).strip()
        if label is not None and named and named.lower() == find_language(block):
            remove(label)


def is_line(part: _Element) -> bool:
    return elements.has_class(part, *LINE_CLASSES) and not any(
        True for _ in islice(part.iter(*HELD), 1, 2)
    )


def join_lines(text: str | None) -> str | None:
    return text.replace("\n", " ") if text and ("\n" not in text or text.strip()) else None


def write_code_block(block: _Element) -> str:
    language = find_language(block)
    for link in LINKS_AFTER(block):  # such as one that runs the example
        remove(link)
    for line in LINES(block):
        end_line(line)
    for number in list_numbers(block):
        number.text = None
    code = "\n".join(read_lines(block)).strip("\n")
    return write_fence(code, language) if code else ""


def read_lines(block: _Element) -> list[str]:
    code = read_text(block).replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ")
    return [line.rstrip() for line in remove_hidden(code).split("\n")]


def list_numbers(block: _Element) -> list[_Element]:
    """Return the elements that contain line numbers, if every line begins with a number."""
    parts = [part for part in block.iter() if not len(part) and (part.text or "").strip().isdigit()]
    lines = list(filter(None, read_lines(block))) if parts else []
    wanted = [int(number[1]) for number in map(NUMBERED.match, lines) if number]
    follow = sum(after == before + 1 for before, after in pairwise(wanted))
    if not lines or len(wanted) < len(lines) or follow < MOST * (len(wanted) - 1):
        return []
    if len(wanted) == 1 and not NUMBER_CLASS.search(parts[0].get("class") or ""):
        return []
    numbers: list[_Element] = []
    for part in parts:
        if len(numbers) < len(wanted) and int(part.text or "") == wanted[len(numbers)]:
            numbers.append(part)
    return numbers if len(numbers) == len(wanted) else []


def end_line(line: _Element) -> None:
    after = line.tail or ""
    if line.tag != "br":
        last = line.getnext() is None and not after.strip()
        if last or after.startswith("\n") or read_text(line).endswith("\n"):
            return
    line.tail = "\n" + after


def find_language(block: _Element) -> str:
    first = list(block)[:1]
    own = {block, *(part for part in first if part.tag == "code")}
    for part in [block, *first, *islice(block.iterancestors(), LEVELS)]:
        classes = part.get("class") or ""
        named = [part.get("data-lang"), part.get("data-language"), *NAMED.findall(classes)]
        if part in own or HIGHLIGHTED.search(classes):
            bare = (name.lower().removesuffix("code") for name in classes.split())  # as phpcode
            named += [name for name in bare if name in KNOWN]
        lowered = (str(name).lower() for name in named if name)
        if language := next((name for name in lowered if name not in NO_LANGUAGE), ""):
            return language
    return ""
