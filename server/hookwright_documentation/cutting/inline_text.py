"""Write inline content: text, code, links, images and formulas."""

import re
from collections.abc import Callable
from urllib.parse import quote, urljoin, urlsplit

from lxml.etree import _Element

from hookwright_console.text import remove_hidden
from hookwright_documentation.cutting.elements import BLOCKS, read_text
from hookwright_documentation.cutting.markdown import STARTS, escape_text, write_code_span

CODE = frozenset(("code", "tt", "kbd", "samp", "listing"))
FOLLOWED = frozenset(("http", "https", "python", "man", ""))  # link schemes to keep
PLAIN_LINK = re.compile(r"[A-Za-z0-9#./_-]{1,300}\Z")
MAX_LINK = 2_000
SAFE = "!#$%&'*+,;=:@/?-._~[]"
NO_PICTURE = re.compile(r"[\W_]*\Z|.{0,40}\blogo\Z", re.IGNORECASE)  # such as arrows and logos
UNSHOWN_MATH = frozenset(("annotation", "annotation-xml", "mphantom"))
MATH = {
    **dict.fromkeys(("msup", "mover"), "%s^{%s}"),
    **dict.fromkeys(("msub", "munder"), "%s_{%s}"),
    **dict.fromkeys(("msubsup", "munderover"), "%s_{%s}^{%s}"),
    "mfrac": r"\frac{%s}{%s}",
    "msqrt": r"\sqrt{%s}",
}
BLANKS = re.compile(r"\s+")


def clean_inline(text: str) -> str:
    text = text.replace("\n", " ")
    if text.isascii() and text.isprintable():  # fast path for most texts
        return text
    return BLANKS.sub(" ", remove_hidden(text))


def write_text(text: str) -> str:
    return escape_text(clean_inline(text))


def finish_paragraph(inline: str) -> str:
    lines = filter(None, map(finish_line, inline.split("\n")))
    return "\n".join("\\" + line if line.startswith(STARTS) else line for line in lines)


def finish_line(inline: str) -> str:
    return " ".join(inline.split())


class InlineWriter:
    """Writes inline elements."""

    def __init__(self, base: str = "") -> None:
        self.base = base

    def write(self, element: _Element, *, linked: bool = True) -> str:
        tag = element.tag
        if tag in CODE:
            return self.write_code(element, linked=linked)
        if tag in WRITERS:
            return WRITERS[tag](element)
        if tag == "a" and linked and (target := self.find_target(element)):
            text = finish_line(self.write_content(element, linked=False))
            return f"[{text}]({target})" if text else ""
        content = self.write_content(element, linked=linked)
        if tag in BLOCKS or (not content and element.get("role") == "presentation"):
            content = f" {content} "
        if tag == "sup" and content.strip().isalnum() and element.find(".//a") is None:
            return "^" + content.strip()
        return content

    def write_content(self, element: _Element, *, linked: bool = True) -> str:
        parts = [write_text(element.text)] if element.text else []
        for child in element:
            parts.append(self.write(child, linked=linked))
            if child.tail:
                parts.append(write_text(child.tail))
        return "".join(parts)

    def write_code(self, element: _Element, *, linked: bool) -> str:
        code = clean_inline(read_text(element))
        before, after = code[:1].isspace() * " ", code[-1:].isspace() * " "
        span = write_code_span(code)
        if linked and span and len(element) == 1 and element[0].tag == "a":
            target = self.find_target(element[0])
            if target and clean_inline(read_text(element[0])).strip() == code.strip():
                span = f"[{span}]({target})"
        return before + span + after

    def find_target(self, link: _Element) -> str:
        href = (link.get("href") or "").strip()
        if not href or len(href) > MAX_LINK:
            return ""
        if PLAIN_LINK.match(href) and not self.base:  # fast path for most links
            return href
        try:
            if self.base:
                href = urljoin(self.base, href)
            if urlsplit(href).scheme.lower() not in FOLLOWED:
                return ""
        except ValueError:
            return ""
        return quote(remove_hidden(href), SAFE, errors="ignore")


def write_picture(picture: _Element) -> str:
    text = clean_inline(picture.get("alt") or "").strip()
    if NO_PICTURE.match(text):
        return ""
    if "math" in (picture.get("class") or "").split():
        return f"${escape_text(text)}$"
    return f"(image: {escape_text(text)})"


def write_formula(formula: _Element) -> str:
    text = clean_inline(write_math(formula)).strip()
    return f"${escape_text(text)}$" if text else ""


def write_math(element: _Element) -> str:
    tag = element.tag.rpartition("}")[2]
    if tag in UNSHOWN_MATH:
        return ""
    parts = [write_math(child) for child in element]
    if tag in MATH and len(parts) == MATH[tag].count("%s"):
        return MATH[tag] % tuple(parts)
    tails = (child.tail or "" for child in element)
    joined = "".join(part + tail for part, tail in zip(parts, tails, strict=True))
    return (element.text or "") + joined + (" " if tag in ("mtd", "mtr") else "")


WRITERS: dict[str, Callable[[_Element], str]] = {
    "br": lambda _: "\n",
    "img": write_picture,
    "math": write_formula,
}
