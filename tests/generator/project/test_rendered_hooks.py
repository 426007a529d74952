"""A rendered hook's tables equal the answers."""

from pathlib import Path
from typing import Any

import yaml

from hookwright.project.rendered_hooks import order_routes, read_routes, read_tables

from ...support.project import ROOT, render

READY = sorted(ROOT.glob("examples/routes/*.yml"))


def test_ready_routes_round_trip(template: Path, tmp_path: Path) -> None:
    routes: dict[str, Any] = {}
    for path in READY:
        routes |= yaml.safe_load(path.read_text("utf-8"))["routes"]
    project = render(template, tmp_path / "project", routes=routes)
    tables = read_tables(project / "hooks" / "tool_routing.py")
    assert read_routes(tables) == order_routes(routes)


def test_filled_messages_round_trip(template: Path, tmp_path: Path) -> None:
    routes = {
        message: {"pattern": "(?P<a>x)/(?P<b>@y)", "message": message}
        for message in ("gh x {a}", "sed {a}", "npm view {b}", "gh x {a}/{b}")
    }
    project = render(template, tmp_path / "project", routes=routes)
    assert read_routes(read_tables(project / "hooks" / "tool_routing.py")) == order_routes(routes)


def test_constants_of_a_loaded_module_are_read(template: Path, tmp_path: Path) -> None:
    project = render(template, tmp_path / "project", action_lessons=True)
    for name in ("action_lessons", "action_lessons_answer"):
        (project / "hooks" / f"{name}.py").rename(tmp_path / f"{name}-my-hooks.py")
    assert read_tables(tmp_path / "action_lessons-my-hooks.py")["SERVER"] == "127.0.0.1:7731"
