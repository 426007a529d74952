"""Write and read the markdown format of pages.

Headings and definitions end with their anchors, `## Title {#anchor #alias}`. A line `---` ends the
innermost section, so that the following text belongs to the enclosing one. Text is escaped if it
could be mistaken for one of these, a fence, a table row, a link or HTML; see docs/decisions.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import quote, unquote, urljoin

SECTION_END = "---"
MAX_LEVEL = 6
MAX_CODE = 1_000  # characters; longer code is written as plain text
MAX_ANCHOR = 300
MAX_ALIASES = 60

HEADING = re.compile(
    rf"(?P<marks>#{{1,{MAX_LEVEL}}}) (?P<title>.*?)"
    r"(?: \{(?P<anchors>#[^\s{}]+(?: #[^\s{}]+)*)\})?"
)
FENCED = re.compile(  # a code block, including its fences
    r"^(?P<indent> *)(?P<marks>`{3,})[^`\n]*$(?:\n.*)*?(?:\n *(?P=marks) *$|(?P<open>\Z))",
    re.MULTILINE,
)

ESCAPED = re.compile(r"\\(?=[!-/:-@\[-`{-~]|\Z)|`|<(?=[A-Za-z/!?]|\Z)|\](?=\(|\Z)")
STARTS = ("#", "---", "===", "~~~", "|")  # of lines to escape
UNESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
TICKS = re.compile("`+")
CODE = rf"(?<!`)(?P<ticks>`+)(?!`)(?P<code>.{{1,{MAX_CODE + 2}}}?)(?<!`)(?P=ticks)(?!`)"
TOKEN = re.compile(rf"\\.|{CODE}|(?P<open>\[)|\]\((?P<target>[^()\s<>]*)\)")
FRAGMENT_SAFE = "!$&'()*+,;=:@/?-._~"  # RFC 3986; quote() keeps letters and digits
PLAIN_FRAGMENT = re.compile(rf"[A-Za-z0-9_.:-]{{1,{MAX_ANCHOR}}}")


def escape_text(text: str) -> str:
    if "]" not in text and "`" not in text and "<" not in text and "\\" not in text:  # most texts
        return text
    return ESCAPED.sub(lambda found: "\\" + found[0], text)


def write_heading(level: int, title: str, anchors: Sequence[str]) -> str:
    title = title.replace("{#", "{\\#")
    known = list(dict.fromkeys(filter(None, map(clean_fragment, anchors))))[: MAX_ALIASES + 1]
    marks = " {" + " ".join("#" + anchor for anchor in known) + "}" if known else ""
    return f"{'#' * level} {title}{marks}"


@lru_cache(maxsize=50_000)
def clean_fragment(fragment: str) -> str:
    if PLAIN_FRAGMENT.fullmatch(fragment):  # fast path for most fragments
        return fragment
    quoted = quote(unquote(fragment, errors="ignore").strip(), FRAGMENT_SAFE, errors="ignore")
    return quoted if len(quoted) <= MAX_ANCHOR else ""


@lru_cache(maxsize=50_000)
def join(url: str, address: str) -> str:
    """Return a link's absolute address, or "" if it is invalid."""
    try:
        return urljoin(url, address)
    except ValueError:
        return ""


def write_code_span(code: str) -> str:
    code = " ".join(code.split())
    if not code:
        return ""
    if len(code) > MAX_CODE:
        return escape_text(code)
    ticks = "`" * (longest_run(code) + 1)
    space = " " if code[0] == "`" or code[-1] == "`" else ""
    return f"{ticks}{space}{code}{space}{ticks}"


def write_fence(code: str, language: str = "") -> str:
    marks = "`" * max(3, longest_run(code) + 1)
    return f"{marks}{language}\n{code}\n{marks}"


def longest_run(code: str) -> int:
    return max(map(len, TICKS.findall(code)), default=0) if "`" in code else 0


def read_inline(line: str) -> tuple[str, list[tuple[str, str]]]:
    """Return a line with links replaced by their text, and the links as (target, text) pairs."""
    if "](" not in line:
        return line, []
    parts: list[str] = []
    opened: list[int] = []
    links: list[tuple[str, str]] = []
    at = 0
    for token in TOKEN.finditer(line):
        parts.append(line[at : token.start()])
        at = token.end()
        if token.lastgroup == "open":
            opened.append(len(parts))
            parts.append(token[0])
        elif token.lastgroup == "target" and opened:
            start = opened.pop()
            text = "".join(parts[start + 1 :])
            links.append((token["target"], strip_markup(text)))
            parts[start:] = [text]
        else:
            parts.append(token[0])
    return "".join(parts) + line[at:], links


def strip_markup(line: str) -> str:
    plain = read_inline(line)[0]
    if "`" not in plain and "\\" not in plain:  # fast path for most lines
        return plain
    return TOKEN.sub(
        lambda m: m["code"].strip() if m["code"] else UNESCAPED.sub(r"\1", m[0]), plain
    )


def read_heading(block: str) -> str:
    found = HEADING.fullmatch(block) if block.startswith("#") else None
    return strip_markup(found["title"]) if found else ""
