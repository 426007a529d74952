"""Read the code of a block, whatever marks its words and lines."""

import re
from itertools import islice

from lxml.etree import _Element

from hookwright_console.hidden_characters import remove_hidden
from hookwright_documentation.cutting.markdown import write_fence
from hookwright_documentation.cutting.trees import compile_path, make_storable, read_text

LINES = compile_path(".//br | .//div | .//p | .//li | .//tr")
LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|brush:|source)[-\s]+([A-Za-z0-9+#.-]{1,20})")
LANGUAGE_AROUND = re.compile(r"(?:^|\s)(?:highlight|language)-([A-Za-z0-9+#.-]{1,20})")
NAMED = re.compile(r"[A-Za-z0-9+#.-]{1,20}\Z")
NO_LANGUAGE = frozenset(
    ("default", "none", "notranslate", "text", "plaintext", "output", "source", "prewrap")
)
LEVELS = 7  # elements around a block that may name its language, those of a table of line numbers


def write_code_block(block: _Element) -> str:
    """Return the fenced code of a `pre`, or "" if it is empty."""
    language = find_language(block)
    code = read_code(block)
    return write_fence(code, language) if code.strip() else ""


def read_code(block: _Element) -> str:
    for line in LINES(block):
        end_line(line)
    code = read_text(block).replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ")
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
        if last or after.startswith("\n") or read_text(line).endswith("\n"):
            return
    line.tail = make_storable("\n" + after)


def find_language(block: _Element) -> str:
    named = block.get("data-language") or ""
    if NAMED.match(named) and named.lower() not in NO_LANGUAGE:
        return named.lower()
    own = [(LANGUAGE, part) for part in [block, *list(block)[:1]]]
    around = [(LANGUAGE_AROUND, part) for part in islice(block.iterancestors(), LEVELS)]
    for pattern, part in own + around:
        found = pattern.search(part.get("class") or "")
        if found and found[1].lower() not in NO_LANGUAGE:
            return found[1].lower()
    return ""
