"""Split a page in markdown into passages, by heading and API definition."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from textwrap import wrap

from hookwright_documentation.cutting import markdown
from hookwright_documentation.cutting.markdown import FENCED, HEADING, join
from hookwright_documentation.pages import Page, Passage

MAX_HEADING = 1_000  # characters; every passage below a heading repeats it and is embedded with it
LENGTH = 2_000  # approximate characters in a part of a section
REST = 300  # characters; a shorter remainder stays in the previous part
LINES = re.compile(rf"{FENCED.pattern}|^.*$", re.MULTILINE)  # lines of text, and whole code blocks
SENTENCES = re.compile(r"(?<=[.!?;:]) ")


@dataclass
class Section:
    """A heading or definition with its content, excluding nested sections."""

    level: int
    anchors: tuple[str, ...]
    headings: tuple[str, ...]
    lines: list[str] = field(default_factory=list)
    targets: list[tuple[str, str]] = field(default_factory=list)
    has_sections: bool = False
    defines: bool = False


def split(page: Page) -> list[Passage]:
    """Split a page into passages; link addresses are only stored as targets."""
    passages: list[Passage] = []
    above: tuple[str, ...] = ()  # anchors of sections without text before their first subsection
    for section in read_sections(page):
        text = "\n".join(section.lines).strip("\n")
        if not text and (section.level == 0 or (section.has_sections and not section.defines)):
            above += section.anchors
            continue
        (anchor, *aliases), above = (*section.anchors, *above) or ("",), ()
        parts = list(divide(text))
        for part, targets in zip(parts, share_targets(parts, section.targets), strict=True):
            resolved = tuple((resolve(page.url, target), label) for target, label in targets)
            passages.append(
                Passage(page.url, anchor, section.headings, part, resolved, tuple(aliases))
            )
    return passages


def read_sections(page: Page) -> list[Section]:
    title = page.title[:MAX_HEADING]
    sections = [Section(0, (), (title,))]
    around = sections.copy()
    for found in LINES.finditer(page.text):
        line, section = found[0], around[-1]
        if found["marks"]:
            section.lines.append(line)
        elif line.startswith("#") and (heading := HEADING.fullmatch(line)):
            around = [above for above in around if above.level < len(heading["marks"])]
            around.append(begin_section(heading, around[-1]))
            sections.append(around[-1])
        elif line == markdown.SECTION_END:
            around = around[:-1] or around
        elif line or (section.lines and section.lines[-1]):  # skip repeated and leading blank lines
            text, links = markdown.read_inline(line)
            section.lines.append(text)
            section.targets += links
    return sections


def begin_section(heading: re.Match[str], around: Section) -> Section:
    around.has_sections = True
    plain = markdown.strip_markup(heading["title"])[:MAX_HEADING]
    anchors = tuple(anchor[1:] for anchor in (heading["anchors"] or "").split())
    repeats = around.level == 0 and around.headings[-1] == plain
    headings = around.headings if repeats else (*around.headings, plain)
    defines = heading["title"].startswith("`")
    return Section(len(heading["marks"]), anchors, headings, defines=defines)


def share_targets(parts: list[str], targets: list[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    shared: list[list[tuple[str, str]]] = [[] for _ in parts]
    at, last = 0, len(parts) - 1
    for target in targets:
        if at < last and target[1] not in parts[at]:
            at = next((place for place in range(at + 1, last + 1) if target[1] in parts[place]), at)
        shared[at].append(target)
    return shared


def resolve(url: str, target: str) -> str:
    address, _, fragment = target.partition("#")
    joined = join(url, address) if address else url
    ending = f"#{markdown.clean_fragment(fragment)}" if fragment else ""
    return joined + ending if joined else target


def divide(text: str) -> Iterator[str]:
    if len(text) <= LENGTH + REST:
        yield text
        return
    pieces = [piece for block in read_blocks(text) for piece in divide_block(block)]
    yield from map("\n\n".join, gather(pieces, LENGTH, least=REST, gap=2))


def read_blocks(text: str) -> Iterator[list[str]]:
    for kind, group in groupby(
        LINES.finditer(text), lambda found: found.span() if found["marks"] else bool(found[0])
    ):
        if kind:
            yield "\n".join(found[0] for found in group).split("\n")


def divide_block(block: list[str]) -> Iterator[str]:
    if sum(map(len, block)) + len(block) <= LENGTH:
        yield "\n".join(block)
        return
    top, end, length = list[str](), list[str](), LENGTH  # every part repeats the top and the end
    if FENCED.match("\n".join(block)):
        top, block, end = block[:1], block[1:-1], block[-1:]
    elif len(block) > 1 and block[1].lstrip(" ").startswith("|---"):
        length = max(LENGTH - len(block[0]), LENGTH // 2)
        top, block = block[:2], block[2:]
    else:
        block = [part for line in block for part in divide_line(line)]
    for group in gather(block, length):
        yield "\n".join(top + group + end)


def gather(pieces: list[str], length: int, *, least: int = 0, gap: int = 1) -> Iterator[list[str]]:
    """Yield groups of about `length` characters; the last group has at least `least`."""
    group: list[str] = []
    gathered, rest = 0, sum(map(len, pieces)) + gap * len(pieces)
    for piece in pieces:
        if group and gathered + len(piece) > length and rest > least:
            yield group
            group, gathered = [], 0
        group.append(piece)
        gathered += len(piece) + gap
        rest -= len(piece) + gap
    if group:
        yield group


def divide_line(line: str) -> Iterator[str]:
    if len(line) <= LENGTH:
        yield line
        return
    parts = [part for text in SENTENCES.split(line) for part in wrap(text, 2 * LENGTH)]
    yield from map(" ".join, gather(parts, LENGTH))
