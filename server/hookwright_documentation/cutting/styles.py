"""Determine from CSS declarations whether a browser shows an element's text.

A declaration that hides an element counts even if a later declaration overrides it. Values that
leave almost nothing visible, such as a one-pixel font, also count as hiding. `var()` and arithmetic
within `calc()` are not evaluated.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from tinycss2 import parse_blocks_contents
from tinycss2.ast import Node
from tinycss2.color4 import parse_color

SEEN = 0.1  # minimum visible opacity and contrast
MIN_FONT, MIN_BOX = 2.0, 1.0  # maximum sizes in pixels that are too small for text
# Pixels that move an element off screen: NEAR and WIDE to the left or top, where WIDE is for
# properties that are also used for centring, and FAR to the right or bottom.
NEAR, WIDE, FAR = 300.0, 900.0, 5_000.0
EM = 16.0
QUARTER = 90  # degrees
EDGES = ("w", "h", "i", "b", "min", "max")  # window dimensions in units such as vw and svmin
UNITS = {  # pixels per unit; percentages refer to a window that is 1,000 pixels wide
    "px": 1.0,
    "pt": 4 / 3,
    "pc": EM,
    "in": 96.0,
    "cm": 37.8,
    "mm": 3.78,
    "q": 0.945,
    **dict.fromkeys(("em", "rem", "ic", "lh", "rlh"), EM),
    **dict.fromkeys(("ex", "ch"), EM / 2),
    **dict.fromkeys(("%", *(kind + "v" + edge for kind in ("", *"sld") for edge in EDGES)), 10.0),
}
RELATIVE = {"em": EM, "ex": EM, "ch": EM, "ic": EM, "lh": EM, "%": 1_000.0}  # pixels at scale 1
UNIT = {"number": "", "percentage": "%"}
NUMBERS = (*UNIT, "dimension")
MATHS = frozenset(("calc", "min", "max", "clamp"))
UNKNOWN = frozenset(("var", "env", "attr", "if"))
VENDOR = re.compile("-(?:webkit|moz|ms|o)-")
CLIPPING = frozenset(("hidden", "clip", "scroll", "auto", "paint", "strict", "content"))
SRGB = frozenset(("srgb", "hsl", "hwb"))
FONT_SIZES = re.compile("(?:x{1,3}-)?(?:small|large)|medium")
Color = tuple[float, float, float, float]  # red, green, blue, alpha; each up to 1


@dataclass
class Style:
    """The effect of declarations on an element's visibility."""

    hides: bool = False  # whether the element is invisible
    clips: bool = False  # whether its box clips all its content
    is_small: bool = False  # whether its box is too small for text
    opacity: float = 1.0  # the opacity, up to 1
    visible: bool | None = None  # whether its text is visible; None to inherit
    font: float | None = None  # its font size in pixels, or None
    scale: float = 1.0  # its font size relative to the parent's
    color: Color | None = None
    background: Color | None = None
    has_picture: bool = False  # whether its background may be a picture

    @property
    def hides_alone(self) -> bool:
        is_tiny = self.font is not None and self.font <= MIN_FONT
        return self.hides or self.opacity < SEEN or self.visible is False or is_tiny


@dataclass(frozen=True)
class Value:
    """A declaration's value."""

    nodes: Sequence[Node]  # its parts, without spaces and comments

    @cached_property
    def words(self) -> set[str]:
        return {node.lower_value for node in self.nodes if node.type == "ident"}

    @cached_property
    def lengths(self) -> list[float]:
        return [length for length, _ in list_lengths(self.nodes)]

    @property
    def parts(self) -> list[float]:
        return [
            node.value / (100 if node.type == "percentage" else 1) for node in flatten(self.nodes)
        ]

    @property
    def has_shape(self) -> bool:
        return any(node.type in ("function", "url") for node in self.nodes)

    @property
    def is_unknown(self) -> bool:
        return any(node.type == "function" and node.lower_name in UNKNOWN for node in self.nodes)

    @property
    def is_flat(self) -> bool:
        return any(
            node.type == "function"
            and node.lower_name in FLATTENING
            and FLATTENING[node.lower_name](Value(drop_blanks(node.arguments)))
            for node in self.nodes
        )

    def is_far(self, near: float) -> bool:
        return any(length <= -near or length >= FAR for length in self.lengths)

    def is_below(self, least: float) -> bool:
        return any(abs(part) < least for part in self.parts)


def is_thin(value: Value) -> bool:
    sides = [
        node.value if node.type in NUMBERS else None
        for node in value.nodes
        if node.type in ("ident", *NUMBERS)
    ]
    top, right, bottom, left = (*sides, None, None, None, None)[:4]
    return any(
        end is not None and end - (start or 0) <= MIN_BOX
        for start, end in ((top, bottom), (left, right))
    )


