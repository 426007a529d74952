"""No regular expression takes superlinear time, including those of the ready-made routes."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from ..support.project import ROOT
from ..support.regex_growth import TEXTS, Used, find_growth, list_inline, list_patterns

PACKAGE = "hookwright"
RENDERED = [
    path
    for part in ("generator/hooks", "generator/runtime", "template")
    for path in ROOT.glob(f"{part}/**/*.py")
]
READY = [*ROOT.glob("examples/routes/*.yml"), ROOT / "examples" / "devops.yml"]


def list_rendered(paths: list[Path]) -> Iterator[Used]:
    for path in sorted(paths):
        for line, method, pattern in list_inline(ast.parse(path.read_text("utf-8"))):
            yield Used(f"{path.name}:{line}", pattern, frozenset([method]))


def list_ready(paths: list[Path]) -> Iterator[Used]:
    for path in sorted(paths):
        for name, route in yaml.safe_load(path.read_text("utf-8")).get("routes", {}).items():
            flags = 0 if route.get("tool") == "Bash" else re.IGNORECASE
            yield Used(f"{path.name}: {name}", re.compile(route["pattern"], flags), frozenset())


@pytest.mark.long
def test_pattern_time_is_linear_in_the_text() -> None:
    patterns = list_patterns(PACKAGE, ROOT / "generator" / PACKAGE)
    patterns += [*list_rendered(RENDERED), *list_ready(READY)]
    assert len(patterns) > 70
    grown = {used.place: find_growth(used, TEXTS) for used in patterns}
    assert {place: how for place, how in grown.items() if how} == {}
