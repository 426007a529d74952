"""Find routes that never decide, because an earlier one matches whatever they match."""

import re
import shlex
import warnings
from itertools import islice
from typing import TYPE_CHECKING, Any

from inclusion import includes
from redos import Variant, build_example, read_pattern

if TYPE_CHECKING:
    from collections.abc import Mapping

    Route = Mapping[str, Any]
    Earlier = tuple[str, Route]

CANDIDATES = 9  # earlier routes that are looked at closely for each later one
SHELL, FETCH = "Bash", "WebFetch"


def find_deciders(routes: "Mapping[str, Route]") -> "dict[str, str]":
    """Return the routes that never decide, and which earlier route decides for each.

    Routes that allow come first on purpose, and disabled ones do not count. Nothing is said of
    patterns that cannot be compared exactly.

    Args:
        routes: The answers, in their order; their patterns do not backtrack without end.

    """
    found: dict[str, str] = {}
    earlier: list[Earlier] = []
    for name, route in routes.items():
        if route.get("action") == "allow" or "disabled" in route:
            continue
        try:
            decider = find_decider(route, earlier)
        except Exception:  # noqa: BLE001, S112 - answers may hold anything, and parsers change
            continue
        if decider:
            found[name] = decider
        else:  # a route that never decides takes nothing from others
            earlier.append((name, route))
    return found


def find_decider(route: "Route", earlier: "list[Earlier]") -> str:
    """Return the name of the route that matches whatever a later one matches; "" for none."""
    example = build_match(route)
    if example is None:
        return ""
    likely = (name for name, one in earlier if takes(one, example) and covers(one, route))
    by_name = dict(earlier)
    for name in islice(likely, CANDIDATES):
        if matches_all(by_name[name], route):
            return name
    return ""


def word_way_out(routes: "Mapping[str, Route]", later: str, earlier: str) -> str:
    """Return what to do about a route that never decides, as the end of a message.

    Args:
        routes: The answers.
        later: The name of the route that never decides.
        earlier: The name of the route that decides for it, as `find_deciders` has it.

    """
    both = routes[later], routes[earlier]
    if covers(*both) and matches_all(*both):  # the other one would never decide then
        return "remove one of them, or change its pattern"
    return f"run hookwright move {shlex.quote(later)} --before {shlex.quote(earlier)}"


def build_match(route: "Route") -> "str | None":
    held = str(route.get("contains", ""))
    nodes = read_pattern(route["pattern"], read_flags(route)[0])
    found = [build_example(nodes, Variant(repeats=repeats), {}) for repeats in (1, 0, 2)]
    tests = [text for test in route.get("tests", ()) for text in list_texts(test)]
    texts = [
        *found,
        *tests,
        *(f"{held} {one}" for one in found),
        *(f"{one} {held}" for one in found),
    ]
    return next((text for text in texts if takes(route, text)), None)


def list_texts(test: "Mapping[str, Any]") -> "list[str]":
    return [text for text in test["input"]["tool_input"].values() if isinstance(text, str)]


def covers(earlier: "Route", later: "Route") -> bool:
    """Tell whether an earlier route reads the same of each call that a later one is for."""
    if earlier.get("requires", later.get("requires")) != later.get("requires"):
        return False  # without that command, the later one decides
    tool, every = later.get("tool", FETCH), earlier.get("tool", FETCH)
    names = tool.split("|")
    plain = all(re.fullmatch(r"[\w-]+", name) for name in names)
    if every not in {tool, ".*", ".+"} and not (
        plain and all(re.fullmatch(every, name) for name in names)
    ):
        return False
    of_shell = SHELL in names if plain else bool(re.fullmatch(tool, SHELL))
    of_others = names != [SHELL]
    fields = [
        (of_shell, earlier.get("field") or "command", later.get("field") or "command"),
        (of_others, earlier.get("field") or "url", later.get("field") or "url"),
    ]
    if any(given != wanted for asked, given, wanted in fields if asked):
        return False
    return not of_shell or bool(earlier.get("raw")) == bool(later.get("raw"))


def read_flags(route: "Route") -> "list[int]":
    tool = route.get("tool", FETCH)
    if tool == SHELL:
        return [0]
    return [int(re.IGNORECASE), *([0] if re.fullmatch(tool, SHELL) else [])]


def matches_all(earlier: "Route", later: "Route") -> bool:
    held = earlier.get("contains")
    if earlier["pattern"] == later["pattern"] and held in {None, later.get("contains")}:
        return True
    try:
        return all(
            includes(list_patterns(earlier, flags), list_patterns(later, flags))
            for flags in read_flags(later)
        )
    except (LookupError, RecursionError):
        return False


def list_patterns(route: "Route", flags: int) -> "list[tuple[str, int]]":
    held = str(route.get("contains", ""))
    patterns = [(route["pattern"], flags)]
    return [*patterns, (re.escape(held), int(re.IGNORECASE))] if held else patterns


def takes(route: "Route", text: str) -> bool:
    held = str(route.get("contains", "")).lower() in text.lower()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # other checks report them
            return held and re.search(route["pattern"], text, read_flags(route)[0]) is not None
    except (re.error, OverflowError, RecursionError, ValueError):
        return False
