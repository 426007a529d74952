"""Determine from CSS declarations whether a browser shows an element's text.

A declaration that hides an element counts even if a later declaration overrides it. Values that
leave almost nothing visible, such as a one-pixel font, also count as hiding. `var()` and arithmetic
within `calc()` are not evaluated.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from tinycss2 import parse_blocks_contents
from tinycss2.ast import Node
from tinycss2.color4 import parse_color

SEEN = 0.1  # minimum visible opacity and contrast
MIN_FONT, MIN_BOX = 2.0, 1.0  # maximum sizes in pixels that are too small for text
# Pixels that move an element off screen: NEAR and WIDE to the left or top, where WIDE is for
# properties that are also used for centring, and FAR to the right or bottom.
NEAR, WIDE, FAR = 300.0, 900.0, 5_000.0
EM = 16.0
# Pixels per unit; percentages and units such as vw refer to a window that is 1,000 pixels wide.
UNITS = {"": 1.0, "px": 1.0, "pt": 4 / 3, "pc": EM, "in": 96.0, "cm": 37.8, "mm": 3.78, "q": 0.945}
UNITS |= dict.fromkeys(("em", "rem", "ic", "lh", "rlh"), EM) | dict.fromkeys(("ex", "ch"), EM / 2)
OTHER_UNIT = 10.0
QUARTER = 90  # degrees
RELATIVE = {"em": EM, "ex": EM, "ch": EM, "ic": EM, "lh": EM, "%": 1_000.0}  # pixels at scale 1
NUMBERS = {"number": "", "percentage": "%", "dimension": ""}  # their units, unless written
MATHS = frozenset(("calc", "min", "max", "clamp"))
UNKNOWN = frozenset(("var", "env", "attr", "if"))
VENDOR = re.compile("-(?:webkit|moz|ms|o)-")
CLIPPING = frozenset(("hidden", "clip", "scroll", "auto", "paint", "strict", "content"))
FONT_SIZES = re.compile("(?:x{1,3}-)?(?:small|large)|medium")
Color = tuple[float, float, float, float]  # red, green, blue, alpha; each up to 1
BLACK, WHITE = (0.0, 0.0, 0.0, 1.0), (1.0, 1.0, 1.0, 1.0)


@dataclass
class Look:
    """How a browser shows an element's text; all but the first three fields are inherited."""

    hides: bool = False  # whether the element is invisible, regardless of its descendants' styles
    clips: bool = False  # whether content that does not fit its box is invisible
    is_small: bool = False  # whether its box is too small for text
    opacity: float = 1.0
    visible: bool = True
    font: float = EM  # font size in pixels
    color: Color = BLACK
    background: Color | None = WHITE  # None if unknown, such as a picture

    @property
    def hides_all(self) -> bool:
        return self.hides or self.opacity < SEEN or (self.clips and self.is_small)

    @property
    def shows_text(self) -> bool:
        *color, alpha = self.color
        behind = self.background
        contrast = max(abs(color[part] - behind[part]) for part in range(3)) if behind else 1.0
        return self.visible and self.font > MIN_FONT and contrast * alpha >= SEEN


