"""Find routes that never decide, because an earlier one matches whatever they match."""

import re
import warnings
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from hookwright.patterns.redos import Variant, build_example, list_marks, read_pattern, walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Route = Mapping[str, Any]
    Earlier = tuple[str, Route, re.Pattern[str]]

MOST = 2_000  # examples of a pattern
ENOUGH = 20  # examples that are also tried inside other texts
LONGEST = 100  # repeats
CANDIDATES = 9  # earlier routes that are looked at closely for each later one
# What may stand around an example: an anchor or a lookaround of the earlier pattern sees it.
FRONTS = ("x", " ", "\n", "-", "/", "https://example.com/", "https://example.com/?u=", "cd x && ")
BACKS = ("x", " ", "-", "/", "0", ".", "?x=1", "#x", " | x", "; x", "\nx", "\n\n")
SHELL, FETCH = "Bash", "WebFetch"


def find_deciders(routes: "Mapping[str, Route]") -> "dict[str, str]":
    """Return the routes that never decide, and which earlier route decides for each.

    An earlier one counts if it matches all examples that are built from the later pattern, in many
    surroundings, and those of the later one's tests. Routes that allow come first on purpose.

    Args:
        routes: The answers, in their order; their patterns do not backtrack without end.

    """
    found = {}
    earlier: list[Earlier] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # other checks report them
        for name, route in routes.items():
            if route.get("action") == "allow":
                continue
            try:
                decider = find_decider(route, earlier)
                if not decider:  # a route that never decides takes nothing from others
                    regex = re.compile(route["pattern"], read_flags(route))
                    earlier.append((name, route, regex))
            except Exception:  # noqa: BLE001, S112 - not one that this Python can compare
                continue
            if decider:
                found[name] = decider
    return found


def find_decider(route: "Route", earlier: "list[Earlier]") -> str:
    """Return the name of the route that matches whatever a later one matches; "" for none."""
    texts = (text for text in list_examples(route, []) if takes(route, text, read_flags(route)))
    first = list(islice(texts, ENOUGH))
    if not first:
        return ""
    likely = (
        (name, one)
        for name, one, regex in earlier
        if regex.search(first[0]) and covers(one, route) and matches_all(one, route, first)
    )
    for name, one in islice(likely, CANDIDATES):
        nodes = read_pattern(one["pattern"], read_flags(route))
        if one["pattern"] == route["pattern"] or (
            is_plain(nodes) and matches_all(one, route, list_examples(route, nodes))
        ):
            return name
    return ""


def covers(earlier: "Route", later: "Route") -> bool:
    """Tell whether an earlier route reads the same of each call that a later one is for."""
    if earlier.get("requires", later.get("requires")) != later.get("requires"):
        return False  # without that command, the later one decides
    tool = later.get("tool", FETCH)
    names = tool.split("|")
    wanted = [later.get("field") or ("command" if name == SHELL else "url") for name in names]
    given = [earlier.get("field") or ("command" if name == SHELL else "url") for name in names]
    if given != wanted or (SHELL in names and bool(earlier.get("raw")) != bool(later.get("raw"))):
        return False
    every = earlier.get("tool", FETCH)
    return every in {tool, ".*", ".+"} or all(
        re.fullmatch(r"[\w-]+", name) and re.fullmatch(every, name) for name in names
    )


def read_flags(route: "Route") -> int:
    """Return the flags that the hook matches a route with."""
    return 0 if route.get("tool") == SHELL else int(re.IGNORECASE)


def is_plain(nodes: "list[Any]") -> bool:
    """Tell whether a pattern looks around nowhere, which examples do not tell apart."""
    return not any(node.kind.startswith("ASSERT") for node, _ in walk(nodes))


def matches_all(earlier: "Route", later: "Route", texts: "Iterator[str] | list[str]") -> bool:
    """Tell whether an earlier route matches each text that a later one matches, of one or more."""
    flags, found = read_flags(later), False
    for text in texts:
        if takes(later, text, flags):
            if not takes(earlier, text, flags):
                return False
            found = True
    return found


def takes(route: "Route", text: str, flags: int) -> bool:
    """Tell whether a route matches a text."""
    held = str(route.get("contains", "")).lower() in text.lower()
    return held and re.search(route["pattern"], text, flags) is not None


def list_examples(route: "Route", against: "list[Any]") -> "Iterator[str]":
    """Yield texts that a route may match, which differ in all that another pattern tells apart.

    Args:
        route: The route.
        against: The other pattern, as read; empty for few examples.

    """
    for test in route.get("tests", ()):
        yield from (text for text in test["input"]["tool_input"].values() if isinstance(text, str))
    nodes = read_pattern(route["pattern"], read_flags(route))
    both = [node for node, _ in walk([*nodes, *against])]
    bounds = [bound + step for node in both for bound in (node.least, node.most) for step in (0, 1)]
    repeats = sorted({0, 1, 2, 9, *(one for one in bounds if against and one < LONGEST)})
    branches = range(max([1, *(len(node.parts) for node in both)]))
    firsts = ["", *list_marks([*nodes, *against])] if against else [""]
    variants = (Variant(first, b, most) for most, b, first in product(repeats, branches, firsts))
    held = str(route.get("contains", ""))
    few: list[str] = []
    for variant in islice(variants, MOST):
        one = build_example(nodes, variant, {})
        for text in [one, f"{held} {one}", f"{one} {held}"] if held else [one]:
            yield text
            few += [text] if len(few) < ENOUGH else []
    for text in few if against else ():
        yield text.upper()
        for front, back in product(("", *FRONTS), ("", *BACKS)):
            yield front + text + back
