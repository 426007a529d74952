"""Convert markdown and plain text files to HTML, so that they are processed like other pages."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from html import escape
from itertools import pairwise
from urllib.parse import urlsplit

MARKDOWN_TYPES = frozenset(("text/markdown", "text/x-markdown"))
REST_TYPES = frozenset(("text/x-rst", "text/prs.fallenstein.rst"))
GFM = "variant=GFM"  # media type parameter, RFC 7764: headings have GitHub's anchors
MARKDOWN_NAMES = re.compile(r"\.(?:md|mdx|markdown|mkd)\Z|/llms(?:-[a-z]+)?\.txt\Z", re.IGNORECASE)
MARKDOWN_SIGNS = re.compile(r"^(?:#{1,6} \S|```|~~~|[-*] \[[^\]\n]{1,200}\]\()", re.MULTILINE)
FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.{0,20000}?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
TITLE = re.compile(r"^title:(.*)$", re.MULTILINE)
ADMONITION = re.compile(
    r"^ {0,3}:{3,}(?:[ \t]*\{?(\w+)\}?|\{\})?(?:[ \t]+(?P<title>\S.*)|(?:\[.*\])?[ \t]*)$"
)
HEADING_ANCHOR = re.compile(r"\{#([^\s{}]{1,300})\}\Z")
LINK_TARGET = re.compile(r"\]\([^()\n]{0,1000}\)")
NO_SLUG = re.compile(r"[^\w\- ]")
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
AS_IT_STANDS = re.compile(r"^(?: {4}|\t)|\S(?: {3,}|\t)\S|[-=+|]{4,}", re.MULTILINE)
WITHOUT_ANY = "cp1252"  # browsers' default for pages that do not declare an encoding


def is_markdown(url: str, media_type: str, text: str) -> bool:
    return (
        media_type in MARKDOWN_TYPES
        or bool(MARKDOWN_NAMES.search(urlsplit(url).path))
        or bool(MARKDOWN_SIGNS.search(text))
    )


def render_markdown(text: str, *, has_anchors: bool = False) -> str:
    from markdown_it import MarkdownIt

    head = ""
    if front := FRONT_MATTER.match(text):
        text = text[front.end() :]
        named = TITLE.search(front[1])
        title = named[1].strip().strip("\"'") if named else ""
        head = f"<title>{escape(title)}</title>" if title else ""
    parser = MarkdownIt("commonmark").enable("table")
    lines = mark_code(text.split("\n"))
    opened = (line if code else ADMONITION.sub(write_admonition, line) for line, code in lines)
    tokens = parser.parse("\n".join(opened))
    slugs = Counter[str]()
    for opening, inline in pairwise(tokens):
        last = inline.children[-1] if inline.children else None
        if opening.type != "heading_open" or last is None or last.type != "text":
            continue
        if has_anchors:
            plain = LINK_TARGET.sub("]", inline.content).lower()
            slug = NO_SLUG.sub("", plain).strip().replace(" ", "-")  # same as on GitHub
            opening.attrSet("id", f"{slug}-{slugs[slug]}" if slugs[slug] else slug)
            slugs[slug] += 1
        title = last.content.rstrip(" \t")
        if anchor := HEADING_ANCHOR.search(title):
            opening.attrSet("id", anchor[1])
            last.content = title[: anchor.start()].rstrip(" \t")
    body = parser.renderer.render(tokens, parser.options, {})
    return f"<html><head>{head}</head><body>{body}</body></html>"


def write_admonition(note: re.Match[str]) -> str:
    return f"\n**{note['title'] or note[1].title()}**\n" if note[1] else "\n"


def mark_code(lines: Iterable[str]) -> Iterator[tuple[str, bool]]:
    fence = ""
    for line in lines:
        found = FENCE.match(line)
        yield line, bool(found or fence)
        if found and not fence:
            fence = found[1]
        elif found and found[1].startswith(fence) and not line.strip(" `~"):
            fence = ""


def render_text(text: str) -> str:
    parts = [
        f"<pre>\n{escape(block)}</pre>" if AS_IT_STANDS.search(block) else f"<p>{escape(block)}</p>"
        for block in re.split(r"\n[ \t]*\n", text)
        if block.strip()
    ]
    return f"<html><body>{''.join(parts)}</body></html>"


def decode(body: bytes, content_type: str) -> str:
    """Decode a page as UTF-8 if valid, or else like a browser."""
    from w3lib.encoding import html_to_unicode

    with suppress(ValueError):
        return body.decode("utf-8-sig")
    with suppress(LookupError):  # raised for base64 and such
        name, text = html_to_unicode(content_type, body, auto_detect_fun=lambda _: WITHOUT_ANY)
        if name != "utf-8":
            return text
    return body.decode(WITHOUT_ANY, errors="replace")
