"""Find sections, options and code in terminal output by its indentation."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

ESCAPES = re.compile(
    "\x1b(?:\\[[0-?]{0,200}[ -/]{0,20}[@-~]|\\][^\x07\x1b\n]{0,4000}(?:\x07|\x1b\\\\)|[ -/]?[0-~])"
)
OVERSTRIKE = re.compile("[^\n\x08]\x08")
CONTROLS = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]")
DASHES = str.maketrans("\u2010\u2212", "--")
LONG, SHORT = re.compile(r"--(?:\[no-\])?[^\W_][\w-]*"), re.compile(r"[-+][^\W_][\w-]*")
OPTION = re.compile(r"[-+][^\W_]|--(?:\[no-\])?[^\W_]|--?(?= {8})")
WORDS = re.compile(r"[\w.+@-]+")
USAGE = re.compile(r"usage\b", re.IGNORECASE)
BULLET = re.compile(r"(?:[^\w\s#\"'`$({\[<+/.]|o|\d{1,3}[.)])(?: +(?=\S)|\Z)")
INLINE = re.compile(r"(\S(?:.{0,60}?\S)??)( {2,})(?=\S)")
LONG_ONLY = 4  # extra indentation of a line with only --long, below a line with `-l, --long`
GAP, WIDE = re.compile(" {3}"), 3
TAG = 6  # in manual pages, maximum length of an option whose description follows on the same line
CODE = re.compile(r"[.:;?!)]\Z")  # line ends that do not occur in code
MAX_TITLE, MAX_CODE = 80, 100  # characters of a heading, and of a single line of code
MIN_BROKEN = 800  # minimum characters of a line that was broken although each paragraph is one line
MAX_DEPTH = 8


@dataclass(frozen=True)
class Line:
    """A line and its indentation; the text of a blank line is ""."""

    indent: int
    text: str

    @property
    def is_option(self) -> bool:
        return bool(OPTION.match(self.text))


def drop_controls(text: str) -> str:
    """Return a text without colours, overstrikes and other control characters."""
    text = ESCAPES.sub("", text.replace("\r\n", "\n").replace("\f", "\n"))
    for _ in range(3):  # each character may be overstruck several times
        text = OVERSTRIKE.sub("", text)
    return CONTROLS.sub("", text.replace("\r", "\n").expandtabs()).translate(DASHES)


class Layout:
    """Writes a text as HTML, with headings, and with options as a list of terms."""

    def __init__(self, *, is_manual: bool) -> None:
        """Use `is_manual` for a formatted manual page, in which each line is a paragraph."""
        self._is_manual = is_manual
        self._ids = Counter[str]()

    def write(self, text: str) -> str:
        lines = [
            Line(len(line) - len(bare), bare.rstrip())
            for line in text.split("\n")
            for bare in [line.lstrip(" ")]
        ]
        parts, start = list[str](), 0
        for at, line in enumerate(lines):
            if level := self._find_level(lines, at):
                parts += self._write_block(lines[start:at], 0)
                parts.append(self._write_heading(level, line.text))
                start = at + 1
        return "".join([*parts, *self._write_block(lines[start:], 0)]).replace("</dl><dl>", "")

    def _name(self, term: str) -> str:
        """Return the anchor for a heading or term, such as --long for `-l, --long`."""
        option = LONG.search(term) or SHORT.match(term) if term[:1] in "-+" else None
        name = option[0].replace("[no-]", "") if option else "_".join(WORDS.findall(term)[:5])
        self._ids[name] += 1
        return name if self._ids[name] == 1 else f"{name}~{self._ids[name]}"

    def _find_level(self, lines: list[Line], at: int) -> int:
        line = lines[at]
        if not line.text or line.is_option or BULLET.match(line.text):
            return 0
        if self._is_manual:
            return 2 if not line.indent else 3 if line.indent < 5 else 0  # noqa: PLR2004
        below = next((other for other in lines[at + 1 : at + 3] if other.text), None)
        is_title = line.text.endswith(":") or line.text.isupper()
        begins = not at or not lines[at - 1].text
        is_above = below is not None and below.indent > line.indent
        fits = not line.indent and len(line.text) <= MAX_TITLE
        return 2 if fits and is_title and begins and is_above else 0

    def _write_heading(self, level: int, text: str) -> str:
        title = text.removesuffix(":")
        return f'<h{level} id="{escape(self._name(title))}">{escape(title)}</h{level}>'

    def _write_block(self, lines: list[Line], depth: int) -> Iterator[str]:
        if depth > MAX_DEPTH:
            yield write_code(lines)
            return
        at = 0
        while at < len(lines):
            end = at + 1
            if lines[at].text:
                end = self._find_end(lines, at)
                yield from self._write_item(lines, at, end, depth)
            at = end

    def _find_end(self, lines: list[Line], at: int) -> int:
        """Return the end of an item: a term with its description, or a paragraph's lines."""
        first = lines[at]
        if self._is_code(lines[at:]):
            return at + len(self._take_code(lines[at:]))
        is_paragraph = not self._begins_term(lines, at)

        def begins_item(at: int) -> bool:
            line, before = lines[at], lines[at - 1]
            if not line.text or line.indent > first.indent:
                is_long = line.text[:2] == "--" and line.indent == first.indent + LONG_ONLY
                return first.is_option and is_long
            joins = is_paragraph and before.text and not self._begins_term(lines, at)
            return line.indent < first.indent or not joins or before.indent > line.indent

        return next(filter(begins_item, range(at + 1, len(lines))), len(lines))

    def _begins_term(self, lines: list[Line], at: int) -> bool:
        line = lines[at]
        below = lines[at + 1] if at + 1 < len(lines) else Line(0, "")
        is_above = bool(below.text) and below.indent > line.indent
        return bool(
            line.is_option or is_above or BULLET.match(line.text) or self._split(lines, at)[1]
        )

    def _split(self, lines: list[Line], at: int) -> tuple[str, str, int]:
        """Return a term, the description on the same line or "", and the description's column."""
        line = lines[at]
        near = [
            other for other in lines[max(at - 1, 0) : at + 2] if other is not line and other.text
        ]
        if found := INLINE.match(line.text):
            column = line.indent + found.end()
            is_row = any(
                other.indent == column
                or ((match := INLINE.match(other.text)) and other.indent + match.end() == column)
                for other in near
            )
            is_sentence = CODE.search(found[1]) and len(found[2]) < 3  # noqa: PLR2004
            is_cell = not GAP.search(line.text, found.end()) and (is_row or len(found[2]) > WIDE)
            is_term = is_cell if not self._is_manual else not (near or is_sentence)
            if line.is_option or is_term:
                return found[1], line.text[found.end() :], column
        rest = line.text[TAG + 1 :]
        if self._is_manual and line.is_option and line.text[TAG:][:1] == " " and rest[:1].isupper():
            return line.text[:TAG], rest, line.indent + TAG + 1
        return line.text, "", line.indent

    def _write_item(self, around: list[Line], at: int, end: int, depth: int) -> Iterator[str]:
        first, below = around[at], around[at + 1 : end]
        term, rest, column = self._split(around, at)
        if bullet := BULLET.match(first.text):
            item = Line(first.indent + bullet.end(), first.text[bullet.end() :])
            if not item.is_option:
                yield f"<ul><li>{''.join(self._write_block([item, *below], depth + 1))}</li></ul>"
                return
            first = Line(first.indent, item.text)
            term, rest, column = self._split([first], 0)
        lines = [first, *below]
        is_above = bool(below and below[0].text) and below[0].indent > first.indent
        if self._is_code(lines):
            yield write_code(lines)
        elif first.is_option or rest or (is_above and first.text[-1] != "."):
            inner = [Line(column, rest), *below] if rest else below
            body = "".join(self._write_block(inner, depth + 1))
            is_row = rest and not first.is_option and not self._is_manual
            name = "" if is_row else f' id="{escape(self._name(term))}"'
            yield f"<dl><dt{name}><code>{escape(term)}</code></dt><dd>{body}</dd></dl>"
        else:
            own = take_paragraph(lines)
            yield self._write_paragraph(own)
            if inner := lines[len(own) :]:
                yield from self._write_below(inner, depth + 1)

    def _is_code(self, lines: list[Line]) -> bool:
        """Return whether an item is a synopsis, or a code block such as `if ... end`."""
        first, *below = self._take_code(lines)
        if USAGE.match(first.text):
            return not self._is_manual
        is_above = bool(below) and below[0].indent > first.indent
        is_told = is_above and (len(below[0].text) > MAX_CODE or below[0].text.endswith("."))
        returns = any(line.indent <= first.indent and not line.is_option for line in below)
        return is_above and not first.is_option and not is_told and returns

    def _take_code(self, lines: list[Line]) -> list[Line]:
        """Return the lines before the first blank one, or the lines of a synopsis."""
        first, *below = lines
        is_usage = bool(USAGE.match(first.text))
        ends = (
            at
            for at, line in enumerate(below, 1)
            if not line.text or (is_usage and (line.indent <= first.indent or line.is_option))
        )
        return lines[: next(ends, len(lines))]

    def _write_paragraph(self, lines: list[Line]) -> str:
        text = " ".join(line.text for line in lines)
        is_prose = all(len(line.text) > MIN_BROKEN for line in lines[:-1]) or (
            not self._is_manual and is_wrapped(lines)
        )
        return f"<p>{escape(text)}</p>" if is_prose else write_code(lines)

    def _write_below(self, lines: list[Line], depth: int) -> Iterator[str]:
        """Write the indented text below a paragraph, as code unless it is structured."""
        filled = [line for line in lines if line.text]
        has_terms = any(self._begins_term(lines, at) for at, line in enumerate(lines) if line.text)
        is_prose = all(len(line.text) > MAX_CODE or CODE.search(line.text) for line in filled)
        if has_terms or is_prose:
            yield from self._write_block(lines, depth)
        elif filled:
            yield write_code(lines)


def take_paragraph(lines: list[Line]) -> list[Line]:
    """Return the first consecutive lines with equal indentation."""
    others = (
        at for at, line in enumerate(lines) if not line.text or line.indent != lines[0].indent
    )
    return lines[: next(others, len(lines))]


def is_wrapped(lines: list[Line]) -> bool:
    """Return whether the lines are a single paragraph wrapped near the margin."""
    least = max(len(line.text) for line in lines) / 2
    is_full = all(len(line.text) >= least for line in lines[:-1])
    return is_full and not any(GAP.search(line.text) for line in lines)


def write_code(lines: list[Line]) -> str:
    margin = min((line.indent for line in lines if line.text), default=0)
    text = "\n".join(" " * (line.indent - margin) + line.text for line in lines).strip("\n")
    return f"<pre>{escape(text)}</pre>" if text else ""


def wrap_page(title: str, body: str) -> bytes:
    head = f"<head><title>{escape(title)}</title></head>"
    page = f"<html>{head}<body><main><h1>{escape(title)}</h1>{body}</main></body></html>"
    return page.encode("utf-8", "replace")