# By function name in `clip`, `transform` and `filter`: whether it leaves nothing visible.
FLATTENING: dict[str, Callable[[Value], bool]] = {
    "rect": is_thin,
    "matrix": lambda value: not is_whole(value.parts),
    "matrix3d": lambda _: True,
    **dict.fromkeys(("scale", "scalex", "scaley", "scale3d"), lambda value: value.is_below(SEEN)),
    **dict.fromkeys(
        ("translate", "translatex", "translatey", "translate3d"),
        lambda value: value.is_far(WIDE),
    ),
    **dict.fromkeys(
        ("rotatex", "rotatey"), lambda value: QUARTER in (part % 180 for part in value.parts)
    ),
    "opacity": lambda value: value.is_below(SEEN),
}
# By property name: whether the value hides the element.
HIDING: dict[str, Callable[[Value], bool]] = {
    "display": lambda value: value.is_unknown or "none" in value.words,
    "content-visibility": lambda value: value.is_unknown or "hidden" in value.words,
    "letter-spacing": lambda value: value.is_far(UNITS["ch"]),
    "text-security": lambda value: "none" not in value.words,
    **dict.fromkeys(("clip-path", "mask", "mask-image"), lambda value: value.has_shape),
    **dict.fromkeys(("clip", "transform", "filter"), lambda value: value.is_flat),
    **dict.fromkeys(("scale", "zoom"), lambda value: value.is_below(SEEN)),
    **dict.fromkeys(("left", "top", "text-indent"), lambda value: value.is_far(NEAR)),
}
OFFSETS = re.compile("right|bottom|translate|(?:inset|margin)(?:-[a-z-]+)?")
BOXES = re.compile(r"(?:max-)?(?:height|width|block-size|inline-size)|line-height")
OVERFLOWS = frozenset(("overflow", "overflow-x", "overflow-y", "contain"))


def is_whole(matrix: Sequence[float]) -> bool:
    across, down, right, along = (*matrix, 0.0, 0.0, 0.0, 0.0)[:4]
    return abs(across * along - down * right) >= SEEN * SEEN


@lru_cache(maxsize=10_000)
def read_style(text: str) -> Style:
    style = Style()
    parts = parse_blocks_contents(text, skip_comments=True, skip_whitespace=True)
    declared = [part for part in parts if part.type == "declaration"]
    is_clipped = is_empty = is_painted = False
    for part in sorted(declared, key=lambda part: bool(part.important)):
        name = VENDOR.sub("", part.lower_name)
        value = Value(drop_blanks(part.value))
        if name in HIDING:
            style.hides |= HIDING[name](value)
        elif name in READERS:
            READERS[name](style, value)
        elif OFFSETS.fullmatch(name):
            style.hides |= value.is_far(WIDE)
        elif BOXES.fullmatch(name):
            room = 0 if name == "line-height" else MIN_BOX
            style.is_small |= bool(value.lengths) and max(value.lengths) <= room
        is_clipped |= name in OVERFLOWS and not CLIPPING.isdisjoint(value.words)
        is_empty |= name == "text-indent" and max(value.lengths, default=0) >= NEAR
        is_painted |= name == "background-clip" and "text" in value.words
    style.clips = is_clipped and (style.is_small or is_empty)
    if is_painted:  # the background shows through the letters
        style.color, style.has_picture = None, True
    return style


def read_visibility(style: Style, value: Value) -> None:
    style.visible = not (value.is_unknown or value.words & {"hidden", "collapse"})


def read_opacity(style: Style, value: Value) -> None:
    read = max(value.parts, default=0.0 if value.is_unknown else 1.0)
    style.opacity = min(style.opacity, read)


def read_font(style: Style, value: Value) -> None:
    if any(map(FONT_SIZES.fullmatch, value.words)):
        style.font = EM
    for length, unit in list_lengths(value.nodes):
        if unit or not length:  # unitless numbers are font weights
            scale = length / RELATIVE.get(unit, EM)
            is_relative = unit in RELATIVE and scale > 0
            style.font, style.scale = (None, scale) if is_relative else (length, 1.0)
            return


def read_color(style: Style, value: Value) -> None:
    style.color = next(list_colors(value.nodes), style.color)


def read_background(style: Style, value: Value) -> None:
    colors = list(list_colors(value.nodes))
    for color in colors:
        style.background = color if color[3] > 1 / 2 else style.background
    style.has_picture |= style.background is None and value.has_shape and not colors


READERS: dict[str, Callable[[Style, Value], None]] = {
    "visibility": read_visibility,
    "opacity": read_opacity,
    **dict.fromkeys(("font", "font-size"), read_font),
    **dict.fromkeys(("color", "text-fill-color"), read_color),
    **dict.fromkeys(("background", "background-color", "background-image"), read_background),
}


def list_colors(nodes: Sequence[Node]) -> Iterator[Color]:
    for node in nodes:
        color = parse_color(node) if node.type in ("ident", "hash", "function") else None
        if color is None or color == "currentcolor":
            continue
        if color.space in SRGB:
            red, green, blue = (float(part or 0) for part in color.to("srgb").coordinates)
        else:
            red = green = blue = 1 / 2  # unconverted colours count as visible
        yield red, green, blue, float(color.alpha)


def list_lengths(nodes: Sequence[Node]) -> Iterator[tuple[float, str]]:
    """Yield a value's lengths in pixels with their units; unitless numbers are unchanged."""
    for node in flatten(nodes):
        unit: str = node.lower_unit if node.type == "dimension" else UNIT[node.type]
        if not unit or unit in UNITS:
            yield node.value * UNITS.get(unit, 1.0), unit


def flatten(nodes: Sequence[Node]) -> Iterator[Node]:
    for node in nodes:
        if node.type in NUMBERS:
            yield node
        elif node.type == "function" and node.lower_name in MATHS:
            yield from flatten(
                [argument for argument in node.arguments if argument.type in NUMBERS]
            )


def drop_blanks(nodes: Sequence[Node]) -> list[Node]:
    return [node for node in nodes if node.type not in ("whitespace", "comment")]
