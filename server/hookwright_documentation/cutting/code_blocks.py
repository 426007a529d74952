"""Read the code of a block, whatever marks its words and lines."""

import re

from hookwright_console.hidden_characters import remove_hidden
from lxml import etree
from lxml.etree import _Element

from hookwright_documentation.cutting.markdown import write_fence

LINES = etree.XPath(".//br | .//div | .//p | .//li | .//tr")
LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight|brush:|source)[-\s]+([A-Za-z0-9+#.-]{1,20})")
NO_LANGUAGE = frozenset(
    ("default", "none", "notranslate", "text", "plaintext", "output", "source", "prewrap")
)
LEVELS = 3  # elements around a block that may name its language


def write_code_block(block: _Element) -> str:
    """Return the fenced code of a `pre`, or "" if it is empty."""
    language = find_language(block)
    code = read_code(block)
    return write_fence(code, language) if code.strip() else ""


def read_code(block: _Element) -> str:
    """Return the code of a `pre`, without blank lines around it."""
    for line in LINES(block):
        end_line(line)
    code = "".join(block.itertext()).replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ")
    lines = [line.rstrip() for line in remove_hidden(code).split("\n")]
    while lines and not lines[0]:
        del lines[0]
    while lines and not lines[-1]:
        del lines[-1]
    return "\n".join(lines)


def end_line(line: _Element) -> None:
    """Have an element that is a line, or ends one, be followed by a newline."""
    after = line.tail or ""
    if line.tag != "br":
        last = line.getnext() is None and not after.strip()
        if last or after.startswith("\n") or "".join(line.itertext()).endswith("\n"):
            return
    line.tail = "\n" + after


def find_language(block: _Element) -> str:
    """Return the language that classes on or around a block name, or ""."""
    named: _Element | None = block[0] if len(block) == 1 and block[0].tag == "code" else block
    for _ in range(LEVELS + 1):
        if named is None:
            break
        found = LANGUAGE.search(named.get("class") or "")
        if found and found[1].lower() not in NO_LANGUAGE:
            return found[1].lower()
        named = named.getparent()
    return ""