class Value:
    """A declaration's value."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes = nodes
        self.words = {node.lower_value for node in nodes if node.type == "ident"}
        self.functions = [node for node in nodes if node.type == "function"]
        self.is_unknown = any(node.lower_name in UNKNOWN for node in self.functions)
        self.is_picture = bool(self.functions) or any(node.type == "url" for node in nodes)
        # Its numbers, including those in functions such as `min()`.
        self.numbers: list[tuple[float, str]] = [
            (part.value, getattr(part, "lower_unit", NUMBERS[part.type]))
            for node in nodes
            for part in (node.arguments if getattr(node, "lower_name", "") in MATHS else [node])
            if part.type in NUMBERS
        ]
        self.lengths = [number * UNITS.get(unit, OTHER_UNIT) for number, unit in self.numbers]
        self.parts = [number / 100 if unit == "%" else number for number, unit in self.numbers]

    @property
    def colors(self) -> Iterator[Color]:
        for node in self.nodes:
            color = parse_color(node) if node.type in ("ident", "hash", "function") else None
            if color is None or color == "currentcolor":
                continue
            red = green = blue = 1 / 2  # colours of other spaces count as visible
            if color.space in ("srgb", "hsl", "hwb"):
                red, green, blue = (float(part or 0) for part in color.to("srgb").coordinates)
            yield red, green, blue, float(color.alpha)

    def is_far(self, near: float) -> bool:
        return any(length <= -near or length >= FAR for length in self.lengths)

    def is_below(self, least: float) -> bool:
        return any(abs(part) < least for part in self.parts)


# By function name in `clip`, `transform` and `filter`: whether it leaves nothing visible.
FLATTENING: dict[str, Callable[[Value], bool]] = {
    "rect": lambda value: len(set(value.lengths)) == 1,
    **dict.fromkeys(("matrix", "matrix3d"), lambda value: max(map(abs, value.parts)) < SEEN),
    **dict.fromkeys(
        ("scale", "scalex", "scaley", "scale3d", "opacity"), lambda value: value.is_below(SEEN)
    ),
    **dict.fromkeys(
        ("translate", "translatex", "translatey", "translate3d"), lambda value: value.is_far(WIDE)
    ),
    **dict.fromkeys(
        ("rotatex", "rotatey"), lambda value: QUARTER in (part % 180 for part in value.parts)
    ),
}
# By property name: whether the value hides the element.
HIDING: dict[str, Callable[[Value], bool]] = {
    "display": lambda value: value.is_unknown or "none" in value.words,
    "content-visibility": lambda value: value.is_unknown or "hidden" in value.words,
    "letter-spacing": lambda value: value.is_far(UNITS["ch"]),
    "text-security": lambda value: "none" not in value.words,
    **dict.fromkeys(("clip-path", "mask", "mask-image"), lambda value: value.is_picture),
    **dict.fromkeys(
        ("clip", "transform", "filter"),
        lambda value: any(
            FLATTENING[node.lower_name](Value(node.arguments))
            for node in value.functions
            if node.lower_name in FLATTENING
        ),
    ),
    **dict.fromkeys(("scale", "zoom"), lambda value: value.is_below(SEEN)),
    **dict.fromkeys(("left", "top", "text-indent"), lambda value: value.is_far(NEAR)),
}
OFFSETS = re.compile("right|bottom|translate|(?:inset|margin)(?:-[a-z-]+)?")
BOXES = re.compile(r"(?:max-)?(?:height|width|block-size|inline-size)|line-height")


@lru_cache(maxsize=10_000)
def read_declarations(text: str) -> list[tuple[str, Value]]:
    """Return a style's declarations, starting with those that later ones override."""
    parts = parse_blocks_contents(text, skip_comments=True, skip_whitespace=True)
    declared = [part for part in parts if part.type == "declaration"]
    declared.sort(key=lambda part: (part.important, part.lower_name.endswith("background-clip")))
    return [(VENDOR.sub("", part.lower_name), Value(part.value)) for part in declared]


def apply_style(around: Look, text: str) -> Look:
    """Return the look of an element with a style, within an element of another look."""
    look = replace(around, hides=False, clips=False, is_small=False)
    for name, value in read_declarations(text):
        if name in HIDING:
            look.hides |= HIDING[name](value)
            look.is_small |= name == "text-indent" and max(value.lengths, default=0) >= NEAR
        else:
            apply_declaration(look, name, value)
    return look


def apply_declaration(look: Look, name: str, value: Value) -> None:
    match name:
        case "visibility":
            look.visible = not (value.is_unknown or value.words & {"hidden", "collapse"})
        case "opacity":
            look.opacity *= max(value.parts, default=0.0 if value.is_unknown else 1.0)
        case "overflow" | "overflow-x" | "overflow-y" | "contain":
            look.clips |= not CLIPPING.isdisjoint(value.words)
        case "font" | "font-size":
            look.font = find_size(value, look.font)
        case "color" | "text-fill-color":
            look.color = next(value.colors, look.color)
        case "background" | "background-color" | "background-image":
            look.background = find_background(value, look.background)
        case "background-clip" if "text" in value.words:  # it shows through the letters
            look.color, look.background = BLACK, None
        case _ if OFFSETS.fullmatch(name):
            look.hides |= value.is_far(WIDE)
        case _ if BOXES.fullmatch(name):
            room = 0 if name == "line-height" else MIN_BOX
            look.is_small |= max(value.lengths, default=FAR) <= room


def find_size(value: Value, around: float) -> float:
    for size, (_, unit) in zip(value.lengths, value.numbers, strict=True):
        if unit or not size:  # unitless numbers are font weights
            return around * size / RELATIVE[unit] if unit in RELATIVE and size else size
    return EM if any(map(FONT_SIZES.fullmatch, value.words)) else around


def find_background(value: Value, behind: Color | None) -> Color | None:
    colors = list(value.colors)
    behind = None if value.is_picture and not colors else behind
    return next((color for color in reversed(colors) if color[3] > 1 / 2), behind)
